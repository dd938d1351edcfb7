"""Refusal as detection, with and without being asked to abstain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.readings import KINDS, readings
from voxmem.analyze.refusal_pairs import refusal_pairs
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Interval
from voxmem.analyze.tables import abstention_by_prompt, refusal_detection
from voxmem.records import Response

C, W, F, R = Mark.CORRECT, Mark.INCORRECT, Mark.FAILED, Mark.REJECTED
SMALL = Choices(resamples=300)
ABSTAINS = "The conversation does not say."
SOURCES = [question(f"q{at}") for at in range(4)]
REFUSALS = [
    question(f"r{at}", gold=None, source_question_id=f"q{at}", family_id=f"q{at}")
    for at in range(4)
]


def _reply(one: Entrant, name: str, text: str | None, outcome: str = "ok") -> Response:
    return Response.model_validate(
        {
            "response_id": f"{one.name}-{name}",
            "item_id": name,
            "question_id": name,
            "budget": "8K",
            "system": one.system,
            "arm": one.arm,
            "outcome": outcome,
            "text": text,
            "prompt_hash": "p",
        }
    )


def _study(
    marks: Sequence[Sequence[int]], abstains: list[set[str]], entrants: list[Entrant]
) -> Study:
    cube = scores([[row] for row in marks], [*SOURCES, *REFUSALS], entrants)
    said = [
        _reply(who, one.question_id, ABSTAINS if one.question_id in names else "Green tea.")
        for who, names in zip(entrants, abstains, strict=True)
        for one in cube.questions
    ]
    return Study(cube, SMALL, readings=readings(cube, said))


def test_detection_by_hand() -> None:
    one = Entrant(name="m0", system="m0")
    marks = [[C, C, W, W, C, W, C, C]]
    found = refusal_detection.make(_study(marks, [{"q3", "r0", "r2", "r3"}], [one]))
    [row, _] = found.rows
    assert (row.hits.correct, row.hits.n) == (3, 4)
    assert (row.false_alarms.correct, row.false_alarms.n) == (1, 4)
    hit, alarm = stats.norm.ppf(3.5 / 5), stats.norm.ppf(1.5 / 5)
    assert row.d_prime.value == pytest.approx(hit - alarm)
    assert row.criterion.value == pytest.approx(-(hit + alarm) / 2)
    assert (row.both_right.correct, row.both_right.n, row.both_right.expected) == (1, 4, 4)
    assert row.d_prime.low is not None
    assert row.d_prime.low < hit - alarm


def test_what_was_not_judged_is_in_no_pair() -> None:
    one = Entrant(name="m0", system="m0")
    [paper, code] = refusal_detection.make(_study([[C, C, R, C, C, F, C, C]], [{"r0"}], [one])).rows
    assert (paper.both_right.correct, paper.both_right.n) == (2, 3)
    assert (code.both_right.correct, code.both_right.n) == (2, 2)
    assert (paper.false_alarms.n, paper.hits.n, code.hits.n) == (3, 4, 3)


def test_unread_replies_and_missing_strata_give_no_number() -> None:
    one = Entrant(name="m0", system="m0")
    full = _study([[C] * 8], [set()], [one])
    table = refusal_detection.make(replace(full, readings=None))
    assert (table.rows[0].d_prime, table.rows[0].hits.value) == (Interval(), None)
    assert table.rows[0].both_right.value == 1
    assert any("not read" in note for note in table.notes)
    answerable = scores([[[C, W]]])
    study = Study(answerable, SMALL, readings=np.zeros((1, 1, 2), dtype=np.uint8))
    table = refusal_detection.make(study)
    assert (table.rows[0].criterion, table.rows[0].both_right.n) == (Interval(), 0)
    assert any("no refusal items" in note for note in table.notes)
    nothing = Study(Scores.of([], [], [], "rule-1"), SMALL)
    assert refusal_detection.make(nothing).rows == ()
    assert abstention_by_prompt.make(nothing).rows == ()


def test_pairs_are_by_the_named_source_or_the_family() -> None:
    asked = [
        question("a", family_id="f"),
        question("b", family_id="f"),
        question("named", gold=None, family_id="f", source_question_id="b"),
        question("unnamed", gold=None, family_id="f"),
        question("lost", gold=None, family_id="f", source_question_id="gone"),
        question("alone", gold=None, family_id="g"),
    ]
    assert refusal_pairs(asked) == ((1, 2), (0, 3))


def test_replies_are_read_once_and_failures_not_at_all() -> None:
    one = Entrant(name="m0", system="m0")
    cube = scores([[[C, W, F, W]]], SOURCES, [one])
    said = [
        _reply(one, "q0", ABSTAINS),
        _reply(one, "q0", "Green tea."),
        _reply(one, "q1", "I do not have access to previous conversations."),
        _reply(one, "q2", ABSTAINS, "error"),
        _reply(one, "q3", " "),
        _reply(one, "elsewhere", ABSTAINS),
    ]
    codes = readings(cube, said)[0, 0].tolist()
    named = [KINDS[code - 1] if code else None for code in codes]
    assert named == ["evidence_refusal", "capability_refusal", None, "empty"]


def test_abstention_by_prompt_is_paired() -> None:
    asked = Entrant(name="m0", system="m0")
    unasked = Entrant(name="m0 (no-abstention)", system="m0", arm="no-abstention")
    study = _study(
        [[W, C, C, C, C, C, C, R], [C, C, C, C, W, W, C, C]],
        [{"q0", "r0", "r1", "r2"}, {"r2", "r3"}],
        [asked, unasked],
    )
    found = {
        row.stratum: row for row in abstention_by_prompt.make(study).rows if row.policy == "paper"
    }
    refusal = found["refusal"]
    assert (refusal.abstains_asked.correct, refusal.abstains_asked.n) == (3, 3)
    assert (refusal.abstains_unasked.correct, refusal.abstains_unasked.n) == (1, 3)
    assert refusal.change.value == pytest.approx(2 / 3)
    assert found["answerable"].change.value == 0.25
    alone = abstention_by_prompt.make(_study([[C] * 8], [set()], [asked]))
    assert alone.rows == ()
    assert any("with and without" in note for note in alone.notes)
