"""The deterministic auditor against people, on errors that it was mended on and on others."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.analyze.attribution.human import Classed, errors
from voxmem.analyze.attribution.agreement import agreement_with_people
from voxmem.analyze.attribution.annotations import AnnotationAuditor
from voxmem.analyze.attribution.exclusions import exclusion
from voxmem.analyze.attribution.rules import classify
from voxmem.judge.rule import RuleJudge


def classes(of: tuple[Classed, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Response id → class, by the auditor and by people."""
    auditor = AnnotationAuditor()
    audited: dict[str, str] = {
        one.response.response_id: classify(
            auditor.audit(one.item, one.response), one.item.question
        ).error_class
        for one in of
    }
    return audited, {one.response.response_id: one.error_class for one in of}


WORDINGS = (
    "Based on our conversations, the answer is {}.",
    "**{}**\n\nThat is what came up when we talked about it.",
    '{{"answer": "{}"}}',
)


def test_errors_that_the_auditor_was_only_tried_on() -> None:
    """Version 2 agreed on 41 of 42 (kappa 0.96) before anything was changed for them."""
    rows = {
        row.error_class: row for row in agreement_with_people("rule", *classes(errors("demo"))).rows
    }
    assert rows["all"].n == 42
    assert (rows["all"].share or 0) >= 0.95
    assert (rows["all"].kappa.value or 0) >= 0.93


@pytest.mark.parametrize("wording", WORDINGS)
def test_the_wording_of_an_answer_changes_no_class(wording: str) -> None:
    found = (*errors("small"), *errors("demo"))
    worded = tuple(
        one._replace(
            response=one.response.model_copy(update={"text": wording.format(one.response.text)})
        )
        for one in found
    )
    plain, others = (
        [AnnotationAuditor().audit(one.item, one.response).source for one in some]
        for some in (found, worded)
    )
    assert sum(a != b for a, b in zip(plain, others, strict=True)) <= 1


def test_a_hundred_errors_that_the_auditor_was_mended_on() -> None:
    """Version 1 agreed on 90 (kappa 0.85); version 2 was made with these before it."""
    found = errors("small")
    assert len(found) == 100
    rows = {row.error_class: row for row in agreement_with_people("rule", *classes(found)).rows}
    assert (rows["all"].share or 0) >= 0.97
    assert (rows["all"].kappa.value or 0) >= 0.95


def test_they_are_wrong_commit_to_an_answer_and_are_of_every_kind() -> None:
    judge = RuleJudge()
    for one in (*errors("small"), *errors("demo")):
        assert judge.judge(one.item.question, one.response).status == "incorrect"
        assert exclusion(one.item.question, one.response) is None
        assert one.why
    questions = [one.item.annotated for one in errors("small")]
    assert len({question.subtype for question in questions}) == 8
    assert min(Counter(question.evidence_type for question in questions).values()) >= 19


@pytest.mark.parametrize("of", ["recognition", "binding", "operation", "unsupported"])
def test_each_class_is_found(of: str) -> None:
    rows = agreement_with_people("rule", *classes(errors("small"))).rows
    row = next(row for row in rows if row.error_class == of)
    assert row.people >= 4
    assert (row.share or 0) >= 0.9
