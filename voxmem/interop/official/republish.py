"""The items of an imported release as they were published."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.configs import tokens
from voxmem.interop.official.item import OfficialItem, OfficialSession, OfficialTurn
from voxmem.interop.official.publish import ITEMS
from voxmem.interop.official.records import PublishedItem
from voxmem.interop.official.spellings import EVIDENCE, ROLES, plain
from voxmem.records import History

_MINUTE = "%Y-%m-%d %H:%M"


def published_columns(rows: ReleaseRows) -> list[PublishedItem]:
    """The columns of every item, one config after the other."""
    held = rows.root.tables.read(ITEMS, PublishedItem, rows.release.tables[ITEMS].parts)
    order = list(EVIDENCE)
    return sorted(
        held, key=lambda one: (tokens(one.context_length), order.index(plain(one.evidence_type)))
    )


def published_items(rows: ReleaseRows) -> Iterator[OfficialItem]:
    """Every item with its history, one config after the other."""
    histories = {history.item_id: history for history in rows.histories}
    for columns in published_columns(rows):
        values = {name: getattr(columns, name) for name in OfficialItem.model_fields}
        sessions = _sessions(rows, histories[columns.item_id], columns.session_ids)
        yield OfficialItem.model_validate(values | {"sessions": tuple(sessions)})


def _sessions(
    rows: ReleaseRows, history: History, names: tuple[str, ...]
) -> Iterator[OfficialSession]:
    for place, name in zip(history.placements, names, strict=True):
        session = rows.sessions[place.session_id]
        clips = iter(rows.turn_clip(session, at).sha256 for at in range(len(session.user_turns)))
        yield OfficialSession(
            session_id=name,
            timestamp=place.timestamp.strftime(_MINUTE),
            role=ROLES[place.role],
            turns=tuple(
                OfficialTurn(
                    role=turn.role,
                    text=turn.text,
                    audio=next(clips) if turn.role == "user" else None,
                )
                for turn in session.turns
            ),
        )
