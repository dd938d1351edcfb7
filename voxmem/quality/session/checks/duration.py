"""Whether the clip is as long as its row says, and about as long as its words take."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.levels import speech_bounds

RATIOS = (0.5, 1.9)
"""Speech against what its text takes on the average: wide, for engines differ in pace."""
LONGEST_SECONDS = 60.0


def check_duration(spoken: Spoken) -> Iterator[Check]:
    """``value``: seconds from the first to the last sound over those estimated from the text;
    ``threshold``: the bound that is nearer."""
    clip, spec = spoken.clip, spoken.clip.spec
    start, end = speech_bounds(spoken.stem)
    seconds = (end - start) / SAMPLE_RATE
    ratio = seconds / estimate_seconds(spec.text, spec.delivery, edge_seconds=0.0)
    near = min(RATIOS, key=lambda bound: abs(bound - ratio))
    problems = [
        text
        for wrong, text in (
            (
                spoken.primary.size != clip.samples,
                f"{spoken.primary.size} samples, not {clip.samples}",
            ),
            (
                spoken.primary.size > LONGEST_SECONDS * SAMPLE_RATE,
                f"longer than {LONGEST_SECONDS:g} s",
            ),
            (not RATIOS[0] <= ratio <= RATIOS[1], f"{seconds:.2f} s of speech"),
        )
        if wrong
    ]
    yield spoken.row("duration", not problems, ratio, near, detail="; ".join(problems))
