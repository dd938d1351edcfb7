"""Whether the measured checks catch what they are for, on clips with faults put into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from voxmem import keys
from voxmem.quality.calibration.curves import GOOD, curve, fixed
from voxmem.quality.calibration.measurement import Measured, trials
from voxmem.quality.calibration.records import Curve
from voxmem.quality.calibration.speaking import delivery_of, speak, turn_of, with_file
from voxmem.quality.calibration.texts import Half, sentence
from voxmem.quality.session.checks.clipping import check_clipping
from voxmem.quality.session.checks.duration import check_duration
from voxmem.quality.session.checks.level import check_level
from voxmem.quality.session.checks.pair import check_pair
from voxmem.quality.session.checks.silence import check_silence
from voxmem.quality.session.spoken import RULE, Spoken
from voxmem.records import Check, ClipSpec
from voxmem.speech.engine import Audio
from voxmem.speech.studio import Studio

Rule = Callable[[Spoken], Iterator[Check]]


class Fault(NamedTuple):
    """Something that can be wrong with a clip."""

    name: str
    check: str
    """The check that must catch it."""
    by: Rule
    make: Callable[[Spoken, int], Spoken]
    """The clip with the fault; the number draws what is drawn."""


def quiet(spoken: Spoken, number: int) -> Spoken:
    """The speech 24 dB down."""
    return with_file(spoken, "stem_sha256", spoken.stem * np.float32(10 ** (-24 / 20)))


def clipped(spoken: Spoken, number: int) -> Spoken:
    """Twice as loud as fits, cut off; every other one lowered afterwards."""
    peak = np.abs(spoken.primary).max()
    cut = np.clip(spoken.primary * (2 / peak), -1, 32767 / 32768)
    lowered = (cut * (0.7 if number % 2 else 1)).astype(np.float32)
    return with_file(spoken, "sha256", lowered)


def noise(spoken: Spoken, number: int) -> Spoken:
    """Noise where the words should be, as loud as they are."""
    rng = keys.numpy_rng("noise", number)
    made = rng.standard_normal(spoken.stem.size).astype(np.float32)
    silent = round(spoken.studio.edge_seconds * 24_000)
    made[:silent] = made[made.size - silent :] = 0
    return with_file(spoken, "stem_sha256", made * np.float32(0.05))


def cut_short(spoken: Spoken, number: int) -> Spoken:
    """The last two thirds of the words are missing."""
    return with_file(spoken, "stem_sha256", _kept(spoken.stem, 0.36))


def other_sound(spoken: Spoken, number: int) -> Spoken:
    """The mix has another sound than its row says."""
    events = [name for name in spoken.studio.sounds.events if name != spoken.clip.spec.sound]
    spec = spoken.clip.spec.model_copy(update={"sound": turn_of(events, number)})
    return with_file(spoken, "sha256", speak(spoken.studio, spec).primary)


def louder_sound(spoken: Spoken, number: int) -> Spoken:
    """The sound three decibels up or down."""
    gain = np.float32(spoken.clip.gain)
    sound = spoken.primary - gain * spoken.stem
    factor = np.float32(10 ** ((3 if number % 2 else -3) / 20))
    made = np.asarray(gain * spoken.stem + factor * sound, dtype=np.float32)
    down = np.float32(min(1.0, 0.98 / float(np.abs(made).max())))
    lowered = np.asarray(made * down, dtype=np.float32)
    return with_file(spoken, "sha256", lowered, gain=float(gain * down))


FAULTS: tuple[Fault, ...] = (
    Fault("24 dB too quiet", "level", check_level, quiet),
    Fault("clipped mix", "clipping", check_clipping, clipped),
    Fault("noise instead of words", "silence", check_silence, noise),
    Fault("two thirds of the words missing", "duration", check_duration, cut_short),
    Fault("another sound in the mix", "pair", check_pair, other_sound),
    Fault("SNR off by 3 dB", "snr", check_pair, louder_sound),
)


@dataclass(frozen=True)
class Rules:
    """The checks that measure, on clips with a sound and often a delivery."""

    name: str = "rules"
    judge: str = RULE
    sentences: int = 100

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        spoken = speak(studio, _spec(studio, half, number))
        for fault in FAULTS:
            for name, clip in ((GOOD, spoken), (fault.name, fault.make(spoken, number))):
                passed = next(row.passed for row in fault.by(clip) if row.check == fault.check)
                yield Measured(
                    check=fault.check, half=half, number=number, fault=name, value=float(passed)
                )

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        for check in dict.fromkeys(row.check for row in rows):
            yield curve(
                check, trials(rows, check), fixed(1.0),
                judge=self.judge, described="by definition: 1 passes, 0 fails", is_fixed=True,
            )  # fmt: skip


def _spec(studio: Studio, half: Half, number: int) -> ClipSpec:
    return ClipSpec(
        text=sentence(half, number).text,
        voice=turn_of(studio.engine.voices, number),
        delivery=delivery_of(studio, number),
        sound=turn_of(studio.sounds.events, number),
        seed=keys.seed("calibration", half, number) % 2**31,
    )


def _kept(audio: Audio, share: float) -> Audio:
    out = audio.copy()
    out[round(audio.size * share) :] = 0
    return out
