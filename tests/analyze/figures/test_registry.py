"""All figures at once, from whatever there is: no exception, no warning, reasons for what lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.analyze.figures.reading import ids, words
from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.figures import FIGURES, draw_all, left_out
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables import all_tables
from voxmem.taxonomy import CELLS, SUBTYPES, Operation, Subtype

QUESTIONS = [
    question(
        f"{cell.operation}-{cell.evidence}-{at}",
        gold=None if cell.operation is Operation.ANSWER_REFUSAL else "tea",
        evidence_type=cell.evidence,
        operation=cell.operation,
        subtype=next(iter(SUBTYPES[cell.operation]), Subtype.COUNTING),
    )
    for cell in CELLS
    for at in range(2)
]
FEW = Choices(resamples=50)


def study(entrants: int, budgets: int, questions: list[Any] = QUESTIONS) -> Study:
    """Marks that depend on nothing but their place."""
    shape = (entrants, budgets, len(questions))
    at = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    marks = np.where(at * 7919 % 13 % 3 == 0, Mark.CORRECT, Mark.INCORRECT)
    positions = {
        (one.question_id, budget): at / max(len(questions), 1)
        for at, one in enumerate(questions)
        for budget in ("8K", "16K", "32K", "64K")
    }
    found = scores(marks.tolist() if marks.size else np.zeros(shape).tolist(), questions or None)
    if not questions:
        found = replace(found, questions=(), marks=np.zeros((entrants, budgets, 0), np.uint8))
    return Study(found, FEW, positions=positions, readings=np.ones_like(found.marks))


def nothing() -> Study:
    return replace(study(1, 1), scores=study(1, 1).scores.of_entrants([]), readings=None)


def controls() -> Study:
    made = study(2, 1)
    named = tuple(
        Entrant(name=name, system=name, kind="control") for name in ("oracle", "always-abstain")
    )
    return replace(made, scores=replace(made.scores, entrants=named))


def all_failed() -> Study:
    made = study(2, 4)
    return replace(
        made, scores=replace(made.scores, marks=np.full_like(made.scores.marks, Mark.REJECTED))
    )


STUDIES: dict[str, Callable[[], Study]] = {
    "three models": lambda: study(3, 4),
    "one model": lambda: study(1, 4),
    "one budget": lambda: study(3, 1),
    "two controls": controls,
    "nobody": nothing,
    "no questions": lambda: study(2, 2, []),
    "one question": lambda: study(2, 4, QUESTIONS[:1]),
    "answerable items only": lambda: study(2, 2, [one for one in QUESTIONS if one.gold]),
    "refusal items only": lambda: study(2, 2, [one for one in QUESTIONS if not one.gold]),
    "everything was rejected": all_failed,
}
LARGE = {"three models", "one model", "one question", "answerable items only"}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name in LARGE else []) for name in STUDIES],
)
def test_whatever_there_is_is_drawn_and_the_rest_has_a_reason(name: str) -> None:
    tables = all_tables(STUDIES[name]())
    drawn, reasons = draw_all(tables), left_out(tables)
    assert sorted([*drawn, *reasons]) == sorted(FIGURES)
    assert all(reasons.values())
    for one in drawn.values():
        assert words(one.svg)
        assert not {"nan", "NaN", "None", "inf"} & set(words(one.svg))
        assert "nan" not in one.description
        assert "None" not in one.description
        assert set(one.tables) <= set(tables)
    if name == "three models":
        assert set(reasons) == {
            "dataset", "error-profiles", "error-profiles-by-subtype", "arm-split",
        }  # fmt: skip
        found = [each for one in drawn.values() for each in ids(one.svg)]
        assert len(found) == len(set(found))
        assert draw_all(tables, "code").keys() == drawn.keys()
        assert all(one.png().startswith(b"\x89PNG") for one in drawn.values())


def test_a_table_that_is_not_there_is_named() -> None:
    assert draw_all({}) == {}
    assert left_out({})["scaling"] == "there is no table scaling"
    some: dict[str, Table[Any]] = all_tables(study(2, 2))
    del some["group-means"]
    assert left_out(some)["accuracy-by-evidence"] == "there is no table group-means"


def test_every_figure_is_named_after_what_it_shows() -> None:
    for name, plot in FIGURES.items():
        assert plot.name == name == name.lower().replace(" ", "-")
        assert plot.title
        assert plot.tables
    repeated = {plot.source.removeprefix("VoxMem, ") for plot in FIGURES.values()}
    assert {f"Figure {number}" for number in (1, 4, 5, 6, 7, 8, 9, 10)} <= repeated
