"""The template planner, and what drafts look like to the semantics."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.plan.builders import DEMO, PAPER, first
from voxmem.errors import ConstructionError
from voxmem.plan.candidates import PlanRejection, TemplatePlanner
from voxmem.plan.preview import as_session, preview
from voxmem.plan.requests import requests
from voxmem.records import Cue, Fact, Plan, PlannedSession


def test_a_request_has_as_many_candidates_as_the_quota_and_always_the_same() -> None:
    request = requests(DEMO)[0]
    for quota in (1, 4):
        planner = TemplatePlanner(DEMO.model_copy(update={"quota": quota}))
        made = planner.candidates(request)
        assert len(made) == quota
        assert made == planner.candidates(request)
        plans = [item for item in made if isinstance(item, Plan)]
        assert len({plan.question.question_id for plan in plans}) == len(plans)
        assert {item.role for plan in plans for item in plan.sessions} == {"evidence"}


def test_what_cannot_be_made_is_a_rejection_that_says_why() -> None:
    """A window of two days holds no three conversations."""
    short = PAPER.model_copy(update={"window": (date(2025, 3, 1), date(2025, 3, 2))})
    asked = next(item for item in requests(PAPER) if item.form == "value_changes")
    made = TemplatePlanner(short).candidates(asked)
    assert all(isinstance(item, PlanRejection) for item in made)
    assert {item.detail for item in made} == {"the window has too few days"}  # type: ignore[union-attr]
    assert [item.candidate for item in made] == [0, 1, 2]  # type: ignore[union-attr]
    assert {item.form for item in made} == {"value_changes"}  # type: ignore[union-attr]


def test_a_preview_has_every_annotation_and_no_words() -> None:
    fact = Fact(entity="the lamp", referent="the lamp@p01", attribute="day", value="Friday")
    planned = PlannedSession(
        session_id="s",
        topic="work",
        speaker="p01",
        role="evidence",
        timestamp=datetime(2025, 3, 1, 9),
        facts=(fact,),
        entities=("the lamp",),
        cue=Cue(dimension="rate", value="fast"),
        sound="rain",
        turns=4,
        key_turn=2,
    )
    (turn,) = as_session(planned).turns
    assert (turn.text, turn.speaker, turn.sound) == ("", "p01", "rain")
    assert (turn.facts, turn.cues) == ((fact,), (planned.cue,))
    assert as_session(planned).entities == ("the lamp",)
    with pytest.raises(ConstructionError, match="has no timestamp"):
        preview([planned.model_copy(update={"timestamp": None})])


def test_a_preview_is_in_order_of_time() -> None:
    plan = first("value_sequence")
    names = [item.session_id for item in preview(reversed(plan.sessions))]
    assert names == [item.session_id for item in plan.sessions]
