"""The paper's numbers, and cubes of marks that have them: whole counts that meet every printed
digit of one budget at once are found by an integer programme."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.analyze.marks import question
from voxmem import keys
from voxmem.analyze.entrants import entrant
from voxmem.analyze.scores import Codes, Mark, Scores
from voxmem.records import AskedQuestion
from voxmem.taxonomy import SUBTYPES, EvidenceType, Operation

PAPER: dict[str, Any] = json.loads(Path(__file__).with_name("paper.json").read_text())
BUDGETS: tuple[str, ...] = tuple(PAPER["budgets"])
MODELS: tuple[str, ...] = tuple(PAPER["overall"])
COMPLETE: tuple[str, ...] = tuple(PAPER["table_16"])
"""The ten with a full run at 64K (Table 14)."""
EVIDENCE = tuple(one.value for one in EvidenceType)
REFUSAL = Operation.ANSWER_REFUSAL.value
SOURCES = {
    "speech_semantics": (0, 22, 15),
    "speaker_identity": (11, 6, 4),
    "paralinguistic": (21, 12, 9),
    "environmental": (15, 9, 6),
}
"""Refusal items by evidence type and operation of the source: the paper prints the two margins,
this is one matrix that has them."""


class Leaf(NamedTuple):
    """Questions that no table tells apart."""

    operation: str
    evidence: str
    source: str
    """The operation of the source; of an answerable item its own."""


def shown(name: str) -> str:
    """The catalogue's name of a model of the paper."""
    return name.lower()


@cache
def leaves() -> dict[Leaf, int]:
    """Leaf → its questions."""
    sources = [one.value for one in SUBTYPES if SUBTYPES[one]]
    found = {
        Leaf(operation, evidence, operation): n
        for operation, row in PAPER["counts"]["cells"].items()
        if operation != REFUSAL
        for evidence, n in row.items()
    }
    for evidence, row in SOURCES.items():
        found |= {Leaf(REFUSAL, evidence, s): n for s, n in zip(sources, row, strict=True)}
    return {leaf: n for leaf, n in found.items() if n}


@cache
def questions() -> tuple[AskedQuestion, ...]:
    """The 799, leaf by leaf."""
    return tuple(
        question(
            f"q{leaf.operation}-{leaf.evidence}-{leaf.source}-{at}",
            gold=None if leaf.operation == REFUSAL else "tea",
            evidence_type=EvidenceType(leaf.evidence),
            operation=Operation(leaf.operation),
            source_operation=Operation(leaf.source),
        )
        for leaf, n in leaves().items()
        for at in range(n)
    )


_IE, _MSR, _TET = (one.value for one in SUBTYPES if SUBTYPES[one])
_SEM, _SPK, _PARA, _ENV = EVIDENCE
REJECTED: dict[str, dict[str, dict[Leaf, int]]] = {
    "8K": {
        "Qwen3.8-Omni-Flash": {
            Leaf(_IE, _SPK, _IE): 2,
            Leaf(_IE, _PARA, _IE): 1,
            Leaf(_MSR, _SEM, _MSR): 1,
            Leaf(_MSR, _SPK, _MSR): 1,
            Leaf(_TET, _SEM, _TET): 1,
            Leaf(REFUSAL, _PARA, _IE): 1,
        }
    },
    "16K": {"Qwen3.8-Omni-Flash": {Leaf(REFUSAL, _ENV, _TET): 1}},
    "32K": {
        "Qwen3.8-Omni-Flash": {Leaf(_TET, _SEM, _TET): 1},
        "Qwen3.5-Omni-Plus": {
            Leaf(_IE, _SPK, _IE): 1,
            Leaf(_IE, _PARA, _IE): 1,
            Leaf(_TET, _PARA, _TET): 1,
        },
        "MiniCPM-o-4.5": {
            Leaf(_IE, _ENV, _IE): 2,
            Leaf(_TET, _SEM, _TET): 1,
            Leaf(_TET, _SPK, _TET): 2,
            Leaf(_TET, _PARA, _TET): 1,
        },
        "MiMo-Audio-7B-Instruct": {
            Leaf(_IE, _SPK, _IE): 1,
            Leaf(REFUSAL, _SEM, _TET): 1,
            Leaf(REFUSAL, _ENV, _IE): 1,
        },
    },
}
"""Budget → model → items that are in no denominator. The paper says that there are some: 7 at 8K,
with the margins of Table 13. Whose they are is not printed; with none, no whole counts have what is
printed at 8K, 16K and 32K, and with these some have."""


