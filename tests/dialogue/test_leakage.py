"""Planted leaks of every channel are found, and nothing else is."""

from __future__ import annotations

from typing import Literal

import pytest

from voxmem.dialogue.leakage import Leak, find_leaks
from voxmem.records import Fact, Session, Turn
from voxmem.vocabulary import ANYWHERE, DELIVERIES, SOUNDS

ENTITY = "the lamp repair"


def session(
    *texts: str,
    value: str | int | None = None,
    attribute: str = "day",
    status: Literal["stated", "cancelled"] = "stated",
    entities: tuple[str, ...] = (ENTITY,),
) -> Session:
    """User and assistant in turn; the first turn states a fact if a value is given."""
    facts: tuple[Fact, ...] = ()
    if value is not None:
        start = texts[0].find(str(value))
        facts = (
            Fact(
                entity=ENTITY,
                referent=ENTITY,
                attribute=attribute,
                value=value,
                status=status,
                span=(start, start + len(str(value))) if start >= 0 else None,
            ),
        )
    turns = tuple(
        Turn(
            role="assistant" if at % 2 else "user",
            text=text,
            facts=facts if at == 0 else (),
        )
        for at, text in enumerate(texts)
    )
    return Session(session_id="s1", topic="home", entities=entities, turns=turns)


def found(
    *texts: str,
    value: str | int | None = None,
    attribute: str = "day",
    status: Literal["stated", "cancelled"] = "stated",
    entities: tuple[str, ...] = (ENTITY,),
) -> list[tuple[int, str, str]]:
    made = session(*texts, value=value, attribute=attribute, status=status, entities=entities)
    return [(leak.turn, leak.channel, leak.found) for leak in find_leaks(made)]


@pytest.mark.parametrize(
    ("text", "channel", "word"),
    [
        ("I am whispering this.", "delivery", "whispering"),
        ("That EXCITES me.", "delivery", "excites"),
        ("It went rather slowly.", "delivery", "slowly"),
        ("I speak faster on Mondays.", "delivery", "faster"),
        ("He was hesitant", "delivery", "hesitant"),
        ("My voice is gone.", "delivery", "voice"),
        ("We were all giggling.", "delivery", "giggling"),
        ("I say it emphatically.", "delivery", "emphatically"),
        ("I feel fine.", "delivery", "i feel"),
        ("I can't wait for it.", "delivery", "can't wait"),
        ("It rained all day.", "sound", "rained"),
        ("Do you hear me?", "sound", "hear"),
        ("A bird chirped.", "sound", "chirped"),
        ("There was a car horn.", "sound", "horn"),
        ("The bird's nest.", "sound", "bird"),
        ("An old clock.", "sound", "clock"),
        ("I am typing.", "sound", "typing"),
        ("We are at the seaside.", "place", "seaside"),
        ("I walk down the street.", "place", "street"),
        ("I am in the kitchen.", "place", "i am in the kitchen"),
        ("I'm on the bus.", "place", "on the bus"),
        ("My name is Ann.", "identity", "my name is"),
        ("Please ask Margaret.", "identity", "Margaret"),
        ("Hi, I'm your neighbor.", "identity", "i'm your neighbor"),
        ("This is a woman speaking.", "identity", "this is a woman"),
        ("As a mother I know.", "identity", "as a mother"),
        ("My husband said so.", "identity", "my husband"),
        ("I am sixty years old.", "identity", "years old"),
        ("It's me.", "identity", "it's me"),
        ("As you can tell, it differs.", "change", "as you can tell"),
        ("I am speaking differently.", "change", "speaking differently"),
        ("Someone else is here.", "change", "someone else is"),
        ("Hello again.", "change", "hello again"),
        ("As I told you, it is done.", "change", "as i told you"),
    ],
)
def test_a_word_that_gives_something_away(text: str, channel: str, word: str) -> None:
    for entities in ((ENTITY,), ()):
        assert (0, channel, word) in found(text, entities=entities), "nor in a filler"
        assert (1, channel, word) in found("Fine.", text, entities=entities), "nor the assistant"


