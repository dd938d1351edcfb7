"""From a config to plans: enumerated, validated, selected, and all of it reproducible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import date
from multiprocessing import get_context
from typing import Any

import pytest

from tests.plan.builders import (
    DEMO,
    PAPER,
    answerable,
    asking,
    demo,
    one_cell,
    refusals,
    rivals,
)
from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import key
from voxmem.plan import planner
from voxmem.plan.candidates import PlanRejection, TemplatePlanner
from voxmem.plan.draft import Request
from voxmem.plan.planner import Planned, enumerate_candidates, plan_benchmark
from voxmem.plan.requests import quotas, requests
from voxmem.plan.validate import check
from voxmem.records import Plan
from voxmem.semantics.consequences import Violation
from voxmem.taxonomy import CELLS, Cell, EvidenceType, Operation

SMALL = one_cell(Operation.INFORMATION_EXTRACTION, EvidenceType.PARALINGUISTIC, 6)


def plan_hash(planned: Planned) -> str:
    """What two equal builds have in common."""
    return key(planned.plans, planned.rejections, planned.candidates)


# --- the demo ---------------------------------------------------------------------------------


def test_every_cell_holds_as_many_questions_as_asked_for() -> None:
    found = Counter(
        Cell(plan.question.operation, plan.question.evidence_type) for plan in answerable()
    )
    assert found == {
        cell: DEMO.target(cell) for cell in CELLS if cell.operation is not Operation.ANSWER_REFUSAL
    }
    sources = {plan.question.question_id for plan in answerable()}
    assert {plan.question.source_question_id for plan in refusals()} <= sources
    assert list(demo().plans) == [*answerable(), *refusals()]


def test_every_consequence_of_every_plan_holds() -> None:
    assert [fault for plan in demo().plans for fault in check(plan, DEMO)] == []


def test_plans_hold_evidence_and_its_distractors() -> None:
    for plan in answerable():
        assert {item.role for item in plan.sessions} == {"evidence", "samekey_haystack"}
        assert len(rivals(plan)) == DEMO.budgets[-1].samekey
    ids = [item.session_id for plan in answerable() for item in plan.sessions]
    assert len(set(ids)) == len(ids)
    texts = [plan.question.text for plan in answerable()]
    assert len(set(texts)) == len(texts)


def test_candidates_are_those_that_are_valid_and_those_that_are_not() -> None:
    assert demo().candidates == DEMO.requests * DEMO.quota
    found, planned = enumerate_candidates(SMALL, requests(SMALL)), plan_benchmark(SMALL)
    assert planned.candidates == len(found.sketches) + len(found.rejections)
    assert planned.rejections[: len(found.rejections)] == found.rejections


# --- the same every time ----------------------------------------------------------------------


def in_threads(function: Callable[[Any], Any], items: Iterable[Any], /) -> Iterator[Any]:
    """Three at a time."""
    with ThreadPoolExecutor(3) as pool:
        yield from pool.map(function, items)


def in_processes(function: Callable[[Any], Any], items: Iterable[Any], /) -> Iterator[Any]:
    """In two other processes, which share nothing with this one."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, items)


@pytest.mark.parametrize("block", [1, 7, 1_000])
def test_plans_do_not_depend_on_who_answers_the_requests(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = plan_hash(plan_benchmark(SMALL))
    monkeypatch.setattr(planner, "BLOCK", block)
    assert plan_hash(plan_benchmark(SMALL, mapper=in_threads)) == expected


def test_plans_do_not_depend_on_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = plan_hash(plan_benchmark(SMALL))
    monkeypatch.setattr(planner, "BLOCK", 9)
    assert plan_hash(plan_benchmark(SMALL, mapper=in_processes)) == expected


def test_another_seed_is_another_benchmark() -> None:
    plans = [
        plan_benchmark(SMALL.model_copy(update={"seed": seed})).plans for seed in (SMALL.seed, 2)
    ]
    names = [{plan.question.question_id for plan in each} for each in plans]
    texts = [{plan.question.text for plan in each} for each in plans]
    assert not names[0] & names[1]
    assert not texts[0] & texts[1]


# --- rejections -------------------------------------------------------------------------------


class Spoiling(TemplatePlanner):
    """A planner whose later candidates are no good."""

    def __init__(self, config: BuildConfig, spoil: Callable[[Plan], Plan | PlanRejection]) -> None:
        super().__init__(config)
        self._spoil = spoil

    def candidates(self, request: Request) -> list[Plan | PlanRejection]:
        """A good one, and what becomes of it."""
        good = super().candidates(request)[0]
        assert isinstance(good, Plan)
        return [good, self._spoil(good)]


def test_a_candidate_that_says_what_another_one_says_is_a_duplicate() -> None:
    source = Spoiling(
        SMALL, lambda plan: asking(plan, question_id="q_other", text=plan.wordings[-1])
    )
    found = plan_benchmark(SMALL, source)
    assert found.reasons["duplicate"] >= SMALL.requests
    assert found.candidates == 2 * SMALL.requests
    assert len(found.plans) == 6
    for item in found.rejections:
        if item.reason == "duplicate" and item.candidate == 1:
            assert item.detail == f"says what request {item.request} says"


@pytest.mark.parametrize(
    ("reason", "spoil"),
    [
        ("route", lambda plan: asking(plan, form="none")),
        ("identifiers", lambda plan: asking(plan, asker="p99")),
        ("gold", lambda plan: asking(plan, gold="bored")),
        ("wording", lambda plan: asking(plan, text="?")),
        (
            "no_unique_answer",
            lambda plan: PlanRejection(
                form=plan.question.form,
                request=0,
                candidate=1,
                reason="no_unique_answer",
                detail="ambiguous",
            ),
        ),
    ],
)
def test_every_rejection_is_counted_by_its_reason(
    reason: str, spoil: Callable[[Plan], Plan | PlanRejection]
) -> None:
    asked = requests(SMALL)
    found = enumerate_candidates(SMALL, asked, Spoiling(SMALL, spoil))
    counts = Counter(item.reason for item in found.rejections)
    assert counts[reason] == len(asked)
    assert len(found.sketches) + len(found.rejections) == 2 * len(asked)
    row = next(item for item in found.rejections if item.reason == reason)
    assert row.candidate == 1
    assert row.detail


def test_a_plan_that_does_not_bear_out_its_consequences_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused: list[str] = []

    def strict(plan: Plan, config: BuildConfig) -> list[Violation]:
        if len(refused) < 3:
            refused.append(plan.question.question_id)
            return [Violation("order", "of no consequence"), Violation("cardinality", "")]
        return check(plan, config)

    monkeypatch.setattr(planner, "check", strict)
    found = plan_benchmark(SMALL)
    assert found.reasons == {"order": 3}
    assert [item.detail for item in found.rejections] == ["of no consequence"] * 3
    assert len(found.plans) == 6
    assert not {plan.question.question_id for plan in found.plans} & set(refused)


def test_progress_is_told_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "BLOCK", 15)
    told: list[tuple[int, int]] = []
    enumerate_candidates(SMALL, requests(SMALL), progress=lambda *now: told.append(now))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_language_model_is_asked_from_this_process() -> None:
    """Its connections and what it has answered are here."""

    def nowhere(function: Callable[[Any], Any], items: Iterable[Any], /) -> Iterator[Any]:
        raise AssertionError("must not be spread")

    source = TemplatePlanner(SMALL)
    found = enumerate_candidates(SMALL, requests(SMALL), source, mapper=nowhere)
    assert found == enumerate_candidates(SMALL, requests(SMALL))