def judged(budget: str, model: str) -> NDArray[np.int64]:
    """The items of each leaf that are in the denominator."""
    lost = REJECTED.get(budget, {}).get(model, {})
    return np.array([n - lost.get(leaf, 0) for leaf, n in leaves().items()])


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


HALF_A_DIGIT = 0.0499
"""Of a printed percentage, less what keeps it clear of ties."""
TIES = {1.2: 1.22}
"""The one cell of Figure 5 that is on a tie: 6 of 480 are 1.25, which is printed as 1.2."""


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


# --- cubes --------------------------------------------------------------------------------------


@cache
def cube() -> Scores:
    """All models at all budgets, judged; the five that have no full run at 64K got through the
    first hundred items of it, all of them right."""
    starts = np.cumsum([0, *leaves().values()])
    marks = np.full((len(MODELS), len(BUDGETS), len(questions())), Mark.INCORRECT, dtype=np.uint8)
    for at, model in enumerate(MODELS):
        gains = _gains(model)
        for place, leaf in enumerate(leaves()):
            of_leaf = marks[at, :, starts[place] : starts[place + 1]]
            _fill(of_leaf, model, leaf, gains[place])
    for model in set(MODELS) - set(COMPLETE):
        marks[MODELS.index(model), -1] = Mark.OUT_OF_SET
        marks[MODELS.index(model), -1, :100] = Mark.CORRECT
    return Scores(tuple(entrant(shown(one)) for one in MODELS), BUDGETS, questions(), marks, "j-1")


def _fill(marks: Codes, model: str, leaf: Leaf, gain: int) -> None:
    """Marks one leaf, ``[budgets, items]``. The easiest items are right; at 64K as many others are
    as are gained there."""
    place = list(leaves()).index(leaf)
    for at, budget in enumerate(BUDGETS):
        lost = REJECTED.get(budget, {}).get(model, {}).get(leaf, 0)
        marks[at, marks.shape[1] - lost :] = Mark.REJECTED
    hard = _hardness(model, leaf, marks.shape[1])
    drawn = np.flatnonzero((marks != Mark.REJECTED).all(axis=0))
    drawn = drawn[np.argsort(hard[drawn])]
    spare = np.flatnonzero((marks == Mark.REJECTED).any(axis=0))
    first = counts("8K")[model][place]
    for at, budget in enumerate(BUDGETS):
        if model not in counts(budget):
            continue
        right = counts(budget)[model][place]
        gained = min(gain, right) if budget == "64K" else 0
        order = [*drawn, *(item for item in spare if marks[at, item] != Mark.REJECTED)]
        chosen = [*order[: right - gained], *order[first : first + gained]]
        marks[at, chosen] = Mark.CORRECT


def _hardness(model: str, leaf: Leaf, n: int) -> NDArray[np.float64]:
    """``float [items]``: in part what they are for all models."""
    shared = keys.numpy_rng("paper", *leaf).random(n)
    own = keys.numpy_rng("paper", model, *leaf).random(n)
    return ALIKE * shared + (1 - ALIKE) * own


ALIKE = 0.6
"""How far items are hard for all models alike."""


def _gains(model: str) -> NDArray[np.int64]:
    """By leaf: items that are wrong at 8K and right at 64K, as many as make the interval of the
    model's drop as wide as it is printed: its variance is that of the discordant items."""
    if model not in COMPLETE:
        return np.zeros(len(leaves()), dtype=np.int64)
    before, after = counts("8K")[model], counts("64K")[model]
    _, _, drop, low, high = (value / 100 for value in PAPER["table_18_by_model"][model][:5])
    n = len(questions())
    discordant = ((high - low) / 3.92) ** 2 * n + drop**2
    wanted = round(n * (discordant - drop) / 2)
    least = np.maximum(0, after - before)
    most = np.minimum(after, np.array(list(leaves().values())) - before)
    share = np.clip((wanted - least.sum()) / max(1, (most - least).sum()), 0, 1)
    return least + np.floor(share * (most - least)).astype(np.int64)
