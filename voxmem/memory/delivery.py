"""How a turn was delivered, told by how it differs from the same voice's other turns.

No pair is given: what is neutral is the median of a voice. A sound behind a session shifts every
measure of it, so there the session's other turns say what is neutral, as far as there are any.

Of calibration turns of voices that the model was not fitted on, in quiet, 72 % of those with a
delivery are named right and 0.4 % of the neutral ones are named anything; behind a sound 33 % and
8 %. An emphasis on a phrase alone is hardly ever told: nothing says how it is said without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from voxmem.errors import InputError
from voxmem.memory.heard import HeardClip
from voxmem.memory.measures import Pace, Vector, measures
from voxmem.records import Record

FILE = "deliveries.json"
_FEWEST = 3
"""Turns that say what is neutral of a voice, without those that have a sound behind them."""


class DeliveryModel(Record):
    """A multinomial logistic regression over measures and their products.

    It is fitted by :mod:`voxmem.memory.calibrate` on speech made for it.
    """

    engine: str
    """What the speech was of."""
    turns: int
    """It was fitted on so many."""
    names: tuple[str, ...]
    """Of the classes; ``neutral`` is one, and one delivery may have several ("emphatic 2")."""
    pace: tuple[tuple[float, ...], ...]
    scale: tuple[float, ...]
    """What each value of a difference is divided by."""
    weights: tuple[tuple[float, ...], ...]
    """[classes, values and products]."""
    bias: tuple[float, ...]

    def shares(self, difference: Vector) -> dict[str, float]:
        """Delivery → its probability, for one of :func:`differences`."""
        row = expanded(difference / np.array(self.scale))
        logits = np.array(self.weights) @ row + np.array(self.bias)
        shares = np.exp(logits - logits.max())
        out: dict[str, float] = {}
        for name, share in zip(self.names, shares / shares.sum(), strict=True):
            delivery = name.split()[0]
            out[delivery] = out.get(delivery, 0.0) + float(share)
        return out


_LIMIT = 6.0


def expanded(scaled: Vector) -> Vector:
    """A difference, and the products of any two of its values: [13 + 91]. What is further out than
    six deviations is no further out."""
    bounded = np.clip(scaled, -_LIMIT, _LIMIT)
    rows, columns = np.triu_indices(bounded.size)
    return np.concatenate([bounded, bounded[rows] * bounded[columns]])


@cache
def model() -> DeliveryModel:
    """The model that ships with the package.

    Raises:
        InputError: Its file is damaged.
    """
    try:
        text = files("voxmem.memory").joinpath(FILE).read_text("utf-8")
        return DeliveryModel.model_validate_json(text)
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(
            f"the model of deliveries cannot be read: {error}",
            item=FILE,
            stage="memory",
            remedy="install the package again",
        ) from error


class Place(NamedTuple):
    """A user turn of a history."""

    session: int
    turn: int


class Said(NamedTuple):
    """One recorded turn, and what is known around it."""

    clip: HeardClip
    voice: str
    """Whose it seems to be."""
    noisy: bool
    """Whether a sound seems to be behind its session."""


class Named(NamedTuple):
    """The likeliest delivery of a turn, ``neutral`` among them, and its probability."""

    delivery: str
    share: float


def deliveries(turns: Mapping[Place, Said]) -> dict[Place, Named]:
    """How each turn of a history was delivered. A turn of which nothing can be measured is left
    out."""
    found = model()
    return {
        place: Named(*max(found.shares(difference).items(), key=lambda item: item[1]))
        for place, difference in differences(turns, Pace(found.pace)).items()
    }


def differences(turns: Mapping[Place, Said], pace: Pace) -> dict[Place, Vector]:
    """Measures of each turn against what is neutral of its voice, and in its session; last, 1 if
    there is a sound behind it: [13]."""
    rows = {
        place: row
        for place, said in turns.items()
        for row in [measures(said.clip, pace)]
        if row is not None
    }
    neutral = {
        voice: _neutral([place for place in rows if turns[place].voice == voice], rows, turns)
        for voice in dict.fromkeys(turns[place].voice for place in rows)
    }
    against = {place: row - neutral[turns[place].voice] for place, row in rows.items()}
    return {
        place: np.append(row - _shift(place, against, turns), float(turns[place].noisy))
        for place, row in against.items()
    }


def _neutral(
    places: Sequence[Place], rows: Mapping[Place, Vector], turns: Mapping[Place, Said]
) -> Vector:
    clear = [place for place in places if not turns[place].noisy]
    chosen = clear if len(clear) >= _FEWEST else places
    return np.asarray(np.median([rows[place] for place in chosen], axis=0))


def _shift(place: Place, against: Mapping[Place, Vector], turns: Mapping[Place, Said]) -> Vector:
    """What the sound behind a session changes: nothing, if there is none."""
    others = [
        row for other, row in against.items() if other.session == place.session and other != place
    ]
    if not turns[place].noisy or not others:
        return np.zeros_like(against[place])
    weight = len(others) / (len(others) + 1)
    return np.asarray(np.median(others, axis=0) * weight)
