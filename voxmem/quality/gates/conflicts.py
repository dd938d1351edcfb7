"""No model is evaluated on items that it helped to choose, unless the report says so (VoxMem, §3.3:
the model of the gates is not among those evaluated)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from voxmem.errors import UsageError

ROLES = ("gate", "judge", "auditor")
"""What a model may have done for a release. The first word of a version's name says it."""

_REVISION = re.compile(r"[@:].*$")


def version_of(role: str, model: str) -> dict[str, str]:
    """The entry of a release's versions that says which model did what.

    Raises:
        UsageError: There is no such role.
    """
    if role not in ROLES:
        raise UsageError(f"there is no role {role!r}", remedy=f"choose one of: {', '.join(ROLES)}")
    return {f"{role} model": model}


def conflicts(versions: Mapping[str, str], names: Collection[str]) -> list[str]:
    """What a system did for a release that it is to be evaluated on, one line each.

    Args:
        versions: Of the release.
        names: Every name that the system goes by: in the registry, and at its endpoint. Provider
            ("google/"), revision ("@…", ":…") and case make no difference.
    """
    own = {plain(name): name for name in sorted(names)}
    found = []
    for entry, value in sorted(versions.items()):
        role = entry.split()[0] if entry.split() else ""
        # An entry may go on with a revision after a blank.
        known = {plain(value), plain(value.split()[0]) if value.split() else ""} - {""}
        for name in sorted(known & own.keys()):
            if role in ROLES:
                found.append(f"{own[name]} is the {role} of this release ({entry}: {value})")
    return found


def check_evaluable(
    versions: Mapping[str, str], names: Collection[str], *, allowed: bool = False
) -> list[str]:
    """The conflicts of a system with a release, for the report.

    Raises:
        UsageError: There are some, and they are not ``allowed``.
    """
    found = conflicts(versions, names)
    if found and not allowed:
        raise UsageError(
            "; ".join(found),
            stage="evaluate",
            remedy="evaluate another model, or add --allow-gate-model: the report will say so",
        )
    return found


def plain(name: str) -> str:
    """A model's name without provider, revision and case."""
    return _REVISION.sub("", name.strip().casefold()).rsplit("/", 1)[-1]
