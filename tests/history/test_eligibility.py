"""Who may borrow what: every rule, alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.history.builders import heard, mine, told, updated, voiced
from voxmem.history.eligibility import (
    RULES,
    Candidate,
    Target,
    breach,
    candidates,
    likeness,
    target,
    words_of,
)
from voxmem.plan.draft import when_of
from voxmem.plan.near import NEAR_SOUNDS
from voxmem.query import Count, Dated, Declared
from voxmem.records import Cue, Plan, PlannedSession
from voxmem.vocabulary import SOUNDS


def fact_of(session: PlannedSession, **changes: Any) -> dict[str, Any]:
    return {"facts": (session.facts[0].model_copy(update=changes),)}


def offered(plan: Plan, **changes: Any) -> Candidate:
    """The first evidence session of a plan, changed."""
    found = candidates(plan)[0]
    session = found.session.model_copy(update=changes)
    return Candidate(session, found.family, found.cast, found.evidence_type)


def mood(value: str, dimension: str = "vocal_state") -> Cue:
    return Cue(dimension=dimension, value=value)  # type: ignore[arg-type]


TOLD, UPDATED, VOICED, HEARD, MINE = (kind(0) for kind in (told, updated, voiced, heard, mine))
OTHER_TOLD, OTHER_VOICED, OTHER_HEARD, OTHER_MINE = (
    kind(4) for kind in (told, voiced, heard, mine)
)


@pytest.mark.parametrize(
    ("plan", "other"),
    [(TOLD, OTHER_TOLD), (VOICED, OTHER_VOICED), (HEARD, OTHER_HEARD), (MINE, OTHER_MINE)],
)
def test_evidence_of_a_question_like_it_is_eligible(plan: Plan, other: Plan) -> None:
    assert [breach(target(plan), item) for item in candidates(other)] == [
        None for _ in other.question.evidence_session_ids
    ]


def of(plan: Plan) -> PlannedSession:
    return candidates(plan)[0].session


BREACHES: dict[str, Callable[[], tuple[Plan, Candidate]]] = {
    "same_family": lambda: (TOLD, offered(TOLD)),
    "other_topic": lambda: (TOLD, offered(OTHER_TOLD, topic="banking")),
    "other_acoustics": lambda: (VOICED, offered(OTHER_VOICED, cue=mood("fast", "rate"))),
    "names_its_entity": lambda: (TOLD, offered(OTHER_TOLD, entities=of(TOLD).entities)),
    "states_its_fact": lambda: (
        TOLD,
        offered(OTHER_TOLD, **fact_of(of(OTHER_TOLD), value=of(TOLD).facts[0].value)),
    ),
    "states_its_gold": lambda: (
        TOLD,
        offered(OTHER_TOLD, **fact_of(of(OTHER_TOLD), value=TOLD.question.gold)),
    ),
    "depends_on_its_time": lambda: (
        TOLD,
        offered(OTHER_TOLD, **fact_of(of(OTHER_TOLD), status="corrected")),
    ),
    "meets_a_selection": lambda: (
        HEARD,
        offered(OTHER_HEARD, topic=HEARD.sessions[0].topic, sound=of(HEARD).sound),
    ),
    "may_be_taken_for_evidence": lambda: (
        HEARD,
        offered(OTHER_HEARD, topic=HEARD.sessions[0].topic, sound=near(of(HEARD).sound)),
    ),
}


def near(sound: str | None) -> str:
    """A sound that one may take for this one."""
    return next(event for event in SOUNDS if frozenset((event, sound)) in NEAR_SOUNDS)


def test_there_is_a_breach_for_every_rule() -> None:
    assert set(BREACHES) == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize("rule", sorted(BREACHES))
def test_a_breach_is_named(rule: str) -> None:
    plan, candidate = BREACHES[rule]()
    assert breach(target(plan), candidate) == rule


def test_a_sound_is_needed_where_the_question_is_about_sounds() -> None:
    assert breach(target(HEARD), offered(OTHER_HEARD, sound=None)) == "other_acoustics"


def test_another_name_for_a_thing_is_that_thing() -> None:
    same = fact_of(of(OTHER_TOLD), referent=of(TOLD).facts[0].referent)
    assert breach(target(TOLD), offered(OTHER_TOLD, **same)) == "names_its_entity"


def test_a_fact_with_its_own_date_depends_on_its_time() -> None:
    later = when_of(of(OTHER_TOLD)) + timedelta(days=3)
    dated = fact_of(of(OTHER_TOLD), effective=later)
    assert breach(target(TOLD), offered(OTHER_TOLD, **dated)) == "depends_on_its_time"


def test_a_value_of_an_attribute_that_is_not_asked_about_may_recur() -> None:
    value = of(TOLD).facts[0].value
    other = fact_of(of(OTHER_TOLD), attribute="weight", value=value)
    assert breach(target(TOLD), offered(OTHER_TOLD, **other)) is None


def test_a_day_that_a_question_names_selects_nothing_borrowed() -> None:
    """A borrowed session is placed on another day, whenever its own question was."""
    day = when_of(of(OTHER_HEARD)).date()
    query = Count(of=Declared(where=(Dated(day=day),), count=2))
    question = HEARD.question.model_copy(update={"query": query})
    dated = target(HEARD.model_copy(update={"question": question}))
    assert breach(dated, offered(OTHER_HEARD)) is None


def like(plan: Plan, candidate: Candidate) -> int:
    made: Target = target(plan)
    return likeness(made, candidate)


def test_topic_and_fact_type_make_a_session_like_the_evidence() -> None:
    topics = [of(TOLD).topic, "cooking", "travel"]  # the same, of the same group, of another one
    assert of(TOLD).topic == "gardening"
    scores = [like(TOLD, offered(OTHER_TOLD, topic=topic)) for topic in topics]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3
    unasked = offered(OTHER_TOLD, **fact_of(of(OTHER_TOLD), attribute="weight"))
    assert like(TOLD, unasked) < like(TOLD, offered(OTHER_TOLD))


def test_deliveries_in_play_make_a_session_like_the_evidence() -> None:
    assert like(VOICED, offered(OTHER_VOICED, cue=mood("tense"))) > like(
        VOICED, offered(OTHER_VOICED, cue=mood("reflective"))
    )


def test_a_sound_of_the_same_scene_makes_a_session_like_the_evidence() -> None:
    assert SOUNDS[of(HEARD).sound or ""][1] == "transport"
    assert like(HEARD, offered(OTHER_HEARD, sound="train")) > like(
        HEARD, offered(OTHER_HEARD, sound="rain")
    )


def test_a_rendition_goes_by_the_words_it_repeats() -> None:
    session = of(TOLD)
    assert words_of(session) == session.session_id
    assert words_of(session.model_copy(update={"words_of": "other"})) == "other"
