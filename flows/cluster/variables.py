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


def apply(
    client: SyncPrefectClient, wanted: Mapping[str, str | float], *, dry_run: bool
) -> tuple[list[Change], Values]:
    """Writes what is missing or asked for. Returns also what the server's variables are then.

    Args:
        wanted: Variable → value, of those that were asked for.
    """
    there = read(client)
    values: Values = dict(there)
    changes: list[Change] = []
    for each in declared.variables():
        old = there.get(each.name)
        new = wanted.get(each.name, each.default() if old is None else old)
        if new is None:
            continue
        values[each.name] = new
        if old is None:
            changes.append(Change(KIND, each.name, "created", {"value": (None, new)}))
        else:
            changes.append(settled(KIND, each.name, {} if old == new else {"value": (old, new)}))
        if changes[-1].is_change and not dry_run:
            _write(client, each.name, new, exists=old is not None)
    return changes, values


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
