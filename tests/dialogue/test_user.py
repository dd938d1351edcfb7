"""The user's side: templates that say what they must, in many ways and at one length."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from datetime import date
from random import Random
from statistics import fmean

import pytest

from tests.dialogue.builders import expand, planned_sessions, session_plan
from voxmem.dialogue import user
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.user import TemplateUser, user_words
from voxmem.dialogue.views import StatedFact, UserBrief, UserTurn, brief
from voxmem.errors import ConstructionError
from voxmem.plan.catalog import catalog
from voxmem.records import PlannedSession, Session, Turn
from voxmem.speech.estimate import estimate_seconds

WORDS = user_words()
ENTITY = "the tea ceremony"
GIVEN = UserBrief(
    words_id="one",
    topic="events",
    entities=(ENTITY,),
    facts=(StatedFact(ENTITY, "cost", 45),),
    turns=1,
)


def write(given: UserBrief) -> tuple[UserTurn, ...]:
    return TemplateUser().write(given)


def stating(*facts: StatedFact, **more: object) -> list[UserTurn]:
    """One key turn in each of many sessions."""
    given = replace(GIVEN, facts=facts, **more)  # type: ignore[arg-type]
    return [write(replace(given, words_id=str(number)))[0] for number in range(60)]


# --- the templates ----------------------------------------------------------------------------


def every_body() -> list[str]:
    bodies = [each for part in (WORDS.opening, WORDS.bodies) for each in part.values()]
    return [text for wordings in bodies for body in wordings for text in expand(body, WORDS.slots)]


def test_no_part_of_an_ordinary_turn_gives_anything_away_or_states_a_value() -> None:
    closers = [text for wordings in WORDS.closers.values() for text in wordings]
    parts = [*every_body(), *WORDS.first, *WORDS.later, *closers]
    texts = [part.format(it=it, entity=ENTITY) for part in parts for it in ("it", ENTITY)]
    turns = tuple(Turn(role="user", text=text) for text in texts)
    session = Session(session_id="s", topic="t", entities=(ENTITY,), turns=turns)
    assert [(leak.found, texts[leak.turn]) for leak in find_leaks(session)] == []


def test_every_slot_is_known_and_used() -> None:
    bodies = [each for part in (WORDS.opening, WORDS.bodies) for each in part.values()]
    named = {slot for each in bodies for body in each for slot in re.findall(r"\{(\w+)\}", body)}
    assert named == {*WORDS.slots, "it", "entity"}


def test_every_act_has_its_closers_and_enough_bodies_for_the_longest_session() -> None:
    assert WORDS.opening.keys() == WORDS.bodies.keys() == {"question", "request", "remark"}
    assert WORDS.closers.keys() == {"question", "request", "statement"}
    lists = (*WORDS.bodies.values(), *WORDS.closers.values(), WORDS.later)
    assert min(len(set(wordings)) for wordings in lists) >= 12


def test_bodies_end_as_their_act_does() -> None:
    for part in (WORDS.opening, WORDS.bodies):
        assert all(body.endswith("?") for body in part["question"])
        assert not [body for body in part["remark"] if "?" in body]


# --- facts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(catalog().attributes))
def test_a_value_stands_where_its_span_says(name: str) -> None:
    value = catalog().attributes[name].domain[-1]
    for turn in stating(StatedFact(ENTITY, name, value)):
        ((start, end),) = [span or (0, 0) for span in turn.spans]
        assert turn.text[start:end] == str(value)
        assert ENTITY in turn.text


def test_a_fact_is_said_in_many_ways() -> None:
    turns = stating(StatedFact(ENTITY, "cost", 45), roomy=True)
    assert len({turn.text for turn in turns}) > 30


def test_a_fact_with_a_day_of_its_own_says_it() -> None:
    dated = StatedFact(ENTITY, "cost", 45, effective=date(2025, 6, 3))
    assert all("the third of June" in turn.text for turn in stating(dated))


def test_a_correction_comes_after_what_it_takes_back_and_both_have_their_spans() -> None:
    old, new = StatedFact(ENTITY, "cost", 45), StatedFact(ENTITY, "cost", 50, status="corrected")
    for turn in stating(old, new):
        spans = [span or (0, 0) for span in turn.spans]
        assert [turn.text[start:end] for start, end in spans] == ["45", "50"]
        assert any(
            wording.format(value=50) in turn.text
            for wording in catalog().attributes["cost"].correct
        )


def test_a_correction_of_something_said_elsewhere_is_a_plain_statement() -> None:
    for turn in stating(StatedFact(ENTITY, "cost", 50, status="corrected")):
        assert ENTITY in turn.text
        assert turn.spans != (None,)


@pytest.mark.parametrize("effective", [None, date(2025, 6, 3)])
def test_a_cancellation_speaks_no_value(effective: date | None) -> None:
    fact = StatedFact(ENTITY, "cost", 45, status="cancelled", effective=effective)
    for turn in stating(fact):
        assert turn.spans == (None,)
        assert "cancelled" in turn.text
        assert "45" not in turn.text
        assert ("the third of June" in turn.text) == (effective is not None)


def test_two_facts_of_one_thing_name_it_once() -> None:
    for turn in stating(StatedFact(ENTITY, "cost", 45), StatedFact(ENTITY, "folder", "red")):
        assert turn.text.count(ENTITY) == 1
        spans = [span or (0, 0) for span in turn.spans]
        assert [turn.text[start:end] for start, end in spans] == ["45", "red"]


def test_two_things_are_both_named() -> None:
    other = "the book club"
    for turn in stating(
        StatedFact(ENTITY, "cost", 45), StatedFact(other, "cost", 50), entities=(ENTITY, other)
    ):
        assert ENTITY in turn.text
        assert other in turn.text


# --- sessions ---------------------------------------------------------------------------------


def test_only_the_key_turn_states_and_the_first_turn_names_the_entity() -> None:
    for planned in planned_sessions():
        turns = write(brief(planned, roomy=True))
        assert len(turns) == planned.turns
        assert planned.entities[0] in turns[0].text
        assert planned.entities[0] in turns[planned.key_turn].text or not planned.facts
        spans = [len(turn.spans) for turn in turns]
        wanted = [0] * planned.turns
        wanted[planned.key_turn] = len(planned.facts)
        assert spans == wanted


def test_no_two_turns_of_a_session_are_alike_however_long_it_is() -> None:
    for number in range(150):
        given = replace(GIVEN, words_id=str(number), turns=12, key_turn=number % 12, roomy=True)
        texts = [turn.text for turn in write(given)]
        assert len(set(texts)) == 12


def test_sentences_are_whole() -> None:
    for planned in planned_sessions():
        for turn in write(brief(planned, roomy=True)):
            assert turn.text[0].isupper()
            assert turn.text[-1] in ".?"
            assert "{" not in turn.text
            assert "  " not in turn.text
            assert not re.search(r"[.?] [a-z]", turn.text)


def test_words_follow_from_the_brief_alone() -> None:
    for planned in planned_sessions()[:50]:
        assert write(brief(planned)) == write(brief(planned))
    assert set(inspect.signature(TemplateUser.write).parameters) == {"self", "given"}
    assert not hasattr(user, "PlannedSession"), "it is never handed the plan"


def test_a_session_without_facts_is_talk_alone() -> None:
    given = replace(GIVEN, facts=(), turns=4)
    turns = write(given)
    assert ENTITY in turns[0].text
    assert not any(turn.spans for turn in turns)


def test_a_session_about_nothing_cannot_be_written() -> None:
    with pytest.raises(ConstructionError, match="names no entity"):
        write(replace(GIVEN, facts=(), entities=()))


# --- length and variety -----------------------------------------------------------------------


def plain(planned: PlannedSession) -> bool:
    """Whether one fact is stated as most are."""
    fact = planned.facts[0]
    return len(planned.facts) == 1 and fact.status == "stated" and fact.effective is None


def key_and_others(*, roomy: bool) -> tuple[list[float], list[float]]:
    """Seconds of the turns that state a plain fact, and of those that state none."""
    key, others = [], []
    for number in range(900):
        planned = session_plan(number, turns=(2, 7))
        for at, turn in enumerate(write(brief(planned, roomy=roomy))):
            if at != planned.key_turn or not planned.facts:
                others.append(estimate_seconds(turn.text))
            elif plain(planned):
                key.append(estimate_seconds(turn.text))
    return key, others


def test_turns_are_as_long_as_in_the_paper_and_the_key_turn_is_like_the_others() -> None:
    key, others = key_and_others(roomy=True)
    assert fmean([*key, *others]) == pytest.approx(3.8, abs=0.15)
    assert fmean(key) == pytest.approx(fmean(others), abs=0.15)
    pairs = list(
        zip(Random(1).choices(key, k=20_000), Random(2).choices(others, k=20_000), strict=True)
    )
    longer = fmean((one > two) + 0.5 * (one == two) for one, two in pairs)
    assert longer == pytest.approx(0.5, abs=0.05), "length would give the key turn away"


def test_turns_are_shorter_where_there_is_less_room() -> None:
    key, others = key_and_others(roomy=False)
    assert 3.0 <= fmean([*key, *others]) <= 3.6
    assert fmean(key) == pytest.approx(fmean(others), abs=0.25)


def test_sessions_do_not_repeat_each_other() -> None:
    plans = [session_plan(number) for number in range(900)]
    written = [tuple(turn.text for turn in write(brief(plan, roomy=True))) for plan in plans]
    assert len(set(written)) == len(written)
    texts = [text for turns in written for text in turns]
    assert len(set(texts)) > 0.9 * len(texts)
