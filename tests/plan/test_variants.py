"""How many refusal variants are made, of which sources, and which are released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.plan.builders import DEMO, PAPER, answerable, holding, refusals
from voxmem.config import BuildConfig, CellTarget, SourceTarget, with_seed
from voxmem.errors import ConstructionError
from voxmem.keys import key
from voxmem.plan.planner import plan_benchmark
from voxmem.plan.validate import check
from voxmem.plan.variants import (
    VARIANTS,
    Sources,
    choose_refusals,
    derive_refusals,
    refusal_quotas,
)
from voxmem.records import Question
from voxmem.taxonomy import Cell, Derivation, EvidenceType, Operation

EXTRACTION, REASONING, TRACKING, REFUSAL = Operation
SEMANTICS, SPEAKER, VOICE, SOUND = EvidenceType


def wanting(
    rows: dict[EvidenceType, int],
    columns: dict[Operation, int] | None = None,
    sources: int = 20,
) -> BuildConfig:
    """A build with so many refusal items by evidence type and by source operation."""
    cells = [
        item.model_copy(
            update={
                "questions": rows.get(item.evidence, 0) if item.operation is REFUSAL else sources
            }
        )
        for item in PAPER.cells
    ]
    found = [
        SourceTarget(operation=operation, questions=count)
        for operation, count in (columns or {}).items()
    ]
    return PAPER.model_copy(update={"cells": tuple(cells), "refusal_sources": tuple(found)})


# --- quotas -----------------------------------------------------------------------------------


def test_the_papers_table_has_the_papers_sums() -> None:
    table = refusal_quotas(PAPER)
    rows, columns = Counter[EvidenceType](), Counter[Operation | None]()
    for (evidence, operation), count in table.items():
        rows[evidence] += count
        columns[operation] += count
    assert rows == {SEMANTICS: 37, SPEAKER: 21, VOICE: 42, SOUND: 30}
    assert columns == {EXTRACTION: 47, REASONING: 49, TRACKING: 34}
    assert (SEMANTICS, EXTRACTION) not in table
    for (evidence, operation), count in table.items():
        assert operation is not None
        assert 0 < count <= PAPER.target(Cell(operation, evidence))


def test_a_table_is_near_the_proportions_of_the_sources() -> None:
    """Of cells of one size, as many items of each."""
    rows = {SEMANTICS: 20, SPEAKER: 30, VOICE: 30, SOUND: 30}
    columns = {EXTRACTION: 30, REASONING: 40, TRACKING: 40}
    table = refusal_quotas(wanting(rows, columns))
    assert set(table.values()) == {10}


def test_where_nothing_is_said_about_sources_they_may_be_any() -> None:
    rows = {SEMANTICS: 1, SPEAKER: 2, VOICE: 3}
    assert refusal_quotas(wanting(rows)) == {
        (SEMANTICS, None): 1,
        (SPEAKER, None): 2,
        (VOICE, None): 3,
        (SOUND, None): 0,
    }


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        # Nothing is extracted over what was said.
        ({SEMANTICS: 10}, {EXTRACTION: 10}),
        ({SEMANTICS: 8, VOICE: 2}, {EXTRACTION: 5, TRACKING: 5}),
    ],
)
def test_a_table_that_there_is_not(
    rows: dict[EvidenceType, int], columns: dict[Operation, int]
) -> None:
    with pytest.raises(ConstructionError, match="no table of refusal items") as caught:
        refusal_quotas(wanting(rows, columns))
    assert caught.value.stage == "plan"
    assert "refusal_sources" in str(caught.value.remedy)


def test_a_table_without_any_choice() -> None:
    rows, columns = {SEMANTICS: 5, VOICE: 5}, {EXTRACTION: 5, TRACKING: 5}
    table = refusal_quotas(wanting(rows, columns))
    assert {margin: count for margin, count in table.items() if count} == {
        (SEMANTICS, TRACKING): 5,
        (VOICE, EXTRACTION): 5,
    }


# --- deriving ---------------------------------------------------------------------------------


def test_the_demo_has_variants_of_enough_sources_and_all_hold() -> None:
    made = refusals()
    assert all(check(plan, DEMO) == [] for plan in made)
    sources = Counter(plan.question.source_question_id for plan in made)
    assert max(sources.values()) == VARIANTS
    rules = {(plan.question.source_question_id, plan.question.derivation) for plan in made}
    assert len(rules) == len(made)
    wanted = refusal_quotas(DEMO)
    for (evidence, _), count in wanted.items():
        found = {
            plan.question.source_question_id
            for plan in made
            if plan.question.evidence_type is evidence
        }
        assert len(found) >= count


@pytest.mark.parametrize(("margin", "sources"), [(0.0, 2), (0.5, 3), (0.9, 4)])
def test_more_are_made_than_wanted_by_the_margin(margin: float, sources: int) -> None:
    cells = tuple(
        item if item.operation is not REFUSAL or item.evidence is VOICE
        else item.model_copy(update={"questions": 0})
        for item in DEMO.cells
    )  # fmt: skip
    config = DEMO.model_copy(update={"cells": cells, "refusal_margin": margin})
    made = derive_refusals(config, answerable())
    assert len({plan.question.source_question_id for plan in made}) == sources
    assert {plan.question.evidence_type for plan in made} == {VOICE}


def test_the_last_question_that_could_be_a_source_must_be_one() -> None:
    """One refusal item is wanted of two questions: the first may be of any kind."""
    name = next(
        plan.question.source_question_id
        for plan in refusals()
        if plan.question.evidence_type is VOICE
    )
    good = next(plan for plan in answerable() if plan.question.question_id == name)
    bad = holding(good, ())
    for first, second, lacks in ((bad, bad, True), (bad, good, False), (good, bad, False)):
        sources = Sources(wanting({VOICE: 1}), {good.question.form: 2})
        assert not sources.lacks(first)
        sources.take(first)
        assert sources.lacks(second) is lacks


@pytest.mark.parametrize("seed", [5, 7, pytest.param(9, marks=pytest.mark.slow)])
def test_a_small_build_has_its_refusal_items_whatever_the_seed(seed: int) -> None:
    config = with_seed(DEMO, seed)
    made = Counter(
        plan.question.evidence_type
        for plan in plan_benchmark(config).plans
        if plan.question.gold is None
    )
    assert all(made[evidence] >= 2 for evidence in EvidenceType)


def test_too_few_sources_are_an_error() -> None:
    few = [plan for plan in answerable() if plan.question.evidence_type is not SOUND]
    with pytest.raises(ConstructionError, match="0 of 2 refusal items") as caught:
        derive_refusals(DEMO, few)
    assert caught.value.item == "environmental"
    assert "fewer refusal items" in str(caught.value.remedy)


def test_no_refusal_items_are_wanted_none_are_made() -> None:
    cells = tuple(
        CellTarget(operation=item.operation, evidence=item.evidence, questions=0)
        if item.operation is REFUSAL
        else item
        for item in DEMO.cells
    )
    assert derive_refusals(DEMO.model_copy(update={"cells": cells}), answerable()) == []


def test_rules_take_turns() -> None:
    rules = Counter(plan.question.derivation for plan in refusals())
    assert len(rules) >= 4


# --- choosing ---------------------------------------------------------------------------------


def variant(source: str, rule: Derivation, number: int = 0, **update: object) -> Question:
    """A refusal item by hand."""
    model = next(plan.question for plan in refusals() if plan.question.evidence_type is VOICE)
    fields = {
        "question_id": f"{source}_{rule.value}_{number}",
        "source_question_id": source,
        "derivation": rule,
    }
    return model.model_copy(update={**fields, **update})


COMPLETE, NEUTRAL, AMBIGUOUS = (
    Derivation.COMPLETE_REMOVAL,
    Derivation.CUE_NEUTRALIZATION,
    Derivation.AMBIGUITY,
)


def chosen(config: BuildConfig, questions: Sequence[Question]) -> list[str]:
    """The ids of what is released."""
    return [item.question_id for item in choose_refusals(config, questions)]


def test_one_variant_of_a_source_is_released() -> None:
    passed = [variant("a", rule) for rule in (COMPLETE, NEUTRAL, AMBIGUOUS)]
    assert chosen(wanting({VOICE: 9}), passed) == ["a_ambiguity_0"]
    assert chosen(wanting({VOICE: 9}), passed[:2]) == ["a_complete_removal_0"]


def test_the_rule_that_was_used_least_goes_first_and_then_the_smallest_id() -> None:
    names = sorted("abcdef", key=lambda name: key("source", name))
    passed = [variant(name, rule) for name in names for rule in (NEUTRAL, AMBIGUOUS)]
    found = choose_refusals(wanting({VOICE: 6}), reversed(passed))
    assert [item.source_question_id for item in found] == names
    assert [item.derivation for item in found] == [AMBIGUOUS, NEUTRAL] * 3
    twins = [variant("a", NEUTRAL, number) for number in (2, 1)]
    assert chosen(wanting({VOICE: 1}), twins) == ["a_cue_neutralization_1"]


def test_no_more_are_released_than_wanted() -> None:
    passed = [variant(name, COMPLETE) for name in "abcdef"]
    passed += [variant(name, COMPLETE, evidence_type=SOUND) for name in "ghi"]
    found = choose_refusals(wanting({VOICE: 4, SOUND: 1, SPEAKER: 3}), passed)
    assert Counter(item.evidence_type for item in found) == {VOICE: 4, SOUND: 1}


def test_the_table_by_source_operation_is_kept() -> None:
    passed = [
        variant(f"{operation}{at}", COMPLETE, source_operation=operation)
        for operation in (EXTRACTION, REASONING, TRACKING)
        for at in range(9)
    ]
    columns = {EXTRACTION: 5, REASONING: 3, TRACKING: 1}
    found = choose_refusals(wanting({VOICE: 9}, columns), passed)
    assert Counter(item.source_operation for item in found) == columns


def test_what_is_released_does_not_depend_on_the_order() -> None:
    passed = [plan.question for plan in refusals()]
    assert choose_refusals(DEMO, passed) == choose_refusals(DEMO, passed[::-1])
    found = choose_refusals(DEMO, passed)
    assert len(found) == DEMO.refusals
    assert len({item.source_question_id for item in found}) == len(found)
