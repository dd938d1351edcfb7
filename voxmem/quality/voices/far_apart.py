"""Voices far apart: those of many that a listener confuses least, whatever engine they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError

Embeddings = NDArray[np.float32]
"""Unit vectors, one a clip of one voice, [clips, 192]."""

LEAST_LIKE_ITSELF = 0.8
_SHARPNESS = 20.0
_ROUNDS = 10


def farthest(
    pool: Mapping[str, Embeddings],
    count: int,
    *,
    registers: Mapping[str, str] | None = None,
    clear: Callable[[str], bool] = lambda name: True,
    least_like_itself: float = LEAST_LIKE_ITSELF,
) -> list[str]:
    """Voices of the pool that are far apart: drawn greedily, then exchanged one for one while that
    helps.

    Args:
        pool: Voice → embeddings of some of its clips, the same number for each.
        count: How many voices are wanted.
        registers: Voice → its register. At most a little more than half of the voices are of one.
        clear: Whether a voice may be taken; asked once about each that would be, and no other.
        least_like_itself: The least similarity between two clips of one voice that may be taken.

    Returns:
        Voice ids in the order in which they were drawn.

    Raises:
        InputError: There are too few voices that may be taken.
    """
    names = [name for name, rows in pool.items() if like_itself(rows) >= least_like_itself]
    return (
        _Choice(names, pool, registers or {}, clear, count).made() if names else _refuse(count, 0)
    )


def like_itself(rows: Embeddings) -> float:
    """The least similarity between two of a voice's clips."""
    return float((rows @ rows.T).min())


class _Choice:
    def __init__(
        self,
        names: list[str],
        pool: Mapping[str, Embeddings],
        registers: Mapping[str, str],
        clear: Callable[[str], bool],
        count: int,
    ) -> None:
        self._names, self._registers, self._clear, self._count = names, registers, clear, count
        rows = np.stack([pool[name] for name in names])
        # Clips that are nearest count most. A cost is a sum: over pairs of clips, and of voices.
        self._cost = np.stack(
            [
                np.exp(_SHARPNESS * np.einsum("id,bjd->bij", row, rows)).mean(axis=(1, 2))
                for row in rows
            ]
        )
        self._heard: dict[int, bool] = {}

    def made(self) -> list[str]:
        taken: list[int] = []
        while len(taken) < self._count:
            taken.append(self._best(taken))
        for _ in range(_ROUNDS):
            before = list(taken)
            for place in range(self._count):
                taken[place] = self._best(taken[:place] + taken[place + 1 :])
            if taken == before:
                break
        return [self._names[place] for place in taken]

    def _best(self, others: list[int]) -> int:
        order = np.argsort(self._cost[:, others].sum(axis=1), kind="stable")
        for place in map(int, order):
            if place not in others and self._allowed(place, others):
                return place
        return _refuse(self._count, len(others))

    def _allowed(self, place: int, others: list[int]) -> bool:
        register = self._registers.get(self._names[place])
        same = sum(self._registers.get(self._names[other]) == register for other in others)
        if register is not None and same >= self._count // 2 + 1:
            return False
        if place not in self._heard:
            self._heard[place] = self._clear(self._names[place])
        return self._heard[place]


def _refuse(count: int, found: int) -> NoReturn:
    raise InputError(
        f"{count} voices were asked for and {found} may be taken",
        stage="choose voices",
        remedy="give more voices to choose from, or ask for fewer",
    )
