"""Whether the renditions of a clip differ in their cue alone, as far as samples can tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.audio import FULL_SCALE, to_float, to_pcm
from voxmem.speech.levels import active_power, rms
from voxmem.vocabulary import NEUTRAL

MOST_STEPS = 1.0
"""Steps of 16 bits by which a mix may differ from one that is made anew from its stored stem."""
SNR_TOLERANCE_DB = 0.1


def check_pair(spoken: Spoken) -> Iterator[Check]:
    """``pair``: the files that the clip must have are there and are not one another, and what a
    listener is given is the stem, under the sound of its row and through the studio's channel
    (``value``: the largest difference, in steps of 16 bits). ``snr``: by how many decibels the
    speech is louder than the sound, with the studio's ratio as threshold."""
    clip, problem = spoken.clip, _lacking(spoken)
    if problem or clip.stem_sha256 is None:
        yield spoken.row("pair", not problem, detail=problem)
        return
    made = to_float(spoken.studio.primary(clip.spec, to_pcm(spoken.stem), clip.take))
    steps = float(np.abs(spoken.primary - made).max() * FULL_SCALE)
    yield spoken.row("pair", steps <= MOST_STEPS, steps, MOST_STEPS)
    # After a channel, speech and sound cannot be told apart any more.
    if clip.spec.sound is not None and not spoken.studio.effects.on_channel:
        yield _snr(spoken)


def _snr(spoken: Spoken) -> Check:
    speech = np.float32(spoken.clip.gain) * spoken.stem
    wanted, loudness = spoken.studio.snr_db, rms(spoken.primary - speech)
    if not loudness:
        return spoken.row("snr", False, threshold=wanted, detail="the mix has no sound in it")
    measured = float(10 * np.log10(active_power(speech) / loudness**2))
    passed = abs(measured - wanted) <= SNR_TOLERANCE_DB
    return spoken.row("snr", passed, measured, wanted)


def _lacking(spoken: Spoken) -> str:
    """What is wrong with the files themselves; empty if nothing is."""
    clip = spoken.clip
    cued, mixed = clip.spec.delivery != NEUTRAL, clip.spec.sound is not None
    if (cued or mixed) and clip.pair_sha256 is None:
        return "the rendition without its cue is missing"
    if not (cued or mixed) and clip.pair_sha256 is not None:
        return "a clip without a cue has a pair"
    if clip.pair_sha256 == clip.sha256:
        return "the pair is the primary rendition itself"
    if not (mixed or spoken.studio.effects.on_channel):
        return ""
    if clip.stem_sha256 is None:
        return "the stem is missing"
    if cued and clip.stem_sha256 == clip.pair_sha256:
        return "the stem has no cue"
    if spoken.stem.shape != spoken.primary.shape:
        return f"stem {spoken.stem.size}, mix {spoken.primary.size} samples"
    return ""
