"""A candidate in the making: what it draws, where it places it, how it closes."""

from __future__ import annotations

from datetime import date

import pytest

from tests.plan.builders import DEMO, FORMS, PAPER, candidates, first
from tests.plan.forms.drafts import draft
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import (
    Draft,
    day_in_words,
    describe,
    listed,
    moment,
    told,
)
from voxmem.plan.forms import load
from voxmem.plan.sessions import incidental, plan_session, shortened
from voxmem.query import About, Named, Only, ReadFact, Reading
from voxmem.records import AnswerSpace
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS


def test_content_is_drawn_without_repetition() -> None:
    made = draft("total", 0)
    entities = catalog().topics[made.topic]
    assert sorted(made.entities(len(entities))) == sorted(entities)
    with pytest.raises(ConstructionError, match="no entity left"):
        made.entity()


def test_entities_come_in_the_order_that_is_given() -> None:
    request = draft("total", 0).request
    made = Draft(PAPER, load()["total"], request, 0, entities=["one", "two"])
    assert made.entities(2) == ["two", "one"] or made.entities == ["one", "two"]


def test_values_are_different_and_of_the_attribute() -> None:
    made = draft("total", 0)
    domain = describe("day").domain
    taken = domain[:2]
    values = made.values("day", len(domain) - 2, without=taken)
    assert sorted(map(str, values)) == sorted(map(str, domain[2:]))


@pytest.mark.parametrize("kind", ["words", "number", "open"])
def test_attributes_are_of_the_kind_that_is_asked_for(kind: str) -> None:
    made = draft("total", 0)
    assert {describe(made.attribute(kind)).kind for _ in range(20)} == {kind}
    assert {describe(made.attribute()).kind for _ in range(60)} == {"words", "number"}


def test_moments_are_on_days_of_their_own_inside_the_window() -> None:
    made = draft("total", 0)
    days = [when.date() for when in (*made.moments(100), *made.moments(84))]
    assert len(set(days)) == 184
    assert (min(days), max(days)) == PAPER.window
    with pytest.raises(ConstructionError, match="too few days"):
        made.moments(1)


def test_moments_in_order() -> None:
    moments = draft("total", 0).moments(9, in_order=True)
    assert moments == sorted(moments)
    assert all(8 <= when.hour <= 21 for when in moments)


def test_others_are_of_the_cast_and_not_asking() -> None:
    made = draft("was_it_me", 0)
    assert sorted([*made.others(5), made.asker]) == sorted(made.cast)
    with pytest.raises(ConstructionError, match="too few voices"):
        made.others(6)


# --- sessions ---------------------------------------------------------------------------------


def _incidental(asked: EvidenceType, rate: float) -> tuple[set[object], set[object]]:
    config = DEMO.model_copy(update={"cue_rate": rate, "sound_rate": rate})
    made = [
        plan_session(
            config,
            rng("test", at),
            session_id="s",
            asked=asked,
            role="evidence",
            topic="work",
            speaker="p01",
            when=moment(date(2025, 3, 1), rng("test")),
            entity="the lamp",
            facts=(),
            cue=None,
            sound=None,
        )
        for at in range(200)
    ]
    return {item.cue.value if item.cue else None for item in made}, {item.sound for item in made}


def test_what_is_not_asked_about_varies_at_the_builds_rates() -> None:
    assert _incidental(EvidenceType.SPEECH_SEMANTICS, 0.0) == ({None}, {None})
    cues, sounds = set(DEFAULT_DELIVERIES), set(DEFAULT_SOUNDS)
    assert _incidental(EvidenceType.SPEECH_SEMANTICS, 1.0) == (cues, sounds)
    assert _incidental(EvidenceType.PARALINGUISTIC, 1.0) == ({None}, sounds)
    assert _incidental(EvidenceType.ENVIRONMENTAL, 1.0) == (cues, {None})


def test_a_build_without_deliveries_or_sounds_has_none_by_the_way() -> None:
    assert incidental(rng("test"), (), 1.0) is None
    assert incidental(rng("test"), ("rain",), 1.0) == "rain"


def test_a_shortened_session_keeps_its_key_turn_within() -> None:
    (session,) = first("sound_by_entity").sessions
    long = session.model_copy(update={"turns": 5, "key_turn": 4})
    assert (shortened(long, 3).turns, shortened(long, 3).key_turn) == (3, 2)
    assert shortened(long, 5) == shortened(long, 9) == long


@pytest.mark.parametrize("form", FORMS)
def test_evidence_leaves_room_for_a_distractor(form: str) -> None:
    """At the smallest budget, where sessions are as short as they may be."""
    for config, build in (("demo", DEMO), ("paper", PAPER)):
        low, high = build.session_turns
        for plan in candidates(form, config, 2):
            turns = [item.turns for item in plan.sessions]
            assert all(low <= count <= high for count in turns)
            assert all(item.key_turn < item.turns for item in plan.sessions)
            room = build.evidence_turns - (low + high) / 2
            assert sum(turns) <= room or max(turns) == low


# --- closing ----------------------------------------------------------------------------------


def _asked(made: Draft, entity: str) -> Only:
    select = Named(anchors=((About(entity=entity),),))
    return Only(of=Reading(select=select, read=ReadFact(attribute="day")))


def test_the_gold_is_computed_from_the_evidence() -> None:
    made = draft("total", 0)
    entity = made.entity()
    session = made.evidence(entity, made.moments(1)[0], attribute="day", value="Friday")
    slots = {"noun": "day", "names": "it"}
    plan = made.close(_asked(made, entity), AnswerSpace(), **slots)
    assert plan.question.gold == "Friday"
    assert plan.question.evidence_session_ids == (session.session_id,)
    assert plan.question.text in plan.wordings
    assert plan.question.query_timestamp.date() > PAPER.window[1]


def test_evidence_without_one_answer_is_an_error() -> None:
    made = draft("total", 0)
    entity = made.entity()
    for value, when in zip(["Friday", "Monday"], made.moments(2), strict=True):
        made.evidence(entity, when, attribute="day", value=value)
    with pytest.raises(ConstructionError, match="no unique answer: ambiguous"):
        made.close(_asked(made, entity), AnswerSpace(), noun="day", names="it")


def test_a_draft_follows_from_seed_form_request_and_candidate() -> None:
    request = draft("total", 0).request
    form = load()["total"]
    ids = {
        Draft(config, form, request, number).id
        for config in (PAPER, PAPER.model_copy(update={"seed": 2}))
        for number in (0, 1)
    }
    assert len(ids) == 4
    assert form.build(Draft(PAPER, form, request, 1)) == form.build(Draft(PAPER, form, request, 1))


# --- words ------------------------------------------------------------------------------------


def test_names_are_listed_as_one_says_them() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"], "or") == "a, b or c"


def test_days_and_facts_in_words() -> None:
    assert day_in_words(date(2025, 5, 3)) == "May 3"
    assert "the lamp" in told("day", "the lamp")
