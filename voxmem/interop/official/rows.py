"""One row of the published layout, as anybody's reader gives it, to an item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from voxmem.errors import InputError
from voxmem.interop.official.fields import id_field, role_field
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.layout import COLUMNS
from voxmem.interop.official.spellings import EXPECTED, ROLES, TURN_ROLES, spelled

KeepAudio = Callable[[Any], str | None]
"""Stores what a column of audio holds; returns its SHA-256."""
_MINUTE = "%Y-%m-%d %H:%M"


def parsed(
    row: Mapping[str, Any], where: str, keep: KeepAudio, note: Callable[[str], None]
) -> OfficialItem:
    """The item of a row, its audio kept.

    Args:
        where: The file and row, for messages about a row without an id.
        note: Is told what is odd and leaves nothing out.

    Raises:
        InputError: The row contradicts itself, or has a value that decides something and is not
            known. It names the item.
    """
    name = row.get("item_id") or where
    try:
        item = OfficialItem.model_validate(
            {column: row.get(column) for column in COLUMNS}
            | _unsaid(row, note)
            | {
                "question_audio": keep(row.get("question_audio")),
                "query_timestamp": _moment(row.get("query_timestamp")),
                "expected_response": _expected(row.get("expected_response")),
                "sessions": _sessions(row, keep, note),
            }
        )
        _check_counts(item)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise _wrong(name, f"{field}: {first['msg']}") from error
    except InputError as error:
        raise _wrong(name, error.message) from error
    return item


def _unsaid(row: Mapping[str, Any], note: Callable[[str], None]) -> dict[str, object]:
    """Values for names that are lacking and decide nothing but how results are grouped."""
    stands_for = {"answer_normalization": "", "benchmark_version": "", "family_id": None}
    found: dict[str, object] = {}
    for name, value in stands_for.items():
        if row.get(name) is None:
            note(f"rows without a {name}")
            found[name] = row.get("question_id") if value is None else value
    return found


def _wrong(name: object, what: str) -> InputError:
    return InputError(what, item=str(name), stage="import")


def _expected(value: object) -> object:
    known = spelled(EXPECTED, value)
    if known is None:
        raise InputError(
            f"expected_response is {value!r}, and must be one of: {', '.join(EXPECTED)}"
        )
    return known


def _moment(value: object) -> object:
    return value.strftime(_MINUTE) if isinstance(value, datetime) else value


def _sessions(
    row: Mapping[str, Any], keep: KeepAudio, note: Callable[[str], None]
) -> list[dict[str, Any]]:
    sessions = [session for session in row.get("sessions") or () if session]
    if not sessions:
        return []
    name = id_field(sessions, row.get("evidence_session_ids") or ())
    role = role_field(sessions)
    return [
        {
            "session_id": session.get(name),
            "timestamp": _moment(session.get("timestamp")),
            "role": spelled(ROLES, session.get(role)) or _no_role(session, name, role),
            "turns": [_turn(turn, keep, note) for turn in session.get("turns") or () if turn],
        }
        for session in sessions
    ]


def _no_role(session: Mapping[str, Any], name: str, role: str) -> str:
    raise InputError(
        f"session {session.get(name)}: the role {session.get(role)!r} is none of: "
        f"{', '.join(dict.fromkeys(ROLES.values()))}"
    )


def _turn(turn: Mapping[str, Any], keep: KeepAudio, note: Callable[[str], None]) -> dict[str, Any]:
    audio = turn.get("audio")
    role = spelled(TURN_ROLES, turn.get("role")) or turn.get("role")
    if role == "assistant":
        if audio is not None and audio != {"bytes": None, "path": None}:
            note("assistant turns with audio, which no model is given")
        audio = None
    text = turn.get("text")
    return {"role": role, "text": "" if text is None else text, "audio": keep(audio)}


def _check_counts(item: OfficialItem) -> None:
    """Histories that lack a session, or have one more, are not those that were published."""
    roles = Counter(session.role for session in item.sessions)
    counted = {
        "session_count": (item.session_count, len(item.sessions)),
        "evidence_session_count": (item.evidence_session_count, roles["evidence"]),
        "filler_session_count": (item.filler_session_count, roles["filler"]),
        "topical_haystack_session_count": (
            item.topical_haystack_session_count,
            roles["topical_haystack"],
        ),
        "samekey_haystack_session_count": (
            item.samekey_haystack_session_count,
            roles["samekey_haystack"],
        ),
    }
    wrong = [
        f"{name} is {said}, and there are {found}"
        for name, (said, found) in counted.items()
        if said != found
    ]
    if wrong:
        raise InputError("; ".join(wrong))
