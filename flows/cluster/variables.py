"""Variables of the server: what is there stays, unless its option is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flows.cluster import declared
from flows.cluster.change import Change, settled

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

KIND = "variable"
Values = dict[str, str | float]


def values(there: Values, asked: Mapping[str, str | float]) -> Values:
    """What the variables shall be: as asked for, else as they are, else their default."""
    found: Values = {}
    for each in declared.variables():
        default = there[each.name] if each.name in there else each.default()
        value = asked.get(each.name, default)
        if value is not None:
            found[each.name] = value
    return found


def apply(
    client: SyncPrefectClient, there: Values, wanted: Values, *, dry_run: bool
) -> list[Change]:
    """Writes the variables that are missing or another.

    Args:
        there: What the server has.
    """
    changes = []
    for name, new in wanted.items():
        old = there.get(name)
        if old is None:
            changes.append(Change(KIND, name, "created", {"value": (None, new)}))
        else:
            changes.append(settled(KIND, name, {} if old == new else {"value": (old, new)}))
        if changes[-1].is_change and not dry_run:
            _write(client, name, new, exists=old is not None)
    return changes


def read(client: SyncPrefectClient) -> Values:
    """The declared variables that the server has."""
    names = {each.name for each in declared.variables()}
    found = {each.name: each.value for each in client.read_variables(limit=200)}
    return {name: value for name, value in found.items() if name in names}  # type: ignore[misc]


def _write(client: SyncPrefectClient, name: str, value: str | float, *, exists: bool) -> None:
    from prefect.client.schemas.actions import VariableCreate, VariableUpdate

    if exists:
        client.update_variable(VariableUpdate(name=name, value=value))
    else:
        client.create_variable(VariableCreate(name=name, value=value))