@pytest.mark.parametrize(
    ("text", "channel", "word"),
    [
        ("I do it tomorrow.", "time", "tomorrow"),
        ("I do it now.", "time", "now"),
        ("It was last week.", "time", "last week"),
        ("We meet this Friday.", "time", "this friday"),
        ("It is due in two days.", "time", "in two days"),
        ("It was two weeks ago.", "time", "ago"),
        ("So far it works.", "time", "so far"),
        ("It begins in June.", "date", "june"),
        ("It is on the fifth of May.", "date", "of may"),
    ],
)
def test_a_time_that_resolves_differently_later(text: str, channel: str, word: str) -> None:
    assert (0, channel, word) in found(text)
    assert (1, channel, word) in found("Fine.", text)
    assert not [leak for leak in found(text, entities=()) if leak[1] == channel], (
        "in a filler it does no harm"
    )


def test_a_day_may_be_said_where_a_fact_holds_from_it() -> None:
    text = "From the third of June on, it is on a Monday."
    made = session(text, value="Monday")
    dated = made.turns[0].facts[0].model_copy(update={"effective": "2025-06-03T00:00:00"})
    turn = made.turns[0].model_copy(update={"facts": (dated,)})
    assert find_leaks(made.model_copy(update={"turns": (turn,)})) == []
    assert [leak.channel for leak in find_leaks(made)] == ["date"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("That is great!", "!"),
        ("Well... fine.", ".."),
        ("I was … there.", "…"),
        ("It is — I guess — fine.", "—"),
        ("So I - it is fine.", " - "),
        ("Really??", "??"),
        ("That is sooo good.", "ooo"),
        ("I want it NOT red.", "NOT"),
        ("PLEASE do it.", "PLEASE"),
        ("I-I want it.", "I-I"),
        ("It is the the lamp.", "the the"),
        ("It is (quietly) fine.", "("),
        ("*sighs* fine", "*"),
        ("Um, it is fine.", "um"),
        ("It is, hmm, fine.", "hmm"),
        ("Oh, it is fine.", "oh"),
        ("Haha, it is fine.", "haha"),
    ],
)
def test_writing_that_depends_on_the_delivery(text: str, what: str) -> None:
    for entities in ((ENTITY,), ()):
        assert (0, "style", what) in found(text, entities=entities)
        assert not [leak for leak in found("Fine.", text, entities=entities) if leak[1] == "style"]


@pytest.mark.parametrize("word", ["maybe", "unfortunately", "awesome", "i guess", "oh no"])
def test_wording_that_fits_one_delivery_best(word: str) -> None:
    text = f"I know it, {word}."
    assert (0, "wording", word) in found(text)
    assert not [leak for leak in found(text, entities=()) if leak[1] == "wording"]
    assert not [leak for leak in found("Fine.", text) if leak[1] == "wording"]


@pytest.mark.parametrize("cue", sorted(DELIVERIES))
def test_every_delivery_is_known_by_its_name(cue: str) -> None:
    assert (0, "delivery", cue) in found(f"It was {cue}.")


@pytest.mark.parametrize("sound", sorted(SOUNDS))
def test_every_sound_is_known_by_its_name(sound: str) -> None:
    assert [leak for leak in found(f"It was {sound}.") if leak[1] == "sound"]


SCENES = sorted({scene for _, scene in SOUNDS.values()} - {"transport", ANYWHERE})


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_known_by_its_name(scene: str) -> None:
    assert (0, "place", scene) in found(f"It was {scene}.")


