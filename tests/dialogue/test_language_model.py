"""Both sides of a dialogue by a scripted model: aligned, screened, asked again, never trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.models.fake_openai import Request, Step
from tests.models.text.bench import Bench
from voxmem.dialogue.language_model import LanguageModelAssistantWriter, LanguageModelUserWriter
from voxmem.dialogue.language_model.assistant import EVERYDAY, reply_faults
from voxmem.dialogue.repeats import repeated
from voxmem.dialogue.views import StatedFact, UserBrief, VisiblePrefix
from voxmem.dialogue.writer import write_session
from voxmem.models.text import UnusableReply
from voxmem.models.text.json_model import ASKS
from voxmem.plan.catalog import catalog
from voxmem.prompts.construction import prompt
from voxmem.records import Fact, PlannedSession

ENTITY = "the fence repair"
TALK = "How would you go about the fence repair without too much trouble?"
STATES = "Please make a note that the fence repair will be on a Tuesday."
GIVEN = UserBrief(
    words_id="q_1_s00",
    topic="home repair",
    entities=(ENTITY,),
    facts=(StatedFact(ENTITY, "day", "Tuesday"),),
    turns=2,
    key_turn=1,
    roomy=True,
)
SEEN = VisiblePrefix((STATES,))
WRITE = "Write the assistant's next reply."
REPLY = "Thank you, that is part of your notes and easy to find."


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench("openai", tmp_path, stack)


def side(turns: list[str], *quotes: str) -> str:
    return json.dumps(
        {
            "turns": [{"text": text} for text in turns],
            "facts": [{"fact": at, "quote": quote} for at, quote in enumerate(quotes, 1)],
        }
    )


GOOD = side([TALK, STATES], "the fence repair will be on a Tuesday")


def test_the_brief_uses_a_real_attribute() -> None:
    assert "Tuesday" in catalog().attributes["day"].domain


def test_user_turns_come_with_the_spans_of_their_facts(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    first, second = LanguageModelUserWriter(bench.model()).write(GIVEN)
    assert (first.text, first.spans) == (TALK, ())
    assert second.text == STATES
    ((start, end),) = (span for span in second.spans if span)
    assert second.text[start:end] == "Tuesday"


def test_the_user_writer_is_told_the_brief_and_nothing_else(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    LanguageModelUserWriter(bench.model()).write(GIVEN)
    system, user = bench.texts(0)
    assert system == prompt("user_system").text
    assert "Turn 2 states" in user
    assert '"Tuesday"' in user
    assert GIVEN.words_id not in json.dumps(bench.server.requests[0].body)


@pytest.mark.parametrize(
    ("turns", "quotes", "told"),
    [
        ([TALK, STATES], ("on a Wednesday",), "the quote of fact 1 is not in turn 2"),
        ([TALK, STATES], ("the fence repair",), 'must hold the value "Tuesday"'),
        ([TALK, STATES], (), "facts must quote facts 1 to 1"),
        ([STATES], ("on a Tuesday",), "there must be 2 turns, not 1"),
        (
            ["How would you go about something like that, step by step?", STATES],
            ("on a Tuesday",),
            'turn 1 must name "the fence repair"',
        ),
        (
            [TALK, "Please make a note that I put all of it on a Tuesday."],
            ("on a Tuesday",),
            'turn 2 must name "the fence repair"',
        ),
        (
            [TALK.replace("without too much trouble", "if it is on a Tuesday"), STATES],
            ("on a Tuesday",),
            "states a value that is not among the facts",
        ),
        (
            [TALK, f"{STATES} It will cost 90 euros in all."],
            ("on a Tuesday",),
            '"90" states a value',
        ),
        ([TALK, f"I am so excited! {STATES}"], ("on a Tuesday",), '"excited" tells of a mood'),
        ([TALK, f"It rains a lot here. {STATES}"], ("on a Tuesday",), '"rains" tells of a sound'),
        ([TALK, f"My name is Anna. {STATES}"], ("on a Tuesday",), "tells who is speaking"),
        ([TALK, f"I want it done tomorrow. {STATES}"], ("on a Tuesday",), "on another day"),
        ([TALK, f"Um... {STATES}"], ("on a Tuesday",), "no plain punctuation"),
        ([TALK, STATES[:-1]], ("on a Tuesday",), "ending in . or ?"),
        (["So, the fence repair?", STATES], ("on a Tuesday",), "turn 1 is too short"),
        ([f"{TALK} {TALK} {TALK}", STATES], ("on a Tuesday",), "turn 1 is too long"),
    ],
)
def test_a_faulty_user_side_is_asked_again_with_its_fault(
    bench: Bench, turns: list[str], quotes: tuple[str, ...], told: str
) -> None:
    bench.serve(bench.says(side(turns, *quotes)), bench.says(GOOD))
    assert len(LanguageModelUserWriter(bench.model()).write(GIVEN)) == 2
    assert told in bench.texts(1)[-1]


def test_several_facts_are_aligned_each_to_its_own_words(bench: Bench) -> None:
    given = replace(
        GIVEN,
        turns=1,
        key_turn=0,
        facts=(
            StatedFact(ENTITY, "day", "Tuesday"),
            StatedFact(ENTITY, "day", "Friday", status="corrected"),
            StatedFact(ENTITY, "status", "on hold", effective=date(2025, 6, 3)),
            StatedFact(ENTITY, "cost", 40, status="cancelled"),
        ),
    )
    text = (
        "I put the fence repair on a Tuesday. No, make that a Friday. "
        "From the third of June on it is on hold, and I cancelled what it would cost."
    )
    quotes = ("on a Tuesday", "make that a Friday", "on it is on hold", "I cancelled what it would")
    bench.serve(bench.says(side([text], *quotes)))
    (turn,) = LanguageModelUserWriter(bench.model()).write(given)
    said = [text[span[0] : span[1]] if span else None for span in turn.spans]
    assert said == ["Tuesday", "Friday", "on hold", None]
    _, user = bench.texts(0)
    assert "corrected to" in user
    assert "from the third of June on" in user
    assert "cancelled. Say that it is called off" in user


def test_a_session_without_facts(bench: Bench) -> None:
    bench.serve(bench.says(side([TALK])))
    given = replace(GIVEN, facts=(), turns=1, key_turn=0)
    (turn,) = LanguageModelUserWriter(bench.model()).write(given)
    assert turn.spans == ()
    assert "No turn states a fact." in bench.texts(0)[1]


def test_a_leak_without_end_names_session_and_leak(bench: Bench) -> None:
    leaking = side([TALK, f"I am so excited. {STATES}"], "on a Tuesday")
    bench.serve(script=lambda _: bench.says(leaking))
    with pytest.raises(UnusableReply) as caught:
        LanguageModelUserWriter(bench.model()).write(GIVEN)
    assert bench.sent == ASKS
    assert (caught.value.item, caught.value.stage) == ("q_1_s00", "write")
    assert '"excited"' in str(caught.value)


def test_sessions_that_share_their_words_are_written_once(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    writer = LanguageModelUserWriter(bench.model())
    assert writer.write(GIVEN) == writer.write(replace(GIVEN))
    assert bench.sent == 1


# --- the assistant's side ---------------------------------------------------------------------


def said(text: str) -> str:
    return json.dumps({"text": text})


def test_the_assistant_sees_the_words_so_far(bench: Bench) -> None:
    bench.serve(bench.says(said(f" {REPLY} ")))
    seen = VisiblePrefix((TALK, "It helps to begin with a short list of steps.", STATES))
    assert LanguageModelAssistantWriter(bench.model()).reply(seen) == REPLY
    system, user = bench.texts(0)
    assert system == prompt("assistant_system").text
    for line in (f"User: {TALK}", "Assistant: It helps", f"User: {STATES}"):
        assert line in user


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Got it.", "too short"),
        (f"{REPLY[:-1]} and to change whenever you want to change it.", "too long"),
        ("Good, the fence is then done by Tuesday and you can rest.", "fence, tuesday"),
        ("Fine, that makes 12 things on your list that I keep for you.", "no number: 12"),
        ("You sound excited about this, so I will keep a note of it.", '"excited" tells of a mood'),
        ("I can hear the rain from here, but I made a note of it.", "tells of a sound"),
        ("That is right, I have made a note of it and will keep it.", "confirms what was said"),
        ("Good, I keep the repairs in my notes so that we can look.", "words of the user: repairs"),
        ("Fine, that makes twelve things on your list that I keep.", "no number: twelve"),
        ("Would you like me to keep that in your notes for you?", "must not ask"),
        ("I have kept that for you and will look at it tomorrow.", "on another day"),
    ],
)
def test_a_faulty_reply_is_asked_again_with_its_fault(bench: Bench, reply: str, told: str) -> None:
    bench.serve(bench.says(said(reply)), bench.says(said(REPLY)))
    assert LanguageModelAssistantWriter(bench.model()).reply(SEEN) == REPLY
    assert told in bench.texts(1)[-1]


def test_words_that_replies_may_take_up_are_part_of_no_value() -> None:
    facts = [
        Fact(entity=ENTITY, referent=ENTITY, attribute=name, value=value)
        for name, attribute in catalog().attributes.items()
        for value in attribute.domain
    ]
    assert not list(repeated(sorted(EVERYDAY), facts))


def test_a_reply_is_not_given_twice() -> None:
    seen = VisiblePrefix((TALK, REPLY, STATES))
    assert "the reply was given before" in set(reply_faults(seen, REPLY))
    assert not list(reply_faults(SEEN, REPLY))


def test_an_assistant_that_leaks_without_end_names_what_it_replied_to(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.says(said("So Tuesday it is, and I have noted that.")))
    with pytest.raises(UnusableReply, match="fence repair") as caught:
        LanguageModelAssistantWriter(bench.model()).reply(SEEN)
    assert "tuesday" in str(caught.value)
    assert bench.sent == ASKS


def test_a_killed_run_asks_for_what_is_missing_alone(bench: Bench) -> None:
    bench.serve(bench.says(GOOD), bench.says(said(REPLY)), bench.says(said(REPLY)))
    model = bench.model()
    LanguageModelUserWriter(model).write(GIVEN)
    LanguageModelAssistantWriter(model).reply(SEEN)
    again = bench.model()
    LanguageModelUserWriter(again).write(GIVEN)
    LanguageModelAssistantWriter(again).reply(SEEN)
    assert bench.sent == 2
    LanguageModelAssistantWriter(again).reply(VisiblePrefix((TALK,)))
    assert bench.sent == 3


def test_both_writers_make_a_session(bench: Bench) -> None:
    helpful = "I would begin with a short list and see what you have."

    def script(request: Request) -> Step:
        asks_user = request.body["response_format"]["json_schema"]["name"] == "UserSide"
        states = request.body["messages"][1]["content"].endswith(f"User: {STATES}\n\n{WRITE}")
        return bench.says(GOOD if asks_user else said(REPLY if states else helpful))

    bench.serve(script=script)
    model = bench.model()
    planned = PlannedSession(
        session_id="q_1_s00",
        topic="home repair",
        speaker="p01",
        role="evidence",
        facts=(Fact(entity=ENTITY, referent=ENTITY, attribute="day", value="Tuesday"),),
        entities=(ENTITY,),
        sound="rain",
        turns=2,
        key_turn=1,
    )
    session = write_session(
        planned,
        roomy=True,
        user=LanguageModelUserWriter(model),
        assistant=LanguageModelAssistantWriter(model),
    )
    assert [turn.text for turn in session.turns] == [TALK, helpful, STATES, REPLY]
    (fact,) = session.user_turns[1].facts
    assert fact.span == (STATES.index("Tuesday"), STATES.index("Tuesday") + 7)
    asked = json.dumps([request.body for request in bench.server.requests])
    assert "rain" not in asked
    assert "p01" not in asked