# --- what cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({"requests": 2}, "0 of 1 questions found, no valid candidate is left"),
        ({"households": 8}, "no 8 households of four or more"),
        ({"main_users": 40}, "there are 30 personas, not 40"),
    ],
)
def test_impossible_counts_are_an_error_that_says_what_to_do(
    update: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConstructionError, match=message) as caught:
        plan_benchmark(SMALL.model_copy(update=update))
    assert caught.value.stage == "plan"
    assert caught.value.item
    assert caught.value.remedy


def test_a_window_that_is_too_short_for_the_evidence() -> None:
    config = one_cell(
        Operation.TEMPORAL_EVOLUTION_TRACKING,
        EvidenceType.SPEECH_SEMANTICS,
        13,
        window=(date(2025, 3, 1), date(2025, 3, 2)),
    )
    with pytest.raises(ConstructionError, match="no valid candidate is left") as caught:
        plan_benchmark(config)
    assert caught.value.item in quotas(config)


def test_a_form_without_enough_candidates_is_named() -> None:
    """Everything about its questions is said by one request already."""
    source = TemplatePlanner(SMALL)
    (asked, *_) = requests(SMALL)

    class Repeating:
        name = "repeating"

        def candidates(self, request: Request) -> list[Plan | PlanRejection]:
            return source.candidates(asked)

    with pytest.raises(ConstructionError, match="questions found") as caught:
        plan_benchmark(SMALL, Repeating())
    assert caught.value.item in quotas(SMALL)
    assert "use more requests, a higher quota, or another seed" in str(caught.value)


def test_refusal_items_of_sources_that_there_are_not() -> None:
    cells = (
        *SMALL.cells,
        SMALL.cells[0].model_copy(
            update={
                "operation": Operation.ANSWER_REFUSAL,
                "evidence": EvidenceType.SPEAKER_IDENTITY,
                "questions": 2,
            }
        ),
    )
    with pytest.raises(ConstructionError, match="0 of 2 refusal items can be derived"):
        plan_benchmark(SMALL.model_copy(update={"cells": cells}))


# --- the paper --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_papers_plans() -> None:
    """12,000 requests give more than 30,000 candidates; every cell is exact and all consequences
    hold at all four budgets."""
    found = plan_benchmark(PAPER)
    assert found.candidates > 30_000
    assert found.candidates <= PAPER.requests * PAPER.quota
    assert sum(found.reasons.values()) < 0.1 * found.candidates
    made = [plan for plan in found.plans if plan.question.gold is not None]
    cells = Counter(Cell(plan.question.operation, plan.question.evidence_type) for plan in made)
    for cell in CELLS:
        if cell.operation is not Operation.ANSWER_REFUSAL:
            assert cells[cell] == PAPER.target(cell)
    forms = Counter(plan.question.form for plan in made)
    assert forms == quotas(PAPER)
    assert min(forms.values()) >= 2
    evidence = sum(len(plan.question.evidence_session_ids) for plan in made)
    assert abs(evidence - 1_326) < 0.03 * 1_326
    texts = {plan.question.text for plan in made}
    assert len(texts) == PAPER.answerable
    sources = {
        plan.question.source_question_id for plan in found.plans if plan.question.gold is None
    }
    assert len(sources) >= PAPER.refusals * (1 + PAPER.refusal_margin)
    assert [fault for plan in found.plans for fault in check(plan, PAPER)] == []
