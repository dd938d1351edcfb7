"""A conversation as the page of an error shows it: what was said, by whom, how, over what."""

from __future__ import annotations

from typing import Any

from voxmem.analyze.attribution.markup import MARKS, speaker_numbers
from voxmem.analyze.labels import moment
from voxmem.errors import InputError
from voxmem.evaluate.items import IMPORTED_CLIPS, ReleaseRows
from voxmem.models.item import Item
from voxmem.records import (
    AskedQuestion,
    Cue,
    History,
    ImportedClip,
    Placement,
    Question,
    Session,
    StoredClip,
    Turn,
)
from voxmem.vocabulary import SOUNDS

_SILENT = StoredClip(sha256="", samples=0)
_KINDS = {"WAV": "audio/wav", "FLAC": "audio/flac", "MP3": "audio/mpeg", "OGG": "audio/ogg"}


def item_of(rows: ReleaseRows, history: History) -> Item:
    """An item to be read: its clips are not needed, and a release of text alone has none."""
    return Item(
        question=rows.asked[history.question_id],
        history=history,
        sessions=rows.sessions,
        clips={},
        question_clip=_SILENT,
        read_audio=rows.root.objects.get,
    )


def conversation(rows: ReleaseRows, history: History) -> dict[str, Any]:
    """The sessions in their order, each with its number, and who asks."""
    item = item_of(rows, history)
    numbers = speaker_numbers(item)
    question = item.question
    asker = numbers.get(question.asker) if isinstance(question, Question) else None
    return {
        "asked": moment(question.query_timestamp),
        "asker": f"Speaker {asker}" if asker else "",
        "question_audio": _sha(question_clip(rows, question)),
        "sessions": [
            _session(rows, at, place, numbers)
            for at, place in enumerate(history.placements, start=1)
        ],
    }


def audible(rows: ReleaseRows, history: History) -> dict[str, str]:
    """SHA-256 → media type of all that can be heard of an item."""
    clips = [question_clip(rows, rows.asked[history.question_id])]
    for place in history.placements:
        session = rows.sessions[place.session_id]
        clips += [turn_clip(rows, session, at) for at in range(len(session.user_turns))]
    return {clip.sha256: _kind(clip) for clip in clips if clip is not None}


def turn_clip(rows: ReleaseRows, session: Session, at: int) -> StoredClip | None:
    """The clip of a user turn, counted from 0; ``None``: the release has none."""
    try:
        return rows.turn_clip(session, at) if _is_spoken(rows) else None
    except InputError:
        return None


def question_clip(rows: ReleaseRows, question: AskedQuestion) -> StoredClip | None:
    """The clip of a question; ``None``: the release has none."""
    try:
        return rows.question_clip(question) if _is_spoken(rows) else None
    except InputError:
        return None


def _is_spoken(rows: ReleaseRows) -> bool:
    return bool({"clips", IMPORTED_CLIPS} & rows.release.tables.keys())


def _kind(clip: StoredClip) -> str:
    container = clip.container.upper() if isinstance(clip, ImportedClip) else "FLAC"
    return _KINDS.get(container, f"audio/{container.lower()}")


def _sha(clip: StoredClip | None) -> str | None:
    return clip.sha256 if clip else None


def _session(
    rows: ReleaseRows, number: int, place: Placement, numbers: dict[str, int]
) -> dict[str, Any]:
    session = rows.sessions[place.session_id]
    sounds = dict.fromkeys(turn.sound for turn in session.user_turns if turn.sound)
    spoken = iter(range(len(session.user_turns)))
    return {
        "number": number,
        "time": moment(place.timestamp),
        "mark": MARKS[place.role].lower(),
        "topic": session.topic,
        "sounds": [[event, *SOUNDS.get(event, ())] for event in sounds],
        "turns": [
            _assistant(turn)
            if turn.role == "assistant"
            else _user(turn, numbers, _sha(turn_clip(rows, session, next(spoken))))
            for turn in session.turns
        ],
    }


def _assistant(turn: Turn) -> dict[str, Any]:
    return {"who": "Assistant", "text": turn.text, "cues": [], "audio": None}


def _user(turn: Turn, numbers: dict[str, int], sha: str | None) -> dict[str, Any]:
    number = numbers.get(turn.speaker or "")
    return {
        "who": f"Speaker {number}" if number else "User",
        "text": turn.text,
        "cues": [_cue(cue, turn) for cue in turn.cues],
        "audio": sha,
    }


def _cue(cue: Cue, turn: Turn) -> list[str]:
    """The cue, and the phrase that it is on; "" for the whole turn."""
    return [cue.value, turn.text[slice(*cue.span)] if cue.span else ""]
