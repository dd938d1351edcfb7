"""Whether the renditions of a clip differ in their cue alone, as far as samples can tell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.audio import to_pcm
from voxmem.speech.engine import Audio
from voxmem.speech.levels import active_power, rms
from voxmem.speech.studio import NEUTRAL

MOST_STEPS = 1.0
"""Steps of 16 bits by which a mix may differ from one that is made anew from its stored stem."""
SNR_TOLERANCE_DB = 0.1


def check_pair(spoken: Spoken) -> Iterator[Check]:
    """``pair``: the files that the clip must have are there and are not one another, and a mix is
    its stem under the sound of its row (``value``: the largest difference, in steps of 16 bits).
    ``snr``: how much louder than the sound the speech is, in dB, with the studio's as threshold."""
    problem = _lacking(spoken)
    if problem or spoken.clip.spec.sound is None:
        yield spoken.row("pair", not problem, detail=problem)
        return
    gain = np.float32(spoken.clip.gain)
    sound = spoken.primary - gain * spoken.stem
    made, _, _ = spoken.studio.mix(spoken.clip.spec, to_pcm(spoken.stem), spoken.clip.take)
    steps = float(np.abs(sound - gain * made.sound_scaled).max() * 32768)
    # A float of 1.0000001 steps is a step.
    yield spoken.row("pair", steps <= MOST_STEPS + 1e-3, steps, MOST_STEPS)
    yield _snr(spoken, gain * spoken.stem, sound)


def _snr(spoken: Spoken, speech: Audio, sound: Audio) -> Check:
    wanted, loudness = spoken.studio.snr_db, rms(sound)
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
    if not mixed:
        return ""
    if clip.stem_sha256 is None:
        return "the stem is missing"
    if cued and clip.stem_sha256 == clip.pair_sha256:
        return "the stem has no cue"
    if spoken.stem.shape != spoken.primary.shape:
        return f"stem {spoken.stem.size}, mix {spoken.primary.size} samples"
    return ""
