"""Whole counts that meet every printed digit of a budget at once: found by an integer programme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.analyze.paper import (
    BUDGETS,
    COMPLETE,
    EVIDENCE,
    MODELS,
    PAPER,
    REFUSAL,
    Leaf,
    judged,
    leaves,
    shown,
)
from voxmem.analyze.entrants import entrant

HALF_A_DIGIT = 0.0499
"""Of a printed percentage, less what keeps it clear of ties."""
TIES = {1.2: 1.22}
"""The one cell of Figure 5 that is on a tie: 6 of 480 are 1.25, which is printed as 1.2."""

# --- what is printed ----------------------------------------------------------------------------


class Printed(NamedTuple):
    """One printed percentage: the mean over models on some leaves."""

    models: Sequence[str]
    where: Callable[[Leaf], bool]
    value: float
    least: float = 0.0
    most: float = 100.0
    """What else is known of it."""


def _everywhere(leaf: Leaf) -> bool:
    return True


def of(**fields: str) -> Callable[[Leaf], bool]:
    """Leaves with these values."""
    return lambda leaf: all(getattr(leaf, name) == value for name, value in fields.items())


def _evidence(name: str) -> Callable[[Leaf], bool]:
    return _everywhere if name == "all" else of(evidence=name)


def _group(name: str, models: Sequence[str]) -> list[str]:
    proprietary = [one for one in models if entrant(shown(one)).is_proprietary]
    return proprietary if name == "proprietary" else [m for m in models if m not in proprietary]


def printed(budget: str) -> Iterator[Printed]:
    """Everything that the paper prints of one budget."""
    place = BUDGETS.index(budget)
    models = COMPLETE if budget == "64K" else MODELS
    for name in models:
        yield Printed([name], _everywhere, PAPER["overall"][name][place])
    for column, value in zip(PAPER["table_17"]["columns"], PAPER["table_17"][budget], strict=True):
        field = "evidence" if column in EVIDENCE else "source"
        yield Printed(models, of(operation=REFUSAL, **{field: column}), value)
    for group, at in PAPER["section_4_prose"].items():
        for evidence, value in at.get(budget, {}).items():
            yield Printed(_group(group, models), _evidence(evidence), value)
    for operation, row in PAPER["figure_8_prose"].get(budget, {}).items():
        for evidence, value in row.items():
            yield Printed(COMPLETE, of(operation=operation, evidence=evidence), value)
    if budget == "8K":
        yield from _printed_at_8k()
    if budget == "32K":
        for operation, row in PAPER["figure_5"].items():
            for evidence, value in row.items():
                yield Printed(
                    models, of(operation=operation, evidence=evidence), TIES.get(value, value)
                )
    if budget == "64K":
        yield from _printed_at_64k()


def _printed_at_8k() -> Iterator[Printed]:
    """Such that drop and retention come out too, after what was chosen for 64K."""
    for evidence, row in PAPER["table_18_by_evidence"].items():
        if evidence != "columns":
            _, before, _, drop, _, _, retention, *_ = row
            yield _before(COMPLETE, _evidence(evidence), before, drop, retention)
    for model, row in PAPER["table_18_by_model"].items():
        if model != "columns":
            before, _, drop, _, _, retention, *_ = row
            yield _before([model], _everywhere, before, drop, retention)


def _before(
    models: Sequence[str],
    where: Callable[[Leaf], bool],
    before: float,
    drop: float,
    retention: float,
) -> Printed:
    chosen = np.array([where(leaf) for leaf in leaves()])
    right = sum(int(counts("64K")[model][chosen].sum()) for model in models)
    after = 100 * right / (len(models) * np.array(list(leaves().values()))[chosen].sum())
    return Printed(
        models,
        where,
        before,
        least=max(after + drop - HALF_A_DIGIT, after / (retention + 0.00049)),
        most=min(after + drop + HALF_A_DIGIT, after / (retention - 0.00049)),
    )


def _printed_at_64k() -> Iterator[Printed]:
    columns = (*EVIDENCE, "all")
    groups = {
        "mean_proprietary_3": _group("proprietary", COMPLETE),
        "mean_open_weight_7": _group("open-weight", COMPLETE),
        "mean_all_10": list(COMPLETE),
    }
    for name, row in PAPER["table_15"].items():
        for evidence, value in zip(columns, row, strict=True):
            yield Printed(groups.get(name, [name]), _evidence(evidence), value)
    for name, (answerable, refusal) in PAPER["table_16"].items():
        yield Printed([name], lambda leaf: leaf.operation != REFUSAL, answerable)
        yield Printed([name], of(operation=REFUSAL), refusal)


# --- counts that have it ------------------------------------------------------------------------


@cache
def counts(budget: str) -> Mapping[str, NDArray[np.int64]]:
    """Model → right answers of each leaf, such that all of :func:`printed` comes out.

    Of all solutions one near to models that differ in level alone, if the budget is one that
    intervals are printed of.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, eye_array, hstack

    models = COMPLETE if budget == "64K" else MODELS
    sizes = np.array([judged(budget, name) for name in models])
    wanted = list(printed(budget))
    same = eye_array(sizes.size)
    table = csr_array(np.array([_mean(one, models, sizes) for one in wanted]))
    target, far = _target(budget, models, sizes).ravel(), np.full(sizes.size, np.inf)
    near = budget in ("8K", "64K")
    found = milp(
        np.concatenate([np.zeros(sizes.size), np.full(sizes.size, float(near))]),
        integrality=np.concatenate([np.ones(sizes.size), np.zeros(sizes.size)]),
        bounds=Bounds(0, np.concatenate([sizes.ravel(), far])),
        constraints=[
            LinearConstraint(
                hstack([table, csr_array(table.shape)]),
                np.array([max(one.least, one.value - HALF_A_DIGIT) for one in wanted]),
                np.array([min(one.most, one.value + HALF_A_DIGIT) for one in wanted]),
            ),
            LinearConstraint(hstack([same, -same]), -far, target),
            LinearConstraint(hstack([same, same]), target, far),
        ],
        options={"mip_rel_gap": 0.3},
    )
    assert found.success, found.message
    whole = np.rint(found.x[: sizes.size]).astype(np.int64).reshape(sizes.shape)
    return dict(zip(models, whole, strict=True))


def _mean(one: Printed, models: Sequence[str], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """What makes the mean percentage of counts: 100 over models times items, where it is of."""
    chosen = np.array([one.where(leaf) for leaf in leaves()])
    row = np.zeros(sizes.shape)
    for name in one.models:
        at = models.index(name)
        row[at, chosen] = 100 / (len(one.models) * sizes[at, chosen].sum())
    return row.ravel()


def _target(budget: str, models: Sequence[str], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    overall = np.array([PAPER["overall"][name][BUDGETS.index(budget)] for name in models]) / 100
    cells = np.array([PAPER["figure_5"][leaf.operation][leaf.evidence] for leaf in leaves()]) / 100
    level = overall / ((cells * sizes[-1]).sum() / sizes[-1].sum())
    return np.minimum(1, level[:, None] * cells) * sizes
