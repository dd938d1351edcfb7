"""Which clips are heard: drawn by risk, in a way that lets rates of all clips be estimated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.keys import key, rng
from voxmem.quality.audit.source import ClipSource
from voxmem.quality.calibration.records import Calibration
from voxmem.records import Check, Clip

COUNT = 200
"""Clips of a queue."""
UNIFORM = 0.25
"""Share of the queue that is drawn whatever its risk, so that no clip is out of reach."""


class Queued(NamedTuple):
    """One clip of a queue."""

    clip_id: str
    probability: float
    """That the clip is drawn at all."""


def draw(source: ClipSource, calibration: Calibration, count: int = COUNT) -> list[Queued]:
    """The queue of a source, in the order in which it is heard; all clips if there are no more.

    A clip is wanted with the probability ``count * (UNIFORM / clips + (1 - UNIFORM) * its share of
    all risk)``, at most 1. Which ones are taken is decided by Pareto sampling (Rosén, 1997), that
    is, by a number that follows from seed and clip id: a clip more or less changes little. The
    order has nothing to do with risk, so that a queue heard in part is a smaller sample.
    """
    names = sorted(source.clips)
    weights = risks(source, calibration)
    risk = np.array([weights[name] for name in names])
    wanted = UNIFORM / len(names) + (1 - UNIFORM) * risk / risk.sum()
    probability = _inclusion(wanted, min(count, len(names)))
    numbers = np.array([rng("audit", source.seed, name).random() for name in names])
    with np.errstate(divide="ignore"):
        ranks = numbers / (1 - numbers) * (1 - probability) / probability
    taken = np.argsort(ranks, kind="stable")[:count]
    found = [Queued(names[at], float(probability[at])) for at in taken]
    return sorted(found, key=lambda item: key("audit order", source.seed, item.clip_id))


def _inclusion(wanted: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Probabilities in proportion to what is wanted, none above 1, that add up to ``count``."""
    sure = np.zeros(wanted.size, dtype=bool)
    while True:
        left = count - int(sure.sum())
        total = wanted[~sure].sum()
        scaled = np.where(sure, 1.0, wanted * (left / total if total else 0.0))
        over = ~sure & (scaled >= 1.0)
        if not over.any():
            return scaled
        sure |= over


def risks(source: ClipSource, calibration: Calibration) -> dict[str, float]:
    """Clip id → how much there is to go wrong, from 1.5 upwards.

    1 for every clip; up to 1 for how near to its threshold a calibrated check passed (by its rank
    among all clips; 0.5 if no model has listened); 0.5 each for a delivery, a sound, and words that
    an answer rests on; 1 for a clip that was spoken again; and four times the rate at which its
    delivery's check lets faulty clips pass.
    """
    near = _closeness(source, calibration)
    return {
        name: 1
        + near.get(name, 0.5)
        + 0.5 * (clip.spec.delivery != "neutral")
        + 0.5 * (clip.spec.sound is not None)
        + 0.5 * (name in source.critical)
        + (clip.take > 0)
        + 4 * _false_accepts(clip, calibration)
        for name, clip in source.clips.items()
    }


def _false_accepts(clip: Clip, calibration: Calibration) -> float:
    if clip.spec.delivery == "neutral":
        return 0.0
    curve = calibration.curve("delivery", clip.spec.delivery)
    return curve.false_accepts if curve else 0.0


def _closeness(source: ClipSource, calibration: Calibration) -> dict[str, float]:
    """Clip id → 1 for the clip that passed a check most narrowly, 0 for the one farthest above it;
    the largest of its checks."""
    of_check: dict[str, list[Check]] = {}
    for name in source.clips:
        for row in source.checks.get(name, ()):
            if row.value is not None and row.threshold is not None:
                of_check.setdefault(row.check, []).append(row)
    found: dict[str, float] = {}
    for check, rows in of_check.items():
        margins = np.array([(row.value or 0.0) - (row.threshold or 0.0) for row in rows])
        if calibration.curve(check) is None or margins.min() == margins.max():
            continue  # a threshold that values are not held above, or a check that tells nothing
        ranks = np.searchsorted(np.sort(margins), margins) / (margins.size - 1)
        for row, rank in zip(rows, ranks, strict=True):
            found[row.subject] = max(found.get(row.subject, 0.0), 1 - float(rank))
    return found