@pytest.mark.parametrize(
    "text",
    [
        "The marathon training is fine.",
        "I restrained myself from brainstorming.",
        "We bought a toned shirt and a trained dog.",
        "He was bellicose, waved and birdied.",
        "My neighbor is helping with the sofa.",
        "He is your friend's colleague.",
        "I asked my uncle about a TV and a PDF.",
        "It is twenty-second in line, and so on.",
        "In the end we will see, and may change it.",
    ],
)
def test_whole_words_alone_count(text: str) -> None:
    assert found(text, entities=()) == []


# --- values -----------------------------------------------------------------------------------


def test_an_assistant_that_repeats_a_fact() -> None:
    assert found("It is on a Monday.", "Fine, Monday it is.", value="Monday") == [
        (1, "fact", "monday")
    ]
    assert found("It is on hold.", "Good, on hold, then.", value="on hold", attribute="status") == [
        (1, "fact", "on hold")
    ]
    assert found("It costs 45 euros.", "Thanks, 45.", value=45) == [(1, "fact", "45")]


def test_a_repetition_in_other_words() -> None:
    assert found("It costs 45 euros.", "Thanks, forty-five.", value=45) == [
        (1, "fact", "forty five")
    ]
    assert found("It takes 120 minutes.", "One hundred twenty is a lot.", value=120) == [
        (1, "fact", "one hundred twenty")
    ]
    assert found("It is on a Monday.", "Mondays are fine.", value="Monday") == [
        (1, "fact", "mondays")
    ]


@pytest.mark.parametrize("reply", ["Tables like that fold well.", "Take the folding one."])
def test_a_part_of_an_open_phrase_is_a_repetition(reply: str) -> None:
    leaks = found("I bring a folding table.", reply, value="a folding table", attribute="bring")
    assert [leak[:2] for leak in leaks] == [(1, "fact")]


def test_common_words_of_an_open_phrase_are_not() -> None:
    said = "I want to keep a promise."
    reply = "Sure, I will keep it short."
    assert found(said, reply, value="to keep a promise", attribute="goal") == []


def test_the_assistant_may_say_a_part_of_a_closed_value() -> None:
    assert found("It is on hold.", "Do hold on to it.", value="on hold", attribute="status") == []
    assert found("It costs 45 euros.", "That is 145.", value=45) == []


def test_what_was_cancelled_has_no_value_to_repeat() -> None:
    assert found("It is cancelled.", "A Monday is free.", value="Monday", status="cancelled") == []


def test_a_fact_is_remembered_over_the_turns() -> None:
    texts = ("It is on a Monday.", "Fine.", "What else?", "Nothing but Monday.")
    assert found(*texts, value="Monday") == [(3, "fact", "monday")]


@pytest.mark.parametrize(
    "reply", ["So it is settled.", "You said that.", "You are right.", "To confirm, I have it."]
)
def test_an_assistant_that_confirms(reply: str) -> None:
    assert [leak[:2] for leak in found("It is on a Monday.", reply, value="Monday")] == [
        (1, "confirm")
    ]
    assert found("Hello there.", reply) == [], "before a fact is stated there is nothing to confirm"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I like a Monday more.", "monday"),
        ("It is on hold.", "on hold"),
        ("I have 3 of them.", "3"),
        ("I will bring a folding table.", "a folding table"),
    ],
)
def test_a_value_beside_the_annotated_facts(text: str, value: str) -> None:
    assert found(text) == [(0, "value", value)]
    assert found("It costs 45 euros.", "Fine.", text, value=45) == [(2, "value", value)]
    assert found(text, entities=()) == [], "fillers are screened against what is protected"


def test_a_value_is_stray_though_its_like_is_annotated() -> None:
    assert found("It is on a Monday, no Tuesday.", value="Monday") == [(0, "value", "tuesday")]
    assert found("It costs 45 euros or 50.", value=45) == [(0, "value", "50")]
    assert found("It is on a Monday.", value="Monday") == []


def test_a_leak_says_where_it_is() -> None:
    (leak,) = find_leaks(session("All fine.", "It was a whisper."))
    assert leak == Leak(session_id="s1", turn=1, channel="delivery", found="whisper")
