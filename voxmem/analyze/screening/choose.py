"""Chooses and weighs the questions of one cell.

Let ``u`` give every question of a cell the same weight, and ``w`` be zero but for the questions of
the set; both sum to one. For a model with the answers ``y`` the set is off by ``(w - u)·y``. What
is minimised is the mean over models of

- the square of that, averaged over the budgets,
- the square of that for the change over length (:func:`~.cells.changes`), and
- for each other cell, the square of that part of it which follows from how good the model is.

The last is what does not cancel over cells: without it a set tells every cell well, and draws all
models towards the middle. Together it is ``(w - u)ᵀ S (w - u)``, ``S`` being second moments of the
questions over models. A model that is still to come answers partly in its own way: the moments of
the first two are shrunk half-way towards a multiple of the identity, under which all questions are
alike and weights are best equal. (On simulated releases the error out of model is flat from a
fifth to nine tenths, and worse at both ends.)

The set grows by the question that helps most, equal weights assumed, then questions are exchanged
while that helps; last, the weights are those of least squares, none below zero. It is the idea of
anchor points (Vivek et al., 2024; Polo et al., 2024) with the error itself as the distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voxmem.analyze.screening.cells import Aim, CellMarks, Floats, Places

SHRINKAGE = 0.5
_SAME = 1e-9
"""Gains below this part of the scale are none: the order of a sum must not decide."""
_TOGETHER = 1e3
"""How much more the sum of the weights counts than what they are for, before it is made exact."""


@dataclass(frozen=True)
class Selection:
    """Questions of one cell, as places in it, and how many of its questions each stands for."""

    at: Places
    weights: Floats


def choose_cell(cell: CellMarks, aim: Aim, most: int) -> Selection:
    """At most so many questions of a cell, with weights that sum to its size."""
    if cell.size <= most:
        return Selection(np.arange(cell.size), np.ones(cell.size))
    moments = second_moments(cell, aim)
    at = _exchanged(moments, _grown(moments, most))
    weights = _weights(moments, at) * cell.size
    kept = weights > 0
    return Selection(at[kept], weights[kept])


def second_moments(cell: CellMarks, aim: Aim) -> Floats:
    """``S`` of the module's text: ``[questions, questions]``."""
    run = np.asarray(cell.counted.any(axis=2))
    # What is not counted stands at the mean of its cell: it pulls the set nowhere.
    count = np.maximum(cell.counted.sum(axis=2), 1)
    mean = cell.right.sum(axis=2) / count
    answers = np.where(cell.counted, cell.right - mean[:, :, None], 0.0)
    budgets = np.maximum(run.sum(axis=1), 1)
    accuracy = answers / np.sqrt(budgets)[:, None, None]
    slope = np.einsum("mb,mbq->mq", aim.change, answers)
    rows = np.concatenate([accuracy.reshape(-1, cell.size), slope])
    models = max(len(run), 1)
    found = rows.T @ rows / models
    scale = np.trace(found) / cell.size
    if not scale > 0:
        return np.eye(cell.size)
    by_skill = aim.skill @ (answers.sum(axis=1) / budgets[:, None]) / models
    shrunk = (1 - SHRINKAGE) * found + SHRINKAGE * scale * np.eye(cell.size)
    return np.asarray(shrunk + aim.others * np.outer(by_skill, by_skill))


def _grown(moments: Floats, most: int) -> Places:
    """The set after each step of which one question was added."""
    size = len(moments)
    own, to_all = np.diag(moments), moments.sum(axis=1) / size
    among = np.zeros(size)
    """Of each question, its moments with the set."""
    taken: list[int] = []
    inner = outer = 0.0
    for number in range(1, most + 1):
        error = (inner + 2 * among + own) / number**2 - 2 * (outer + to_all) / number
        error[taken] = np.inf
        at = _first(error)
        inner += 2 * among[at] + own[at]
        outer += to_all[at]
        among = among + moments[at]
        taken.append(at)
    return np.array(taken)


def _exchanged(moments: Floats, taken: Places) -> Places:
    """The set after every exchange of one question for another that helps, best first."""
    size, number = len(moments), len(taken)
    own, to_all = np.diag(moments), moments.sum(axis=1) / size
    inside = np.zeros(size, dtype=bool)
    inside[taken] = True
    among = moments[inside].sum(axis=0)
    scale = own.mean()
    while True:
        out, new = np.flatnonzero(inside), np.flatnonzero(~inside)
        less = own[out] - 2 * among[out] + 2 * number * to_all[out]
        more = own[new] + 2 * among[new] - 2 * number * to_all[new]
        gain = less[:, None] + more[None, :] - 2 * moments[np.ix_(out, new)]
        at = _first(gain.ravel())
        if gain.ravel()[at] >= -_SAME * scale:
            return out
        left, came = out[at // len(new)], new[at % len(new)]
        inside[left], inside[came] = False, True
        among = among + moments[came] - moments[left]


def _weights(moments: Floats, at: Places) -> Floats:
    """Those of least error, none below zero, their sum one."""
    from scipy.optimize import nnls

    to_all = moments.mean(axis=1)[at]
    lower = np.linalg.cholesky(moments[np.ix_(at, at)])
    together = _TOGETHER * np.sqrt(np.trace(moments) / len(moments))
    rows = np.vstack([lower.T, np.full(len(at), together)])
    found, _ = nnls(rows, np.append(np.linalg.solve(lower, to_all), together))
    return np.asarray(found / found.sum(), dtype=np.float64)


def _first(values: Floats) -> int:
    """Where the least value is first, all that are as good as it taken as one."""
    least = values.min()
    scale = max(1.0, abs(float(least))) if np.isfinite(least) else 1.0
    return int(np.flatnonzero(values <= least + _SAME * scale)[0])
