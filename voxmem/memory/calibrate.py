"""Fitting what the listener knows of deliveries, on sessions spoken for it alone.

Each voice speaks sessions of a few turns, one of them with a delivery, some with a sound behind
them. They are of no build: what they state is drawn here, and the template writer words it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import StatedFact, UserBrief
from voxmem.memory.delivery import DeliveryModel, Place, Said, differences, expanded
from voxmem.memory.measures import AMOUNTS, Pace, amounts, times
from voxmem.memory.perceive import perceive
from voxmem.plan.catalog import catalog
from voxmem.quality.calibration.deliveries import rendered
from voxmem.quality.calibration.speaking import MemoryObjects
from voxmem.records import ClipSpec
from voxmem.speech.studio import Studio
from voxmem.vocabulary import DEFAULT_SOUNDS, DELIVERIES, NEUTRAL

ROUNDS = 2
"""Sessions of each voice in each delivery."""
_TURNS = (2, 6)
_WITH_SOUND = 0.25
_PENALTY = 3.0
"""Of the regression: the best in cross-validation over voices."""
_PAUSED = (0, -3, -2, -1)
"""Which amounts pauses follow from: those that are no sounds."""
_PHRASE = " 2"
"""Ends the name of an emphasis on a phrase alone, which sounds otherwise than one on all words."""


class Labelled(NamedTuple):
    """A turn of a calibration session."""

    place: Place
    said: Said
    delivery: str
    """What it was spoken in; an emphasis on a phrase is "emphatic 2"."""


def calibrated(studio: Studio) -> DeliveryModel:
    """The model of a studio's engine: what ``deliveries.json`` holds of the embedded one. It takes
    some 20 minutes of a processor for 30 voices.

    Raises:
        MissingExtra: A package of a model that listens is not installed.
    """
    engine = studio.engine
    return fit(list(speak(studio, "fit", engine.voices)), f"{engine.name} {engine.revision}")


def speak(studio: Studio, purpose: str, voices: Sequence[str]) -> Iterator[Labelled]:
    """The calibration sessions of some voices, heard.

    Args:
        purpose: Seeds them: those that a model is fitted on are not those that it is tested on.
    """
    every = rendered(studio.engine)
    on_phrases = [f"{name}{_PHRASE}" for name in every if DELIVERIES[name] == "emphasis"]
    wanted = [*every, *on_phrases] * ROUNDS
    for voice in voices:
        for round_, delivery in enumerate(wanted):
            session = len(wanted) * studio.engine.voices.index(voice) + round_
            yield from _session(studio, session, keys.rng(purpose, voice, round_), voice, delivery)


def _session(
    studio: Studio, session: int, draw: random.Random, voice: str, delivery: str
) -> Iterator[Labelled]:
    turns = draw.randint(*_TURNS)
    sound = draw.choice(sorted(DEFAULT_SOUNDS)) if draw.random() < _WITH_SOUND else None
    cued = draw.randrange(turns)
    for at, said in enumerate(TemplateUser().write(_brief(draw, turns, cued))):
        name = delivery if at == cued else NEUTRAL
        store = MemoryObjects()
        spec = ClipSpec(
            text=said.text,
            voice=voice,
            delivery=name.removesuffix(_PHRASE),
            sound=sound,
            span=said.spans[0] if name.endswith(_PHRASE) else None,
            seed=draw.getrandbits(31),
        )
        clip = perceive(store.get(studio.speak(spec, store).sha256))
        yield Labelled(Place(session, at), Said(clip, voice, sound is not None), name)


def _brief(draw: random.Random, turns: int, states: int) -> UserBrief:
    """A session that states one fact, in its turn of that number."""
    content = catalog()
    topic = draw.choice(sorted(content.topics))
    entity = draw.choice(content.topics[topic])
    attribute = draw.choice(sorted(content.attributes))
    value = draw.choice(content.attributes[attribute].domain)
    return UserBrief(
        words_id=keys.short("calibration session", draw.getrandbits(31)),
        topic=topic,
        entities=(entity,),
        facts=(StatedFact(entity, attribute, value),),
        turns=turns,
        key_turn=states,
        roomy=True,
    )


def fit(rows: Sequence[Labelled], engine: str) -> DeliveryModel:
    """The model that names the deliveries of calibration sessions best."""
    from sklearn.linear_model import LogisticRegression

    pace = _pace([row for row in rows if row.delivery == NEUTRAL and not row.said.noisy])
    turns = {row.place: row.said for row in rows}
    found = differences(turns, Pace(pace))
    names = {row.place: row.delivery for row in rows}
    measured = np.stack(list(found.values()))
    scale = _deviations(measured)
    expansions = np.stack([expanded(row / scale) for row in measured])
    mean, deviation = expansions.mean(axis=0), _deviations(expansions)
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


def _deviations(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each column; 1 where all of it is all but alike."""
    found = rows.std(axis=0)
    return np.where(found > 1e-3, found, 1.0)


def _rounded(row: Sequence[float] | NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(round(float(value), 5) for value in row)
