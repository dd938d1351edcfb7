"""What both sides are held against: leaks, told in words that a model can act on."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from voxmem.dialogue.leakage import find_leaks
from voxmem.records import Session

_PLAIN = str.maketrans("‘’“”", "''\"\"")
_LEAKS = {
    "delivery": "tells of a mood or a manner of speaking",
    "sound": "tells of a sound",
    "place": "tells of a place",
    "identity": "tells who is speaking",
    "change": "announces a change",
    "wording": "fits some moods better than others",
    "time": "means something else on another day",
    "date": "is a date that was not given",
    "style": "is no plain punctuation or wording",
    "value": "states a value that is not among the facts, or states one twice",
    "confirm": "repeats or confirms what was said",
}


class Reply(BaseModel):
    """Base of what a model hands back."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def leak_faults(session: Session) -> Iterator[str]:
    """Every leak in a session's words."""
    for leak in find_leaks(session):
        where = f"turn {leak.turn + 1}: " if len(session.turns) > 1 else ""
        yield where + leak_fault(leak.channel, leak.found)


def leak_fault(channel: str, found: str) -> str:
    """One leak: what was found, and why it may not be said."""
    return f'"{found}" {_LEAKS.get(channel, f"gives away: {channel}")}'


def clean(text: str) -> str:
    """The text in one line, with plain quotation marks."""
    return " ".join(text.translate(_PLAIN).split())
