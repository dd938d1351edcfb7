"""Who judges whom: a judge, auditor or gate that is also evaluated, or is of an evaluated model's
family (VoxMem, Appendix C.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.judge.names import models_of
from voxmem.models.catalogue import catalogue, entry_of
from voxmem.models.entry import ModelEntry
from voxmem.quality.gates.conflicts import ROLES, plain
from voxmem.records import Record


class Flag(Record):
    """One model in a role, beside those evaluated that are partial to it."""

    role: str
    """``judge``, ``auditor``, ``gate``."""
    model: str
    """In that role; a judge's models one by one."""
    same: tuple[str, ...] = ()
    """Systems that are this model, or ask it."""
    family: str = ""
    """Of the catalogue."""
    relatives: tuple[str, ...] = ()
    """Other systems of its family."""

    def __str__(self) -> str:
        said = []
        if self.same:
            said.append(f"is evaluated itself ({', '.join(self.same)})")
        if self.relatives:
            said.append(f"is of the family {self.family} as {', '.join(self.relatives)}")
        return f"the {self.role} {self.model} {' and '.join(said)}"


def flags(roles: Mapping[str, Iterable[str]], systems: Iterable[str]) -> list[Flag]:
    """What a report has to say of its judges.

    Args:
        roles: Role → judges by name (a panel is its members), or models by any name: of the
            catalogue, or at their endpoint.
        systems: Those that are evaluated, by name; ``NAME@MODEL`` counts as the model.

    Returns:
        One for each model in a role that is evaluated or has relatives among those evaluated.
    """
    evaluated = list(dict.fromkeys(systems))
    found = []
    for role, names in roles.items():
        asked = (model for name in names for model in models_of(name))
        models = dict.fromkeys(model.removeprefix(IMPORTED) for model in asked)
        found += [flag for model in models if (flag := _flag(role, model, evaluated))]
    return found


def gate_roles(versions: Mapping[str, str]) -> dict[str, list[str]]:
    """Role → models, as a release's versions name them."""
    found: dict[str, list[str]] = {}
    for entry, value in sorted(versions.items()):
        role = entry.split()[0] if entry.split() else ""
        if role in ROLES and value.split():
            found.setdefault(role, []).append(value.split()[0])
    return found


def _flag(role: str, model: str, systems: Iterable[str]) -> Flag | None:
    known = _known(model)
    names = {plain(name) for name in (model, *((known.name, known.model) if known else ()))}
    same, relatives = [], []
    for system in systems:
        entry = entry_of(system)
        own = {plain(system.rpartition("@")[2]), *({plain(entry.model)} if entry else ())}
        if own & names:
            same.append(system)
        elif known and entry and entry.family == known.family:
            relatives.append(system)
    if not same and not relatives:
        return None
    family = known.family if known else ""
    return Flag(role=role, model=model, same=tuple(same), family=family, relatives=tuple(relatives))


def _known(model: str) -> ModelEntry | None:
    """The entry of a model. A judge that was imported may carry its version behind its name."""
    name, entries = plain(model), catalogue()
    for entry in entries.values():
        if name in (plain(entry.name), plain(entry.model), plain(entry.revision or "")):
            return entry
    fitting = [entry for each, entry in entries.items() if name.startswith(f"{plain(each)}-")]
    return max(fitting, key=lambda entry: len(entry.name), default=None)
