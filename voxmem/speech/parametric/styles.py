"""Deliveries of a whole turn, as edits of the frames that speak the neutral rendition."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from voxmem.errors import UsageError
from voxmem.speech.parametric.frames import (
    FRAME_SECONDS,
    Array,
    Frames,
    bin_frequencies,
    breathe,
    intone,
    lift_end,
    mean_f0,
    select,
    shape,
    stretch,
)

_DB = 1 / 8.685889638  # nepers in a decibel


@dataclass(frozen=True)
class Pauses:
    """Silences put between words. Clause ends come first; the rest are drawn."""

    words_per_pause: float
    at_least: int
    seconds: tuple[float, float]
    drawl: float = 1.0
    """How much longer the last tenth of a second before a pause is held."""


@dataclass(frozen=True)
class Style:
    """One delivery, relative to the voice's neutral."""

    rate: float = 1.0
    pitch: float = 1.0
    span: float = 1.0
    """Factor of the F0 range around the utterance's own mean."""
    rise: float = 1.0
    """Factor of F0 at the end, to which it rises in the last half."""
    gain_db: float = 0.0
    """Active level against the neutral rendition's, once all else is done."""
    tilt_db: float = 0.0
    """Decibels an octave, around 500 Hz, at most 15 dB."""
    breath: float | None = None
    """Nepers of breath noise against the harmonics' envelope."""
    harmonics: bool = True
    pauses: Pauses | None = None


STYLES: dict[str, Style] = {
    "neutral": Style(),
    "confident": Style(rate=1.04, pitch=0.9, span=1.1, gain_db=3.5, tilt_db=1.0),
    "excited": Style(rate=1.06, pitch=1.22, span=1.6, gain_db=4.0, tilt_db=1.0),
    "hesitant": Style(pauses=Pauses(3.0, 2, (0.22, 0.42), drawl=2.0)),
    "monotone": Style(span=0.04),
    "reflective": Style(
        rate=0.86, pitch=0.95, span=0.85, gain_db=-1.5, pauses=Pauses(7.0, 1, (0.45, 0.65), 1.6)
    ),
    "sad": Style(rate=0.88, pitch=0.9, span=0.45, gain_db=-4.5, tilt_db=-2.5, breath=-3.2),
    "surprised": Style(pitch=1.12, span=1.0, rise=1.55, gain_db=0.5),
    "tense": Style(pitch=1.06, span=0.8, gain_db=-1.0, tilt_db=4.5),
    "whispered": Style(gain_db=-5.0, tilt_db=2.5, breath=-0.6, harmonics=False),
    "fast": Style(rate=1.22),
    "slow": Style(rate=0.74),
    "emphatic": Style(rate=0.88, pitch=1.12, span=1.35, gain_db=3.0),
}
"""Delivery → style; ``neutral`` and what the engine renders of ``vocabulary.DELIVERIES``."""


def get_style(delivery: str) -> Style:
    """The style of a delivery.

    Raises:
        UsageError: There is none.
    """
    if delivery not in STYLES:
        raise UsageError(
            f"there is no delivery {delivery!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(STYLES)}",
        )
    return STYLES[delivery]


def described(style: Style) -> str:
    """The style in words and numbers, against the voice's neutral."""
    factors = (
        ("rate", style.rate), ("F0", style.pitch), ("F0 range", style.span),
        ("F0 at the end", style.rise),
    )  # fmt: skip
    changes = [f"{what} ×{factor:g}" for what, factor in factors if factor != 1.0]
    changes += [f"level {style.gain_db:+g} dB"] if style.gain_db else []
    changes += [f"tilt {style.tilt_db:+g} dB an octave"] if style.tilt_db else []
    if not style.harmonics:
        changes.append("breath in place of harmonics")
    elif style.breath is not None:
        changes.append("breath")
    if style.pauses is not None:
        low, high = style.pauses.seconds
        changes.append(
            f"a pause of {low:g} to {high:g} s every {style.pauses.words_per_pause:g} words"
        )
    return ", ".join(changes)


def realise(frames: Frames, style: Style, rng: random.Random) -> Frames:
    """The frames as the style has them, but for its level, which is set on the waveform."""
    if style.rate != 1.0:
        frames = stretch(frames, 1 / style.rate)
    if style.pitch != 1.0 or style.span != 1.0:
        frames = intone(frames, mean_f0(frames) or 150.0, style.pitch, style.span)
    if style.rise != 1.0:
        frames = lift_end(frames, style.rise)
    if style.breath is not None:
        frames = breathe(frames, style.breath, style.harmonics)
    if style.tilt_db:
        frames = shape(frames, tilt(style.tilt_db))
    if style.pauses is not None:
        frames = _pause(frames, style.pauses, rng)
    return frames


def tilt(db_per_octave: float) -> Array:
    """The nepers of a spectral tilt around 500 Hz at every bin, [601]."""
    octaves = np.log2(np.maximum(bin_frequencies(), 60.0) / 500.0)
    return np.asarray(np.clip(db_per_octave * octaves, -15.0, 15.0) * _DB, dtype=np.float32)


def _pause(frames: Frames, pauses: Pauses, rng: random.Random) -> Frames:
    wanted = max(pauses.at_least, round((len(frames.words) + 1) / pauses.words_per_pause))
    clauses = list(frames.clauses)
    others = [mark for mark in frames.words if mark not in frames.clauses]
    chosen = clauses[:wanted] + _spread(others, wanted - len(clauses[:wanted]), rng)
    pieces: list[np.ndarray] = []
    start = 0
    for mark in sorted(chosen):
        held = min(round(0.1 / FRAME_SECONDS), mark - start)
        pieces.append(np.arange(start, mark - held))
        drawn_out = np.linspace(mark - held, mark, round(held * pauses.drawl), endpoint=False)
        pieces.append(drawn_out.astype(np.intp))
        silence = round(rng.uniform(*pauses.seconds) / FRAME_SECONDS)
        pieces.append(np.full(silence, -1, dtype=np.intp))
        start = mark
    pieces.append(np.arange(start, frames.count))
    return select(frames, np.concatenate(pieces).astype(np.intp))


def _spread(marks: list[int], count: int, rng: random.Random) -> list[int]:
    """``count`` of the marks, one drawn from each of as many equal stretches of them."""
    count = min(max(count, 0), len(marks))
    bounds = [round(step * len(marks) / count) for step in range(count + 1)] if count else []
    return [marks[rng.randrange(a, b)] for a, b in pairwise(bounds)]
