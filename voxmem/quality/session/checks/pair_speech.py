"""Whether the rendition without the cue has the same words in the same voice, to those who listen.

What passes by samples may still be other speech, where an engine renders pairs one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import is_short
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check


def check_pair_speech(spoken: Spoken) -> Iterator[Check]:
    """``pair words``: the margin of the text in the pair, as in ``transcript``. ``pair voice``: the
    cosine of the embeddings of the two renditions."""
    if not spoken.is_cued:
        return
    if is_short(spoken.pair):
        heard, least = spoken.heard_pair, threshold("transcript")
        yield spoken.row(
            "pair words", heard.margin >= least, heard.margin, least,
            judged_by(listen.TRANSCRIBER), heard.text,
        )  # fmt: skip
    alike = float(listen.voice_embedding(spoken.pair) @ listen.voice_embedding(spoken.clean))
    least = threshold("pair voice", spoken.clip.spec.delivery)
    yield spoken.row("pair voice", alike >= least, alike, least, judged_by(listen.SPEAKER_MODEL))
