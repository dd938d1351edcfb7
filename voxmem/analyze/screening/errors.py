"""How well a choice of questions preserves what all of them say of some models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import starmap

import numpy as np

from voxmem import keys
from voxmem.analyze.screening.cells import CellMarks, Floats
from voxmem.analyze.screening.choose import Selection


@dataclass(frozen=True)
class Accuracies:
    """What some questions say of some models. NaN: there is no number."""

    cells: Floats
    """``[cells, models, budgets]``."""
    overall: Floats
    """``[models, budgets]``: each cell by its size in the release."""

    @classmethod
    def of(cls, cells: Sequence[CellMarks], chosen: Sequence[Selection]) -> Accuracies:
        """By the weights of a choice of questions."""
        parts = np.stack(list(starmap(_accuracy, zip(cells, chosen, strict=True))))
        sizes = np.array([cell.size for cell in cells], dtype=np.float64)
        known = np.isfinite(parts) * sizes[:, None, None]
        above, below = np.nansum(known * np.nan_to_num(parts), axis=0), known.sum(axis=0)
        return cls(
            parts, np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
        )

    @property
    def ranks(self) -> Floats:
        """``[models, budgets]``: places among the models; NaN where there is no number."""
        from scipy.stats import rankdata

        # Sums of the same answers in another order are equal.
        return np.asarray(rankdata(np.round(self.overall, 9), axis=0, nan_policy="omit"))


def each_of_its_own(folds: Sequence[Accuracies]) -> tuple[Accuracies, Floats]:
    """Of every model what its own fold says of it, and its place among the models there.

    Args:
        folds: One a model; each is of all models.
    """
    at = range(len(folds))
    return (
        Accuracies(
            np.stack([fold.cells[:, one] for one, fold in zip(at, folds, strict=True)], axis=1),
            np.stack([fold.overall[one] for one, fold in zip(at, folds, strict=True)]),
        ),
        np.stack([fold.ranks[one] for one, fold in zip(at, folds, strict=True)]),
    )


@dataclass(frozen=True)
class Misfit:
    """How far accuracies are from the truth. ``None``: there is no such number."""

    accuracy: float | None
    cell_accuracy: float | None
    change: float | None
    kendall: float | None
    spearman: float | None
    cells: tuple[float | None, ...]
    """Of each cell."""


def misfit(
    found: Accuracies, truth: Accuracies, change: Floats, ranks: Floats | None = None
) -> Misfit:
    """The errors of what a choice says.

    Args:
        ranks: ``[models, budgets]``; those of ``found`` if ``None``.
        change: ``[models, budgets]``, of :func:`~.cells.changes`.
    """
    from scipy.stats import kendalltau, spearmanr

    off, off_cells = found.overall - truth.overall, found.cells - truth.cells
    spans = change.any(axis=1)
    places = found.ranks if ranks is None else ranks
    slopes = (np.nan_to_num(off) * change).sum(axis=1)[spans]
    return Misfit(
        accuracy=_root_mean_square(off),
        cell_accuracy=_root_mean_square(off_cells),
        change=_root_mean_square(slopes),
        kendall=_ranking(places, truth.ranks, lambda a, b: kendalltau(a, b).statistic),
        spearman=_ranking(places, truth.ranks, lambda a, b: spearmanr(a, b).statistic),
        cells=tuple(map(_root_mean_square, off_cells)),
    )


def at_random(cells: Sequence[CellMarks], most: int, draw: int) -> list[Selection]:
    """As many questions of every cell, drawn, and of equal weight."""
    rng = keys.numpy_rng("screening at random", draw)
    found = []
    for cell in cells:
        number = min(most, cell.size)
        at = np.sort(rng.choice(cell.size, number, replace=False))
        found.append(Selection(at, np.full(number, cell.size / number)))
    return found


def everything(cells: Sequence[CellMarks]) -> list[Selection]:
    """All questions: the truth."""
    return [Selection(np.arange(cell.size), np.ones(cell.size)) for cell in cells]


def _accuracy(cell: CellMarks, chosen: Selection) -> Floats:
    """``[models, budgets]``: over what is counted; NaN where nothing is."""
    counted = cell.counted[:, :, chosen.at] @ chosen.weights
    right = cell.right[:, :, chosen.at] @ chosen.weights
    found = np.full(right.shape, np.nan)
    np.divide(right, counted, out=found, where=counted > 0)
    return found


def _root_mean_square(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(known**2))) if known.size else None


def _ranking(
    found: Floats, truth: Floats, correlation: Callable[[Floats, Floats], float]
) -> float | None:
    """The mean over budgets of the correlation of two rankings of the models."""
    values = []
    for a, b in zip(found.T, truth.T, strict=True):
        both = np.isfinite(a) & np.isfinite(b)
        # Where all are equal there is no ranking.
        if both.sum() > 1 and np.ptp(a[both]) > 0 and np.ptp(b[both]) > 0:
            values.append(correlation(a[both], b[both]))
    return float(np.mean(values)) if values else None
