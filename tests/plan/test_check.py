"""What a plan must bear out with its distractors, at every budget."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.plan.builders import (
    DEMO,
    PAPER,
    asking,
    changed,
    evidence,
    first,
    holding,
    rivalled,
    rivals,
)
from voxmem.plan.validate import at_budget, check
from voxmem.plan.validate import first as first_of
from voxmem.records import Plan
from voxmem.taxonomy import EvidenceType, Operation


def test_shorter_budgets_hold_a_part_of_what_longer_ones_hold() -> None:
    (plan,) = rivalled("voice_fact_of_entity", "paper", 1)
    held = [at_budget(plan, budget) for budget in PAPER.budgets]
    assert [len(items) - 1 for items in held] == [1, 2, 4, 8]
    names = [{item.session_id for item in items} for items in held]
    assert all(one < two for one, two in pairwise(names))
    assert first_of(plan, "samekey_haystack", 2) == tuple(rivals(plan)[:2])


def test_a_consequence_is_named_with_the_budgets_at_which_it_fails() -> None:
    """The fourth distractor says what the evidence says, so histories of four and more hold two
    such sessions."""
    (plan,) = rivalled("voice_fact_of_entity", "paper", 1)
    assert check(plan, PAPER) == []
    (mine,), fourth = evidence(plan), rivals(plan)[3]
    update = {"facts": mine.facts, "cue": mine.cue, "entities": mine.entities, "topic": mine.topic}
    twin = fourth.model_copy(update=update)
    twin = twin.model_copy(
        update={"facts": (mine.facts[0].model_copy(update={"value": fourth.facts[0].value}),)}
    )
    spoilt = holding(
        plan, [twin if item.session_id == fourth.session_id else item for item in plan.sessions]
    )
    found = check(spoilt, PAPER)
    assert {fault.consequence for fault in found} == {"gold_recomputed"}
    assert [fault.detail.partition(":")[0] for fault in found] == ["at 32K", "at 64K"]


def test_a_plan_without_distractors_fails_the_shortcut() -> None:
    plan = first("voice_fact_of_entity")
    found = check(plan, PAPER)
    assert [fault.consequence for fault in found] == ["shortcut_fails"]
    assert found[0].detail.startswith("at 8K: ")


@pytest.mark.parametrize(
    ("form", "consequence", "spoil"),
    [
        ("total", "gold_recomputed", lambda plan: asking(plan, gold=-1)),
        (
            "total",
            "identifiers",
            lambda plan: asking(
                plan, evidence_session_ids=(*plan.question.evidence_session_ids, "nowhere")
            ),
        ),
        (
            "total",
            "labels",
            lambda plan: changed(plan, sound="thunder"),
        ),
        (
            "total",
            "evidence_necessary",
            lambda plan: asking(
                plan,
                evidence_session_ids=(
                    *plan.question.evidence_session_ids,
                    rivals(plan)[0].session_id,
                ),
            ),
        ),
        (
            "total",
            "order",
            lambda plan: asking(plan, operation=Operation.TEMPORAL_EVOLUTION_TRACKING),
        ),
        (
            "value_sequence",
            "order",
            lambda plan: asking(plan, operation=Operation.MULTI_SESSION_REASONING),
        ),
        (
            "total",
            "own_channel_necessary",
            lambda plan: asking(plan, evidence_type=EvidenceType.ENVIRONMENTAL),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_plan_that_claims_too_much(
    form: str, consequence: str, spoil: Callable[[Plan], Plan]
) -> None:
    (plan,) = rivalled(form, "demo", 1)
    assert check(plan, DEMO) == []
    assert consequence in {fault.consequence for fault in check(spoil(plan), DEMO)}
