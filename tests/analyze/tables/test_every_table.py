"""Every table of the report survives whatever a study lacks: no exception, no warning, no number
that is not finite, and a note where nothing is shown."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables import TABLES
from voxmem.taxonomy import EvidenceType, Operation

C, W = int(Mark.CORRECT), int(Mark.INCORRECT)
FEW = Choices(resamples=50)
NOTHING = Scores.of([], [], [], "rule-1")
CONTROL = Entrant(name="oracle", system="oracle", kind="control")
REFUSALS = [question(f"r{at}", gold=None) for at in range(3)]
MIXED = [
    question("a"),
    question("b", evidence_type=EvidenceType.SPEECH_SEMANTICS),
    question("r", gold=None, source_question_id="a", operation=Operation.ANSWER_REFUSAL),
]


def _study(cube: Scores) -> Study:
    """With everything that a study may hold."""
    return Study(
        cube,
        FEW,
        (cube,),
        readings=np.ones(cube.marks.shape, dtype=np.uint8),
        positions={(one.question_id, name): 1.0 for one in cube.questions for name in cube.budgets},
    )


STUDIES: dict[str, Study] = {
    "nobody and nothing": Study(NOTHING, FEW),
    "nobody": _study(
        Scores((), ("8K", "16K"), tuple(MIXED), np.zeros((0, 2, 3), dtype=np.uint8), "rule-1")
    ),
    "no questions": _study(
        Scores((CONTROL,), ("8K",), (), np.zeros((1, 1, 0), dtype=np.uint8), "rule-1")
    ),
    "one budget": _study(scores([[[C, W, C]], [[W, W, C]]], MIXED)),
    "one item": _study(scores([[[C], [W], [W], [W]]])),
    "controls alone": _study(scores([[[C, W, C]] * 4], MIXED, [CONTROL])),
    "no refusal items": _study(scores([[[C, W, C]] * 4, [[W, W, C]] * 4])),
    "refusal items alone": _study(scores([[[C, W, C]] * 4, [[W, W, C]] * 4], REFUSALS)),
    "nothing right": _study(scores([[[W] * 3] * 4] * 2, MIXED)),
    **{
        mark.name.lower().replace("_", " "): _study(scores([[[int(mark)] * 3] * 4] * 2, MIXED))
        for mark in Mark
    },
    "everything apart": _study(
        scores(
            [[[int(mark)] * 3 for mark in marks] for marks in ((2, 3, 7, 1), (8, 6, 4, 5))], MIXED
        )
    ),
}


UNCOUNTED = ("not asked", "absent", "rejected", "out of set", "no questions", "nobody")
"""Studies in which nothing is in a denominator: coverage alone may be a number."""


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("make", TABLES, ids=lambda make: f"{make.__module__}.{make.__name__}")
def test_every_table_survives(make: Callable[[Study], Table[Any]], clustered: bool) -> None:
    for name, study in STUDIES.items():
        chosen = study.choices.model_copy(update={"clustered": clustered})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = make(replace(study, choices=chosen))
        assert table.rows or table.notes, name
        numbers = [
            (field, value)
            for row in json.loads(table.to_json())
            for field, value in row.items()
            if isinstance(value, float) and field not in ("start", "end")
        ]
        assert all(math.isfinite(value) for _, value in numbers), name
        if name in UNCOUNTED:
            assert [one for one in numbers if "coverage" not in one[0]] == [], name
        assert table.to_csv().count("\n") == 1 + len(table.rows), name
