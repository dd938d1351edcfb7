"""Whether the speech is as loud as speech of its delivery may be."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.levels import NOMINAL_DB, active_level_db

LEVELS_DB = (NOMINAL_DB - 17.0, NOMINAL_DB + 11.0)
"""Active level of the speech, dB against full scale: from a quiet whisper to an excited call."""


def check_level(spoken: Spoken) -> Iterator[Check]:
    """``value``: the active level of the clean speech; ``threshold``: the bound that is nearer."""
    level = active_level_db(spoken.stem)
    low, high = LEVELS_DB
    near = min(LEVELS_DB, key=lambda bound: abs(bound - level))
    detail = "" if low <= level <= high else "too quiet" if level < low else "too loud"
    yield spoken.row("level", not detail, level, near, detail=detail)
