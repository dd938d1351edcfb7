"""Whether the rendition without the cue has the same words in the same voice, to those who listen.

What passes by samples may still be other speech, where an engine renders pairs one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import is_short
from voxmem.quality.hearing.speakers import likeness, spoken_seconds
from voxmem.quality.session.checks.speaker import condition_of
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check


def check_pair_speech(spoken: Spoken) -> Iterator[Check]:
    """``pair words``: the margin of the text in the pair, as in ``transcript``. ``pair voice``: by
    how much the centroid of the clip's voice is nearer to the pair than any other, as in ``other
    speaker``."""
    if not spoken.is_cued:
        return
    if is_short(spoken.pair):
        heard, least = spoken.heard_pair, threshold("transcript")
        yield spoken.row(
            "pair words", heard.margin >= least, heard.margin, least,
            judged_by(listen.TRANSCRIBER), heard.text,
        )  # fmt: skip
    pair = likeness(listen.voice_embedding(spoken.pair), spoken.clip.spec.voice, spoken.centroids)
    least = threshold("other speaker", condition_of(spoken_seconds(spoken.pair)))
    yield spoken.row(
        "pair voice", pair.lead >= least, pair.lead, least, judged_by(listen.SPEAKER_MODEL),
        f"nearest other voice {pair.nearest_other}",
    )  # fmt: skip
