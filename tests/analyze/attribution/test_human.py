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
    audited = {
        one.response.response_id: classify(
            auditor.audit(one.item, one.response), one.item.question
        ).error_class
        for one in of
    }
    return audited, {one.response.response_id: one.error_class for one in of}


def test_a_hundred_errors_that_the_auditor_was_mended_on() -> None:
    """Version 1 agreed on 90 (kappa 0.85); version 2 was made with these before it."""
    found = errors()
    assert len(found) == 100
    rows = {row.error_class: row for row in agreement_with_people("rule", *classes(found)).rows}
    assert (rows["all"].share or 0) >= 0.97
    assert (rows["all"].kappa.value or 0) >= 0.95


def test_they_are_wrong_commit_to_an_answer_and_are_of_every_kind() -> None:
    judge = RuleJudge()
    for one in errors():
        assert judge.judge(one.item.question, one.response).status == "incorrect"
        assert exclusion(one.item.question, one.response) is None
        assert one.why
    questions = [one.item.annotated for one in errors()]
    assert len({question.subtype for question in questions}) == 8
    assert min(Counter(question.evidence_type for question in questions).values()) >= 19


@pytest.mark.parametrize("of", ["recognition", "binding", "operation", "unsupported"])
def test_each_class_is_found(of: str) -> None:
    rows = agreement_with_people("rule", *classes(errors())).rows
    row = next(row for row in rows if row.error_class == of)
    assert row.people >= 4
    assert (row.share or 0) >= 0.9
