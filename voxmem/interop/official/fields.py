"""Where a session keeps its id and its role label: their published names are not known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from voxmem.errors import InputError
from voxmem.interop.official.spellings import ROLE_LABELS, ROLES, SESSION_IDS, spelled

Session = Mapping[str, Any]
_OTHERS = frozenset({"timestamp", "turns"})


def id_field(sessions: Sequence[Session], evidence_ids: Collection[str]) -> str:
    """The field that names sessions: one of the usual names, else the only field of texts that
    holds every evidence id and names no two sessions alike.

    Raises:
        InputError: There is none, or several could be it.
    """

    def names_sessions(values: Sequence[str]) -> bool:
        return set(evidence_ids) <= set(values) and len(set(values)) == len(values)

    return _field(sessions, SESSION_IDS, names_sessions, "session id")


def role_field(sessions: Sequence[Session]) -> str:
    """The field that says what sessions are for: one of the usual names with a known role in it,
    else the only field of texts that holds nothing but known roles.

    Raises:
        InputError: There is none, or several could be it.
    """

    def says_roles(values: Sequence[str]) -> bool:
        return all(spelled(ROLES, value) for value in values)

    # "type" or "label" may be there and say something else.
    usual = [
        name
        for name in ROLE_LABELS
        if any(spelled(ROLES, session.get(name)) for session in sessions)
    ]
    return _field(sessions, usual, says_roles, "role label")


def _field(
    sessions: Sequence[Session],
    usual: Sequence[str],
    fits: Callable[[Sequence[str]], bool],
    what: str,
) -> str:
    there = dict.fromkeys(name for session in sessions for name in session)
    for name in usual:
        if name in there:
            return name
    found = [
        name
        for name in there
        if name not in _OTHERS
        and all(isinstance(session.get(name), str) for session in sessions)
        and fits([str(session[name]) for session in sessions])
    ]
    if len(found) == 1:
        return found[0]
    raise InputError(f"sessions have no field that must be the {what}: {', '.join(there)}")
