"""Planted leaks of every channel are found, and nothing else is."""

from __future__ import annotations

import pytest

from voxmem.dialogue.leakage import CHANNELS, Leak, find_leaks
from voxmem.records import Fact, Session, Turn
from voxmem.vocabulary import DELIVERIES, SOUNDS


def session(*texts: str, value: str | int = "Monday") -> Session:
    """User and assistant in turn; the first turn states a fact."""
    fact = Fact(entity="the lamp", referent="lamp", attribute="day", value=value)
    turns = tuple(
        Turn(
            role="assistant" if at % 2 else "user",
            text=text,
            facts=(fact,) if at == 0 else (),
        )
        for at, text in enumerate(texts)
    )
    return Session(session_id="s1", topic="home", turns=turns)


def found(*texts: str, value: str | int = "Monday") -> list[tuple[int, str, str]]:
    return [
        (leak.turn, leak.channel, leak.found) for leak in find_leaks(session(*texts, value=value))
    ]


@pytest.mark.parametrize(
    ("text", "channel", "word"),
    [
        ("I am whispering this.", "delivery", "whispering"),
        ("That EXCITES me.", "delivery", "excites"),
        ("It went rather slowly!", "delivery", "slowly"),
        ("I speak faster now.", "delivery", "faster"),
        ("He sounded... hesitant", "delivery", "hesitant"),
        ("My voice is gone.", "delivery", "voice"),
        ("It rained all day.", "sound", "rained"),
        ("Do you hear me?", "sound", "hear"),
        ("A bird chirped.", "sound", "chirped"),
        ("There was a car horn.", "sound", "horn"),
        ("The sea waves are high.", "sound", "waves"),
        ("An old clock, ticking.", "sound", "ticking"),
        ("I am typing.", "sound", "typing"),
        ("We are at the seaside now.", "place", "seaside"),
        ("I am in the street.", "place", "street"),
        ("My name is Ann.", "identity", "my name is"),
        ("Hi, I'm your neighbor.", "identity", "i'm your"),
        ("This is a woman speaking.", "identity", "this is a woman"),
        ("As a mother I know.", "identity", "as a mother"),
    ],
)
def test_a_word_that_gives_something_away(text: str, channel: str, word: str) -> None:
    assert (0, channel, word) in found(text)
    assert (1, channel, word) in found("Fine.", text), "the assistant may not say it either"


@pytest.mark.parametrize("cue", sorted(DELIVERIES))
def test_every_delivery_is_known_by_its_name(cue: str) -> None:
    assert (0, "delivery", cue) in found(f"It was {cue}.")


@pytest.mark.parametrize("sound", sorted(SOUNDS))
def test_every_sound_is_known_by_its_name(sound: str) -> None:
    assert [leak for leak in found(f"It was {sound}.") if leak[1] == "sound"]


@pytest.mark.parametrize(
    "text",
    [
        "The marathon training is on Monday.",
        "I restrained myself from brainstorming.",
        "We used a toned shirt and a trained dog.",
        "I feel bellicose, waved and birdied.",
        "My neighbor is helping with the sofa.",
        "He is your friend's colleague.",
    ],
)
def test_whole_words_alone_count(text: str) -> None:
    assert found(text) == []


def test_every_inflection_is_listed_with_its_stem() -> None:
    assert {"whisper", "whispers", "whispered", "whispering"} <= CHANNELS["delivery"]
    assert {"slow", "slower", "slowest", "slowly"} <= CHANNELS["delivery"]
    assert {"chirp", "chirps", "chirped", "chirping"} <= CHANNELS["sound"]
    assert not [word for words in CHANNELS.values() for word in words if " " in word]


def test_an_assistant_that_repeats_a_fact() -> None:
    assert found("I put it on Monday.", "So Monday it is.") == [(1, "fact", "monday")]
    assert found("It is on hold.", "I see, on hold, then.", value="on hold") == [
        (1, "fact", "on hold")
    ]
    assert found("It costs 45 euros.", "Thanks, 45.", value=45) == [(1, "fact", "45")]


def test_the_user_may_repeat_a_fact_and_the_assistant_may_say_a_part_of_it() -> None:
    assert found("I put it on Monday.", "Fine.", "Monday, I said.") == []
    assert found("It is on hold.", "Do hold on to it.", value="on hold") == []
    assert found("It costs 45 euros.", "That is 145.", value=45) == []


def test_a_fact_is_remembered_over_the_turns() -> None:
    texts = ("I put it on Monday.", "Fine.", "What else?", "Nothing but Monday.")
    assert found(*texts) == [(3, "fact", "monday")]


def test_a_leak_says_where_it_is() -> None:
    (leak,) = find_leaks(session("All fine.", "It was a whisper."))
    assert leak == Leak(session_id="s1", turn=1, channel="delivery", found="whisper")
