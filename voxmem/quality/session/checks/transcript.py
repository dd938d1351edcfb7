"""Whether a recogniser hears the turn's words in the clean speech."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import is_short
from voxmem.quality.hearing.words import word_error_rate
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check

MOST_WRONG = 0.1
"""Word error rate of speech that is too long to be scored at once."""


def check_transcript(spoken: Spoken) -> Iterator[Check]:
    """``value``: log P(the turn's words) − log P(what the recogniser hears), nats."""
    if not is_short(spoken.stem):
        yield _long(spoken)
        return
    heard, least = spoken.heard, threshold("transcript")
    yield spoken.row(
        "transcript", heard.margin >= least, heard.margin, least,
        judged_by(listen.TRANSCRIBER), heard.text,
    )  # fmt: skip


def _long(spoken: Spoken) -> Check:
    heard = listen.transcribe(spoken.stem)
    rate = word_error_rate(spoken.clip.spec.text, heard)
    return spoken.row("transcript", rate <= MOST_WRONG, rate, MOST_WRONG, listen.TRANSCRIBER, heard)
