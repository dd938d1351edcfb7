"""Which deliveries are taken for each other by a listener who knows the voice but has no pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.quality.calibration.deliveries import rendered
from voxmem.quality.calibration.texts import HALVES, Half, sentence
from voxmem.quality.hearing.prosody import measure
from voxmem.speech.engine import Audio, SpeechEngine
from voxmem.speech.estimate import estimate_seconds
from voxmem.vocabulary import NEUTRAL

OFTEN = 0.1
"""Share of renditions of either delivery from which on a pair is confused."""

Features = NDArray[np.float64]


class Naming(NamedTuple):
    """What was named what."""

    right: float
    """Share of renditions that got their name, neutral ones among them."""
    confused: dict[tuple[str, str], float]
    """Two deliveries in alphabetical order → the larger share of one that was named the other."""

    @property
    def often(self) -> list[tuple[str, str]]:
        """Pairs that must not stand in one closed answer set."""
        return [pair for pair, share in self.confused.items() if share > OFTEN]


def name_deliveries(
    engine: SpeechEngine, voices: Sequence[str], sentences: int, halves: Sequence[Half] = HALVES
) -> Naming:
    """Names renditions by the nearest mean: of measures against the voice's mean neutral ones.

    Args:
        sentences: Of each voice and half. Means are of the first half's, names of the second's.
    """
    known, asked = (list(_heard(engine, voices, half, sentences)) for half in halves)
    labels = np.array([label for label, _ in known])
    rows = np.stack([row for _, row in known])
    names = list(dict.fromkeys(labels.tolist()))
    means = np.stack([rows[labels == name].mean(axis=0) for name in names])
    inside = rows - means[[names.index(label) for label in labels]]
    scale = np.sqrt(np.square(inside).mean(axis=0))
    counts: Counter[tuple[str, str]] = Counter()
    for label, row in asked:
        nearest = int(np.square((means - row) / scale).sum(axis=1).argmin())
        counts[label, names[nearest]] += 1
    return Naming(
        sum(counts[name, name] for name in names) / len(asked),
        _confused(counts, [name for name in names if name != NEUTRAL]),
    )


def _confused(
    counts: Counter[tuple[str, str]], names: Sequence[str]
) -> dict[tuple[str, str], float]:
    totals = Counter[str]()
    for (label, _), count in counts.items():
        totals[label] += count
    shares = {
        (one, other): max(
            counts[one, other] / totals[one],
            counts[other, one] / totals[other],
        )
        for one in sorted(names)
        for other in sorted(names)
        if one < other
    }
    return {pair: share for pair, share in shares.items() if share > 0}


def _heard(
    engine: SpeechEngine, voices: Sequence[str], half: Half, sentences: int
) -> Iterator[tuple[str, Features]]:
    for place, voice in enumerate(voices):
        texts = [sentence(half, place * sentences + number).text for number in range(sentences)]
        rows = [
            (delivery, _features(engine.render(text, voice, delivery, seed).audio, text))
            for text in texts
            for seed in [keys.seed("named delivery", half, text)]
            for delivery in (NEUTRAL, *rendered(engine))
        ]
        neutral = np.mean([row for delivery, row in rows if delivery == NEUTRAL], axis=0)
        yield from ((delivery, row - neutral) for delivery, row in rows)


def _features(audio: Audio, text: str) -> Features:
    """Measures that a text's length hardly changes."""
    of = measure(audio)
    spoken = of.seconds - of.pause_seconds
    return np.array(
        [
            math.log2(of.f0_hz) if of.f0_hz > 0 else 7.0,
            math.log2(max(of.f0_spread, 0.02)) if of.f0_spread > 0 else -2.0,
            math.log2(of.f0_end_hz) if of.f0_end_hz > 0 else 7.0,
            of.level_db,
            math.log2(spoken / estimate_seconds(text, edge_seconds=0.0)),
            math.sqrt(of.pause_seconds / of.seconds),
            of.voicing,
            of.tilt_db,
        ]
    )
