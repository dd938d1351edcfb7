"""Whether words are heard that nobody was to say: a control token read aloud, a sentence twice."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import is_short
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check


def check_added_words(spoken: Spoken) -> Iterator[Check]:
    """``value``: words heard beyond those of the text, below 0 so that more is worse."""
    if not is_short(spoken.stem):
        return
    heard, least = spoken.heard, threshold("added words")
    value = float(-heard.added)
    yield spoken.row(
        "added words", value >= least, value, least, judged_by(listen.TRANSCRIBER), heard.text
    )
