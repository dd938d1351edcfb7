"""Fitting what the listener knows of deliveries, on sessions spoken for it alone.

The sentences are those of ``quality.calibration``: no sentence of any build. Each voice speaks
sessions of a few turns, one of them with a delivery, some with a sound behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from voxmem import keys
from voxmem.memory.delivery import DeliveryModel, Place, Said, differences, expanded
from voxmem.memory.measures import AMOUNTS, Pace, amounts, times
from voxmem.memory.perceive import perceive
from voxmem.quality.calibration.deliveries import rendered
from voxmem.quality.calibration.speaking import MemoryObjects
from voxmem.quality.calibration.texts import Half, sentence
from voxmem.records import ClipSpec
from voxmem.speech.studio import Studio
from voxmem.vocabulary import DEFAULT_SOUNDS, DELIVERIES, NEUTRAL

ROUNDS = 2
"""Sessions of each voice in each delivery."""
_TURNS = (2, 6)
_WITH_SOUND = 0.25
_PENALTY = 10.0
"""Of the regression: the inverse of its strength."""
_PAUSED = (0, 4, 5, 6)
"""Which amounts pauses follow from."""


class Labelled(NamedTuple):
    """A turn of a calibration session."""

    place: Place
    said: Said
    delivery: str
    """What it was spoken in; an emphasis on a phrase is "emphatic 2"."""


def speak(studio: Studio, half: Half, voices: Sequence[str]) -> Iterator[Labelled]:
    """The calibration sessions, heard."""
    wanted = [*rendered(studio.engine), *(f"{name} 2" for name in rendered(studio.engine)
                                          if DELIVERIES[name] == "emphasis")]  # fmt: skip
    number = 0
    for voice in voices:
        for round_, name in enumerate(wanted * ROUNDS):
            rng = keys.rng("calibration session", half, voice, round_)
            turns, behind = rng.randint(*_TURNS), rng.random() < _WITH_SOUND
            sound = rng.choice(sorted(DEFAULT_SOUNDS)) if behind else None
            cued = rng.randrange(turns)
            session = round_ + len(wanted) * ROUNDS * list(voices).index(voice)
            for turn in range(turns):
                number += 1
                delivery = name if turn == cued else NEUTRAL
                yield _spoken(studio, half, number, Place(session, turn), voice, sound, delivery)


def _spoken(
    studio: Studio, half: Half, number: int, place: Place, voice: str, sound: str | None, name: str
) -> Labelled:
    said, store = sentence(half, number), MemoryObjects()
    spec = ClipSpec(
        text=said.text,
        voice=voice,
        delivery=name.split()[0],
        sound=sound,
        span=said.span if " " in name else None,
        seed=keys.seed("calibration session", half, number),
    )
    clip = perceive(store.get(studio.speak(spec, store).sha256))
    return Labelled(place, Said(clip, voice, sound is not None), name)


def fit(rows: Sequence[Labelled], engine: str) -> DeliveryModel:
    """The model that names the deliveries of calibration sessions best."""
    from sklearn.linear_model import LogisticRegression

    pace = _pace([row for row in rows if row.delivery == NEUTRAL and not row.said.noisy])
    turns = {row.place: row.said for row in rows}
    found = differences(turns, Pace(pace))
    names = {row.place: row.delivery for row in rows}
    measured = np.stack(list(found.values()))
    scale = measured.std(axis=0)
    expansions = np.stack([expanded(row / scale) for row in measured])
    mean, deviation = expansions.mean(axis=0), expansions.std(axis=0)
    fitted = LogisticRegression(C=1 / _PENALTY, max_iter=5000)
    fitted.fit((expansions - mean) / deviation, [names[place] for place in found])
    weights = fitted.coef_ / deviation
    return DeliveryModel(
        engine=engine,
        turns=len(found),
        names=tuple(map(str, fitted.classes_)),
        pace=tuple(_rounded(row) for row in pace),
        scale=_rounded(scale),
        weights=tuple(_rounded(row) for row in weights),
        bias=_rounded(fitted.intercept_ - weights @ mean),
    )


def _pace(neutral: Sequence[Labelled]) -> list[list[float]]:
    """Least squares of relative errors for durations, of errors for pauses."""
    texts = np.stack([amounts(row.said.clip.words) for row in neutral])
    was = np.stack([times(p) for row in neutral for p in [row.said.clip.prosody] if p is not None])
    out = np.zeros((4, len(AMOUNTS)))
    for at in range(4):
        columns = list(range(len(AMOUNTS))) if at < 2 else list(_PAUSED)
        weight = 1 / was[:, at] if at < 2 else np.ones(len(was))
        system = texts[:, columns] * weight[:, None]
        out[at, columns] = np.linalg.lstsq(system, was[:, at] * weight, rcond=None)[0]
    return [list(map(float, row)) for row in out]


def confusions(found: DeliveryModel, rows: Sequence[Labelled]) -> Mapping[tuple[str, str], int]:
    """(delivery, what it was named) → how many turns."""
    turns = {row.place: row.said for row in rows}
    names = {row.place: row.delivery.split()[0] for row in rows}
    counts: dict[tuple[str, str], int] = {}
    for place, row in differences(turns, Pace(found.pace)).items():
        shares = found.shares(row)
        pair = names[place], max(shares, key=lambda name: shares[name])
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _rounded(row: Sequence[float] | np.ndarray) -> tuple[float, ...]:
    return tuple(round(float(value), 5) for value in row)
