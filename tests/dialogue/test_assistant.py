"""The assistant's side: short replies that fit, vary, and give nothing back."""

from __future__ import annotations

import inspect
import re
from typing import get_args

import pytest

from tests.dialogue.builders import dialogue, expand, planned_sessions
from voxmem.dialogue import assistant
from voxmem.dialogue.assistant import (
    MAX_TOKENS,
    MIN_TOKENS,
    Act,
    TemplateAssistant,
    act_of,
    reply_words,
)
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.lexicon import tokens
from voxmem.dialogue.repeats import repeated, stray
from voxmem.dialogue.views import VisiblePrefix
from voxmem.length import text_tokens
from voxmem.plan.catalog import catalog
from voxmem.records import Fact, Session, Turn

WORDS = reply_words()
FACTS = [
    Fact(entity="the lamp", referent="lamp", attribute=name, value=value)
    for name, attribute in catalog().attributes.items()
    for value in attribute.domain
]


def reply(*texts: str) -> str:
    return TemplateAssistant().reply(VisiblePrefix(texts))


def every_reply(act: str) -> list[str]:
    parts = WORDS.acts[act]  # type: ignore[index]
    bodies = [text for body in parts.bodies for text in expand(body, WORDS.slots)]
    return [*parts.heads, *bodies]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("How would you go about it?", "method"),
        ("I am looking into it. What should I know?", "method"),
        ("Thanks. What is a simple way to plan it? Any advice is welcome.", "method"),
        ("Which part of it would you do first?", "part"),
        ("I have taken it on. Where would you begin?", "part"),
        ("What do people tend to overlook with it?", "trouble"),
        ("Could you list the usual pitfalls for it?", "trouble"),
        ("Please name some common mistakes.", "trouble"),
        ("Should I make a checklist for it?", "opinion"),
        ("Would you do a practice run for it if you were me?", "opinion"),
        ("Could you draft a short checklist for it?", "request"),
        ("In that case, can you explain how to go about it?", "request"),
        ("Help me prepare it, please.", "request"),
        ("I would like you to write a list.", "request"),
        ("It costs a lot. Please keep that in mind.", "memo"),
        ("Please make a note of it.", "memo"),
        ("I have taken on the lamp.", "statement"),
        ("Before I forget, it is set.", "statement"),
    ],
)
def test_what_a_text_calls_for(text: str, act: str) -> None:
    assert act_of(text) == act


def test_every_act_has_words_and_every_slot_a_use() -> None:
    assert WORDS.acts.keys() == set(get_args(Act))
    texts = [body for parts in WORDS.acts.values() for body in parts.bodies]
    assert {slot for text in texts for slot in re.findall(r"\{(\w+)\}", text)} == set(WORDS.slots)


@pytest.mark.parametrize("act", get_args(Act))
def test_no_part_of_a_reply_gives_anything_away_or_is_a_value(act: str) -> None:
    parts = every_reply(act)
    turns = tuple(Turn(role="assistant", text=part) for part in parts)
    stated = Turn(role="user", text="It is on a Monday.", facts=(FACTS[0],))
    session = Session(session_id="s", topic="t", entities=("the lamp",), turns=(stated, *turns))
    leaks = [leak for leak in find_leaks(session) if leak.turn > 0]
    assert [(leak.found, parts[leak.turn - 1]) for leak in leaks] == []
    for part in parts:
        assert not list(repeated(tokens(part), FACTS)), part
        assert not list(stray(Turn(role="user", text=part))), part


@pytest.mark.parametrize(
    "text",
    [
        "How would you go about it?",
        "Which part of it would you do first?",
        "What do people tend to overlook with it?",
        "Should I make a checklist for it?",
        "Could you draft a short checklist for it?",
        "Please make a note of it.",
        "I have taken it on.",
    ],
)
def test_replies_are_short_and_varied(text: str) -> None:
    replies = {reply(f"Hello {number}. {text}") for number in range(400)}
    assert len(replies) > 120
    assert {MIN_TOKENS, MAX_TOKENS} == {10, 15}
    assert all(MIN_TOKENS <= text_tokens(each) <= MAX_TOKENS for each in replies)
    assert all(each[0].isupper() and each.endswith(".") for each in replies)


def test_a_session_of_one_kind_of_turn_hears_no_phrase_twice() -> None:
    for number in range(20):
        texts = [f"Hello {number}."]
        for _ in range(12):
            texts += [reply(*texts), "Thank you. It is fine."]
        replies = [" ".join(tokens(text)).split() for text in texts[1::2]]
        runs = [" ".join(words[at : at + 4]) for words in replies for at in range(len(words) - 3)]
        assert len(set(runs)) == len(runs)


def test_replies_follow_from_the_words_alone() -> None:
    assert reply("Hello.") == reply("Hello.")
    assert set(inspect.signature(TemplateAssistant.reply).parameters) == {"self", "seen"}
    for name in ("PlannedSession", "UserBrief", "catalog"):
        assert not hasattr(assistant, name), "it is handed nothing but the words"


def test_no_reply_names_what_the_session_is_about() -> None:
    for planned in planned_sessions():
        for turn in dialogue(planned).turns[1::2]:
            assert planned.entities[0] not in turn.text
