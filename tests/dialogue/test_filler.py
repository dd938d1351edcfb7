"""Fillers: ordinary, harmless, and as varied as everything else."""

from __future__ import annotations

import re
from itertools import product

import pytest

from voxmem.config import DEMO
from voxmem.dialogue.filler import TOPIC, seed_dialogues, write_filler
from voxmem.dialogue.leakage import find_leaks
from voxmem.length import text_tokens
from voxmem.plan.catalog import catalog
from voxmem.records import Session, Turn
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS

FILLERS = [write_filler(DEMO, persona, number) for persona in PERSONAS for number in range(60)]
EXCHANGES = seed_dialogues().exchanges
SLOTS = seed_dialogues().slots


def expansions(text: str) -> list[str]:
    """A request with its slots filled in every way."""
    used = [slot for slot in SLOTS if f"{{{slot}}}" in text]
    made = []
    for values in product(*(SLOTS[slot] for slot in used)):
        filled = text
        for slot, value in zip(used, values, strict=True):
            filled = filled.replace(f"{{{slot}}}", value)
        made.append(filled)
    return made


REQUESTS = [text for exchange in EXCHANGES for text in expansions(exchange.user)]
REPLIES = [reply for exchange in EXCHANGES for reply in exchange.assistant]


def test_the_pool_is_large_enough() -> None:
    assert len(EXCHANGES) >= 30
    assert len(REQUESTS) > 100
    assert len(set(REPLIES)) == len(REPLIES)


def test_every_slot_is_known_and_used() -> None:
    assert not [text for text in (*REQUESTS, *REPLIES) if "{" in text]
    used = {slot for exchange in EXCHANGES for slot in SLOTS if f"{{{slot}}}" in exchange.user}
    assert used == set(SLOTS)


def test_no_filler_can_leak() -> None:
    turns = tuple(
        Turn(role=role, text=text)  # type: ignore[arg-type]
        for role, texts in (("user", REQUESTS), ("assistant", REPLIES))
        for text in texts
    )
    assert find_leaks(Session(session_id="all", topic=TOPIC, turns=turns)) == []


def test_no_filler_says_what_a_question_could_ask_for() -> None:
    protected = [
        *(name for names in catalog().topics.values() for name in names),
        *(
            str(value).lower()
            for attribute in catalog().attributes.values()
            for value in attribute.domain
        ),
    ]
    for text in (*REQUESTS, *REPLIES):
        said = f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "
        assert not [phrase for phrase in protected if f" {phrase} " in said]


def test_a_filler_is_of_a_topic_that_no_question_is_about() -> None:
    assert TOPIC not in catalog().topics
    assert {session.topic for session in FILLERS} == {TOPIC}
    assert not [session for session in FILLERS if session.entities]
    assert not [turn for session in FILLERS for turn in session.turns if turn.facts]


def test_fillers_have_the_turns_of_other_sessions() -> None:
    low, high = DEMO.session_turns
    counts = [len(session.user_turns) for session in FILLERS]
    assert set(counts) == set(range(low, high + 1))
    for session in FILLERS:
        roles = [turn.role for turn in session.turns]
        assert roles == ["user", "assistant"] * len(session.user_turns)


def test_replies_are_as_long_as_those_of_other_sessions() -> None:
    tokens = [text_tokens(reply) for reply in REPLIES]
    assert min(tokens) >= 8
    assert max(tokens) <= 16
    assert 10 <= sum(tokens) / len(tokens) <= 15


def test_deliveries_and_sounds_occur_at_their_rates() -> None:
    cued = [session for session in FILLERS if session.turns[0].cues]
    loud = [session for session in FILLERS if session.turns[0].sound]
    assert len(cued) / len(FILLERS) == pytest.approx(DEMO.cue_rate, abs=0.035)
    assert len(loud) / len(FILLERS) == pytest.approx(DEMO.sound_rate, abs=0.035)
    assert {cue.value for session in cued for cue in session.turns[0].cues} == set(DELIVERIES)
    assert {session.turns[0].sound for session in loud} == set(SOUNDS)


def test_rates_of_none_and_of_all() -> None:
    none = DEMO.model_copy(update={"cue_rate": 0.0, "sound_rate": 0.0})
    every = DEMO.model_copy(update={"cue_rate": 1.0, "sound_rate": 1.0})
    for number in range(20):
        quiet, loud = write_filler(none, "p01", number), write_filler(every, "p01", number)
        assert not any(turn.cues or turn.sound for turn in quiet.turns)
        assert loud.turns[0].cues
        assert all(turn.sound for turn in loud.user_turns)
        assert not any(turn.cues for turn in loud.user_turns[1:])


def test_one_persona_speaks_in_one_filler() -> None:
    session = write_filler(DEMO, "p07", 3)
    assert {turn.speaker for turn in session.user_turns} == {"p07"}
    assert session.session_id == "f_1_p07_0003"


def test_fillers_follow_from_seed_persona_and_number() -> None:
    again = [write_filler(DEMO, persona, number) for persona in PERSONAS for number in range(60)]
    assert again == FILLERS
    assert len({session.session_id for session in FILLERS}) == len(FILLERS)
    other = DEMO.model_copy(update={"seed": 2})
    mine = [write_filler(DEMO, "p01", number).turns for number in range(20)]
    theirs = [write_filler(other, "p01", number).turns for number in range(20)]
    assert sum(one == two for one, two in zip(mine, theirs, strict=True)) <= 2


def test_most_fillers_of_a_persona_differ() -> None:
    for persona in PERSONAS:
        texts = [session.turns for session in FILLERS if session.turns[0].speaker == persona]
        assert len({tuple(turn.text for turn in turns) for turns in texts}) > 0.8 * len(texts)
