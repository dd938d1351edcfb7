"""What every term of the algebra means, one small history at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import get_args

import pytest

from tests.semantics.builders import (
    ANN,
    BEN,
    COLOUR,
    DATE,
    HOME,
    LAMP,
    ME,
    MINE,
    MOOD,
    PRICE,
    RAIN,
    RATE,
    SAD,
    SOUND,
    SPEAKER,
    about,
    colours,
    day,
    declared,
    episode,
    every,
    fact,
    named,
    numbers,
    reading,
    spoken,
    turn,
    voices,
)
from voxmem import query as q
from voxmem.errors import InputError
from voxmem.records import Cue, Gold, Reason, Session, Turn
from voxmem.semantics import Answer, Channel, Episode, Insufficient, answer, mask, observe
from voxmem.semantics.operate import OPERATIONS

WORDS, SPEAKER_CHANNEL = Channel.WORDS, Channel.SPEAKER


@dataclass(frozen=True)
class Case:
    """A history, a query, and what it comes to."""

    name: str
    history: Sequence[Episode]
    query: q.Query
    expected: Answer | Insufficient


def case(name: str, history: Sequence[Episode], query: q.Query, expected: Gold) -> Case:
    return Case(name, history, query, Answer(expected))


def fails(name: str, history: Sequence[Episode], query: q.Query, reason: Reason) -> Case:
    return Case(name, history, query, Insufficient(reason))


def count(*where: q.Condition) -> q.Count:
    return q.Count(of=every(*where))


def only(select: q.Selection, read: q.Read) -> q.Only:
    return q.Only(of=reading(select, read))


def states(compare: str, value: str | int | None, entity: str | None = None) -> q.States:
    attribute = "price" if isinstance(value, int) else "colour"
    return q.States(attribute=attribute, entity=entity, value=value, compare=compare)


def same_voice_as(*where: q.Condition) -> q.SpokenBy:
    return q.SpokenBy(same_as=where)


def seen_at(level: str, value: str) -> q.Heard:
    return q.Heard(level=level, value=value)


THREE = reading(declared(3, LAMP), COLOUR)
EVERY_LAMP = reading(every(LAMP), COLOUR)
PRICES = reading(every(q.States(attribute="price")), PRICE)
VISITS = reading(every(LAMP), SPEAKER)

LIKE_AT_WORK = (q.Topic(topic="work"),)
AT_WORK = spoken("w", 20, fact("price", 3, "vase"), by=BEN, sound="rain", topic="work")
PEOPLE = [AT_WORK, spoken("g", 21, by=ANN, topic="garden")]
# Prices 3, 8 and 5; the voices are mine, Ben's and mine; rain, birds and rain.
TRIO = [
    spoken("s1", 1, fact("price", 3, "a"), by=ME, sound="rain"),
    spoken("s2", 2, fact("price", 8, "b"), by=BEN, sound="birds"),
    spoken("s3", 3, fact("price", 5, "c"), by=ME, sound="rain"),
]


def like_at_work(entity: str) -> q.IsAsker:
    return q.IsAsker(of=only(about(entity), SPEAKER), same_as=LIKE_AT_WORK)


def whose(entity: str) -> q.WhoseVoice:
    return q.WhoseVoice(
        of=only(about(entity), SPEAKER),
        labels=("me", "the one at work", "the gardener"),
        references=(None, LIKE_AT_WORK, (q.Topic(topic="garden"),)),
        otherwise="somebody else",
    )


def labels(entities: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{entity}!" for entity in entities)


def which(*entities: str, having: q.Condition) -> q.WhichOf:
    return q.WhichOf(labels=labels(entities), select=about(*entities), having=(having,))


def alike(*entities: str, read: q.Read) -> q.Alike:
    return q.Alike(
        labels=labels(entities), of=reading(about(*entities), read), reference=LIKE_AT_WORK
    )


def odd(*entities: str, read: q.Read) -> q.OddOneOut:
    return q.OddOneOut(labels=labels(entities), of=reading(about(*entities), read))


def extreme(*entities: str, least: bool = False) -> q.Extreme:
    return q.Extreme(labels=labels(entities), of=reading(about(*entities), PRICE), least=least)


# Two voices in one session, two moods in one session, and a mood and a pace in one turn each.
TWO_VOICES = episode("two", 1, turn(by=ME), turn(by=ANN), about=("lamp",))
TWO_MOODS = episode("two", 1, turn(cue="sad"), turn(cue="tense"), about=("lamp",))
MOOD_AND_RATE = episode("two", 1, turn(cue="sad"), turn(cue="slow"), about=("lamp",))
EXCITED_THEN_SAD = observe(
    Session(
        session_id="both",
        topic="home",
        turns=(
            Turn(
                role="user",
                text="",
                speaker=ME,
                cues=tuple(
                    Cue(dimension="vocal_state", value=value) for value in ("excited", "sad")
                ),
            ),
        ),
    ),
    day(1),
)
# First red, then, in the same breath, blue.
CORRECTED = episode(
    "c", 1, turn(fact("colour", "red")), turn(fact("colour", "blue", status="corrected"))
)
CANCELLED = [*colours("red"), spoken("s9", 9, fact("colour", "red", status="cancelled"))]
# Said on day 1 that it will be blue from day 9 on; said on day 5 that it was green since day 0.
FUTURE = [
    spoken("s1", 1, fact("colour", "blue", effective=day(9))),
    spoken("s2", 2, fact("colour", "red")),
]
PAST = [
    spoken("s1", 2, fact("colour", "red")),
    spoken("s2", 5, fact("colour", "green", effective=day(0))),
]
RAINY = [
    spoken("s1", 1, sound="rain", about=("lamp",)),
    spoken("s2", 2, sound="sea waves", about=("sofa",)),
    spoken("s3", 3, sound="birds", about=("desk",)),
    spoken("s4", 4, about=("quiet",)),
]

CONDITIONS = [
    case("topic", [spoken("a", 1, topic="home"), spoken("b", 2, topic="work")], count(HOME), 1),
    case("about a mentioned entity", [spoken("a", 1, about=("lamp",))], count(LAMP), 1),
    case("about the entity of a fact", colours("red"), count(LAMP), 1),
    case("about nothing of the kind", colours("red", entity="sofa"), count(LAMP), 0),
    case("no conditions: every session", colours("red", "red"), count(), 2),
    fails(
        "spoken by the voice of a missing session, though nothing is spoken of either",
        [],
        count(LAMP, same_voice_as(q.Topic(topic="work"))),
        "unbound",
    ),
    fails(
        "more by the voice of a missing session",
        voices(ME, ANN),
        q.MoreOf(
            labels=("mine", "theirs"),
            left=every(LAMP, MINE),
            right=every(q.Topic(topic="garden"), same_voice_as(q.Topic(topic="work"))),
        ),
        "unbound",
    ),
    case("states an attribute", colours("red"), count(states("any", None)), 1),
    case("states another attribute", numbers(3), count(states("any", None)), 0),
    case("states of an entity", colours("red"), count(states("any", None, "sofa")), 0),
    case("states a value", colours("red", "blue", "red"), count(states("eq", "red")), 2),
    case("states at least", numbers(3, 5, 7), count(states("ge", 5)), 2),
    case("states at most", numbers(3, 5, 7), count(states("le", 5)), 2),
    case("states exactly", numbers(3, 5, 7), count(states("eq", 5)), 1),
    case(
        "words are not at least a number",
        [spoken("a", 1, fact("price", "a lot"))],
        count(states("ge", 0)),
        0,
    ),
    case("a corrected value is not stated", [CORRECTED], count(states("eq", "red")), 0),
    case("its correction is", [CORRECTED], count(states("eq", "blue")), 1),
    case("a cancelled value is not stated", CANCELLED, count(states("eq", "red")), 1),
    case("dated", colours("red", "blue"), count(q.Dated(day=day(2).date())), 1),
    case("dated on another day", colours("red"), count(q.Dated(day=date(2024, 4, 1))), 0),
    case("spoken by the asker", voices(ME, ANN, ME), count(LAMP, MINE), 2),
    case(
        "spoken by the voice of another session",
        [*voices(ANN, BEN, ANN), spoken("x", 9, by=ANN, topic="work")],
        count(LAMP, same_voice_as(q.Topic(topic="work"))),
        2,
    ),
    case(
        "a session has its own voice",
        voices(ANN),
        count(same_voice_as(LAMP)),
        1,
    ),
    fails(
        "spoken by the voice of a session that is not there",
        voices(ANN),
        count(LAMP, same_voice_as(q.Topic(topic="work"))),
        "unbound",
    ),
    fails(
        "spoken by the voice of one of two sessions",
        [*voices(ANN), spoken("x", 8, topic="work"), spoken("y", 9, topic="work", by=ANN)],
        count(LAMP, same_voice_as(q.Topic(topic="work"))),
        "ambiguous",
    ),
    fails(
        "spoken by the voice of a session with two voices",
        [TWO_VOICES, spoken("x", 9, by=ME, topic="work")],
        count(q.Topic(topic="work"), same_voice_as(LAMP)),
        "ambiguous",
    ),
    fails("two voices in one session", [TWO_VOICES], count(LAMP, MINE), "ambiguous"),
    case("two voices elsewhere", [TWO_VOICES], count(q.Topic(topic="work"), MINE), 0),
    case(
        "two voices in a session that the cue rules out, whatever the order of the conditions",
        [TWO_VOICES, spoken("s", 2, cue="sad", about=("lamp",))],
        count(LAMP, MINE, SAD),
        1,
    ),
    case("delivered", [TWO_MOODS, spoken("n", 2)], count(SAD), 1),
    case(
        "delivered in another dimension",
        [spoken("a", 1, cue="slow")],
        count(q.Delivered(dimension="vocal_state", value="slow")),
        0,
    ),
    case(
        "two cues of one dimension in one turn",
        [EXCITED_THEN_SAD],
        count(SAD, q.Delivered(dimension="vocal_state", value="excited")),
        1,
    ),
    case(
        "a cue on one of several turns",
        [episode("a", 1, turn(), turn(cue="sad"), turn(), about=("lamp",))],
        only(about("lamp"), MOOD),
        "sad",
    ),
    case("heard", RAINY, count(RAIN), 1),
    case(
        "heard, and not in the vocabulary",
        [spoken("a", 1, sound="doorbell")],
        count(q.Heard(value="doorbell")),
        1,
    ),
    case("heard by category", RAINY, count(seen_at("category", "weather and water")), 2),
    case("heard by scene", RAINY, count(seen_at("scene", "nature")), 1),
    case("an event is no scene", RAINY, count(seen_at("scene", "rain")), 0),
]

SELECTIONS = [
    case("named, each once", RAINY, q.Count(of=about("lamp", "sofa")), 2),
    fails("named, one is missing", RAINY, q.Count(of=about("lamp", "stove")), "missing_member"),
    fails("named alone and missing", RAINY, q.Count(of=about("stove")), "no_session"),
    fails("named, one fits twice", colours("red", "red"), q.Count(of=about("lamp")), "ambiguous"),
    fails("named, two are one", colours("red"), q.Count(of=named(LAMP, HOME)), "ambiguous"),
    fails("named by nothing", colours("red"), q.Same(of=reading(named(), COLOUR)), "no_session"),
    case(
        "named, only sessions where the fact is stated count",
        [*colours("red"), spoken("x", 9, about=("lamp",))],
        only(about("lamp"), COLOUR),
        "red",
    ),
    fails(
        "named, and the fact is not stated",
        [spoken("x", 9, about=("lamp",))],
        only(about("lamp"), COLOUR),
        "no_session",
    ),
    fails(
        "named by its cue, which is neutral",
        colours("red"),
        only(named((LAMP, SAD)), COLOUR),
        "cue_absent",
    ),
    fails(
        "named by its sound, which is absent",
        colours("red"),
        only(named((LAMP, RAIN)), COLOUR),
        "cue_absent",
    ),
    fails(
        "named by its cue, and not there at all",
        colours("red", entity="sofa"),
        only(named((LAMP, SAD)), COLOUR),
        "no_session",
    ),
    fails(
        "named by a voice that is not heard",
        [spoken("s", 1, fact("colour", "red"), by=ANN)],
        only(named((LAMP, MINE)), COLOUR),
        "unbound",
    ),
    fails(
        "named by voice and cue: the voice is there, the cue is not",
        [spoken("s", 1, fact("colour", "red"))],
        only(named((LAMP, MINE, SAD)), COLOUR),
        "cue_absent",
    ),
    fails(
        "named by voice and cue: the cue is there, the voice is not",
        [spoken("s", 1, fact("colour", "red"), by=ANN, cue="sad")],
        only(named((LAMP, MINE, SAD)), COLOUR),
        "unbound",
    ),
    fails(
        "one of two named members lacks its cue",
        [spoken("a", 1, cue="sad", about=("lamp",)), spoken("b", 2, about=("sofa",))],
        q.Same(of=reading(about("lamp", "sofa"), MOOD)),
        "cue_absent",
    ),
    case("declared", colours("red", "red"), q.Count(of=declared(2, LAMP)), 2),
    fails("declared, one too few", colours("red"), q.Count(of=declared(2, LAMP)), "missing_member"),
    fails("declared, none", [], q.Count(of=declared(2, LAMP)), "missing_member"),
    fails(
        "declared, one too many",
        colours("red", "red", "red"),
        q.Count(of=declared(2, LAMP)),
        "ambiguous",
    ),
    fails(
        "declared, one is neutral",
        [spoken("a", 1, cue="sad", about=("lamp",)), spoken("b", 2, about=("lamp",))],
        q.Count(of=declared(2, LAMP, SAD)),
        "cue_absent",
    ),
    fails(
        "declared, one has nothing to read",
        [spoken("a", 1, sound="rain", about=("lamp",)), spoken("b", 2, about=("lamp",))],
        q.Same(of=reading(declared(2, LAMP), SOUND)),
        "cue_absent",
    ),
    fails(
        "declared, one is another's",
        voices(ME, ANN),
        q.Count(of=declared(2, LAMP, MINE)),
        "unbound",
    ),
    fails(
        "declared by a cue, one is missing",
        [spoken("a", 1, cue="sad", about=("lamp",))],
        q.Count(of=declared(2, LAMP, SAD)),
        "missing_member",
    ),
    case("open, none", [], count(LAMP), 0),
    fails("open, none to read", [], q.Latest(of=EVERY_LAMP), "no_session"),
    fails(
        "open, all neutral",
        voices(ME, ME),
        q.Latest(of=reading(every(LAMP), MOOD)),
        "cue_absent",
    ),
    fails("open, nobody's", voices(ANN), q.Latest(of=reading(every(LAMP, MINE), DATE)), "unbound"),
]

READS = [
    case("fact", colours("red"), only(about("lamp"), COLOUR), "red"),
    case("fact, a number", numbers(3), only(about("a"), PRICE), 3),
    case("fact, corrected", [CORRECTED], only(about("lamp"), COLOUR), "blue"),
    case("fact, cancelled", CANCELLED, q.Latest(of=EVERY_LAMP), "cancelled"),
    case(
        "fact, cancelled and stated again in one session",
        [
            episode(
                "c",
                1,
                turn(fact("colour", "red", status="cancelled")),
                turn(fact("colour", "blue")),
            )
        ],
        only(about("lamp"), COLOUR),
        "blue",
    ),
    fails(
        "fact of two things in one session",
        [spoken("a", 1, fact("colour", "red"), fact("colour", "blue", "sofa"))],
        only(about("lamp"), COLOUR),
        "ambiguous",
    ),
    case(
        "fact of two things in one session, one value that holds once it does of both",
        [
            spoken(
                "a",
                1,
                fact("colour", "red", effective=day(9)),
                fact("colour", "red", "sofa", effective=day(3)),
            ),
            spoken("b", 5, fact("colour", "blue")),
        ],
        q.Latest(of=EVERY_LAMP),
        "red",
    ),
    case(
        "fact of one of the two",
        [spoken("a", 1, fact("colour", "red"), fact("colour", "blue", "sofa"))],
        only(about("lamp"), q.ReadFact(attribute="colour", entity="lamp")),
        "red",
    ),
    case(
        "referent under two names",
        [
            spoken("a", 1, fact("colour", "red", "lamp", referent="x")),
            spoken("b", 2, fact("colour", "blue", "light", referent="x")),
        ],
        q.Same(of=reading(about("lamp", "light"), q.ReadReferent(attribute="colour"))),
        "yes",
    ),
    case(
        "two referents under one name",
        [
            spoken("a", 1, fact("colour", "red", referent="x")),
            spoken("b", 2, fact("colour", "red", referent="y")),
        ],
        q.Same(of=reading(every(LAMP), q.ReadReferent(attribute="colour"))),
        "no",
    ),
    fails(
        "referents of two things in one session",
        [spoken("a", 1, fact("colour", "red"), fact("colour", "red", "sofa"))],
        only(about("lamp"), q.ReadReferent(attribute="colour")),
        "ambiguous",
    ),
    fails(
        "referent of what is not spoken of",
        numbers(3),
        only(about("a"), q.ReadReferent(attribute="colour")),
        "no_session",
    ),
    case("speaker", voices(ANN), q.IsAsker(of=only(about("lamp"), SPEAKER)), "no"),
    fails("speaker, two", [TWO_VOICES], only(about("lamp"), SPEAKER), "ambiguous"),
    fails(
        "speaker, not annotated", [spoken("a", 1, by=None)], only(named(HOME), SPEAKER), "unbound"
    ),
    case("cue", [MOOD_AND_RATE], only(about("lamp"), MOOD), "sad"),
    case("cue in the other dimension", [MOOD_AND_RATE], only(about("lamp"), RATE), "slow"),
    fails("cues, two in one dimension", [TWO_MOODS], only(about("lamp"), MOOD), "ambiguous"),
    fails("cue, neutral", voices(ME), only(about("lamp"), MOOD), "cue_absent"),
    case("sound", RAINY, only(about("lamp"), SOUND), "rain"),
    case("sound's scene", RAINY, only(about("sofa"), q.ReadSound(level="scene")), "seaside"),
    case(
        "sound's category",
        RAINY,
        q.Same(of=reading(about("lamp", "sofa"), q.ReadSound(level="category"))),
        "yes",
    ),
    fails("sound, absent", RAINY, only(about("quiet"), SOUND), "cue_absent"),
    fails(
        "sounds, two",
        [episode("a", 1, turn(sound="rain"), turn(sound="birds"))],
        only(named(HOME), SOUND),
        "ambiguous",
    ),
    case(
        "two sounds of one scene",
        [episode("a", 1, turn(sound="frog"), turn(sound="birds"))],
        only(named(HOME), q.ReadSound(level="scene")),
        "nature",
    ),
    case("date", colours("red"), only(about("lamp"), DATE), "2024-03-02"),
]

PAIR = reading(declared(2, q.States(attribute="price")), PRICE)

OPERATORS = [
    fails("only, of two", colours("red", "red"), q.Only(of=EVERY_LAMP), "ambiguous"),
    case("count", RAINY, count(HOME), 4),
    case("count distinct", colours("red", "blue", "red"), q.CountDistinct(of=THREE), 2),
    case("same, yes", colours("red", "red", "red"), q.Same(of=THREE), "yes"),
    case("same, no", colours("red", "red", "blue"), q.Same(of=THREE), "no"),
    case("is the asker", voices(ANN, ME), q.IsAsker(of=q.Latest(of=VISITS)), "yes"),
    case("is not the asker", voices(ME, ANN), q.IsAsker(of=q.Latest(of=VISITS)), "no"),
    fails("is the asker, of none", [], q.IsAsker(of=q.Latest(of=VISITS)), "no_session"),
    case("is the voice of another session", [*voices(BEN), AT_WORK], like_at_work("lamp"), "yes"),
    case("is another voice", [*voices(ANN), AT_WORK], like_at_work("lamp"), "no"),
    case("is another voice than the asker's", [*voices(ME), AT_WORK], like_at_work("lamp"), "no"),
    fails("is the voice of a missing session", voices(BEN), like_at_work("lamp"), "unbound"),
    fails("a missing session's voice, of none", [], like_at_work("lamp"), "unbound"),
    fails("is the voice of a session, of none", [AT_WORK], like_at_work("lamp"), "no_session"),
    fails(
        "is the voice of one of two sessions",
        [*voices(BEN), AT_WORK, spoken("w2", 22, by=BEN, topic="work")],
        like_at_work("lamp"),
        "ambiguous",
    ),
    fails(
        "is the voice of a session that no cue marks",
        [*voices(BEN), AT_WORK],
        q.IsAsker(of=only(about("lamp"), SPEAKER), same_as=(q.Topic(topic="work"), SAD)),
        "unbound",
    ),
    case("whose voice: mine", [*voices(ME), *PEOPLE], whose("lamp"), "me"),
    case("whose voice: one of them", [*voices(BEN), *PEOPLE], whose("lamp"), "the one at work"),
    case("whose voice: the other", [*voices(ANN), *PEOPLE], whose("lamp"), "the gardener"),
    case("whose voice: nobody's", [*voices("p09"), *PEOPLE], whose("lamp"), "somebody else"),
    fails("whose voice, one option is missing", [*voices(ME), AT_WORK], whose("lamp"), "unbound"),
    fails("whose voice, of none", PEOPLE, whose("lamp"), "no_session"),
    fails("whose voice, of none and none to compare", [AT_WORK], whose("lamp"), "unbound"),
    fails(
        "whose voice, two options are one person",
        [*voices(ME), AT_WORK, spoken("g", 21, by=BEN, topic="garden")],
        whose("lamp"),
        "ambiguous",
    ),
    fails(
        "whose voice, an option is the asker",
        [*voices(BEN), AT_WORK, spoken("g", 21, by=ME, topic="garden")],
        whose("lamp"),
        "ambiguous",
    ),
    case("is a value", colours("red"), q.Is(of=only(about("lamp"), COLOUR), value="red"), "yes"),
    case("is no such value", colours("red"), q.Is(of=only(about("lamp"), COLOUR), value="b"), "no"),
    case("is a number", colours("red", "red"), q.Is(of=count(LAMP), value=2), "yes"),
    case(
        "is a date",
        colours("red"),
        q.Is(of=only(about("lamp"), DATE), value="2024-03-02"),
        "yes",
    ),
    case("which of", RAINY, which("lamp", "sofa", "desk", having=RAIN), ("lamp!",)),
    case(
        "which of, several",
        RAINY,
        which("sofa", "lamp", "desk", having=seen_at("category", "weather and water")),
        ("lamp!", "sofa!"),
    ),
    case(
        "which of, by what is stated",
        numbers(3, 8, 5),
        which("a", "b", "c", having=states("ge", 5)),
        ("b!", "c!"),
    ),
    case(
        "which of, by all conditions",
        [spoken("a", 1, cue="sad", about=("lamp",)), spoken("b", 2, about=("sofa",))],
        q.WhichOf(labels=("lamp!", "sofa!"), select=about("lamp", "sofa"), having=(MINE, SAD)),
        ("lamp!",),
    ),
    fails("which of, one is missing", RAINY, which("lamp", "stove", having=RAIN), "missing_member"),
    fails("which of one that is missing", RAINY, which("stove", having=RAIN), "missing_member"),
    fails("which of, none has the sound", RAINY, which("sofa", "desk", having=RAIN), "cue_absent"),
    fails("which of, none is mine", voices(ANN), which("lamp", having=MINE), "unbound"),
    fails("which of, none states it", RAINY, which("lamp", having=states("ge", 5)), "no_session"),
    fails(
        "which of, by a missing voice",
        voices(ME),
        which("lamp", having=same_voice_as(q.Topic(topic="work"))),
        "unbound",
    ),
    fails("which of, two are one", colours("red"), which("lamp", "lamp", having=MINE), "ambiguous"),
    case("alike", [*TRIO, AT_WORK], alike("a", "b", "c", read=SPEAKER), ("b!",)),
    case("alike in sound", [*TRIO, AT_WORK], alike("c", "b", "a", read=SOUND), ("a!", "c!")),
    case("alike in what is said", [*TRIO, AT_WORK], alike("a", "b", read=PRICE), ("a!",)),
    fails("alike, nobody is", [*TRIO, AT_WORK], alike("a", "c", read=SPEAKER), "unbound"),
    fails("alike, no sound is", [*TRIO, AT_WORK], alike("b", read=SOUND), "cue_absent"),
    fails("alike, no fact is", [*TRIO, AT_WORK], alike("b", "c", read=PRICE), "no_session"),
    fails("alike to a missing session", TRIO, alike("a", "b", read=SOUND), "unbound"),
    fails("missing and alike to a missing session", [], alike("a", read=SOUND), "unbound"),
    fails("alike, one is missing", [*TRIO, AT_WORK], alike("a", "z", read=PRICE), "missing_member"),
    fails(
        "alike to silence",
        [*TRIO, spoken("w", 20, topic="work")],
        alike("a", "b", read=SOUND),
        "cue_absent",
    ),
    fails(
        "alike to one of two",
        [*TRIO, AT_WORK, spoken("w2", 21, topic="work", sound="birds")],
        alike("a", "b", read=SOUND),
        "ambiguous",
    ),
    case("odd one out", TRIO, odd("a", "b", "c", read=SOUND), "b!"),
    case("odd one out, at another place in time", TRIO, odd("b", "c", "a", read=SOUND), "b!"),
    fails("odd one out, all differ", TRIO, odd("a", "b", "c", read=PRICE), "ambiguous"),
    fails("odd one out, all agree", voices(ME), odd("lamp", read=SPEAKER), "ambiguous"),
    fails("odd one out of two", TRIO, odd("a", "b", read=SOUND), "ambiguous"),
    fails("odd one out, one is missing", TRIO, odd("a", "b", "z", read=SOUND), "missing_member"),
    fails(
        "odd one out, one is silent", RAINY, odd("lamp", "sofa", "quiet", read=SOUND), "cue_absent"
    ),
    fails(
        "odd ones out, two and two",
        numbers(3, 3, 5, 5),
        odd("a", "b", "c", "d", read=PRICE),
        "ambiguous",
    ),
    case("odd one out of four", numbers(3, 3, 5, 3), odd("a", "b", "c", "d", read=PRICE), "c!"),
    case("sum", numbers(3, 5, 7), q.Sum(of=PRICES), 15),
    fails(
        "sum of a number and words",
        [*numbers(3), spoken("x", 9, fact("price", "a lot", "x"))],
        q.Sum(of=PRICES),
        "ambiguous",
    ),
    case("difference", numbers(3, 8), q.Difference(of=PAIR), 5),
    case("difference the other way", numbers(8, 3), q.Difference(of=PAIR), 5),
    fails("difference of one", numbers(3), q.Difference(of=PRICES), "missing_member"),
    fails("difference of three", numbers(3, 4, 5), q.Difference(of=PRICES), "ambiguous"),
    case("merge", colours("red", "blue", "red"), q.Merge(of=THREE), ("blue", "red")),
    case("merge numbers", numbers(10, 9), q.Merge(of=PRICES), ("10", "9")),
    case("dominant", colours("red", "blue", "red"), q.Dominant(of=THREE), "red"),
    case("dominant, all one", colours("red", "red", "red"), q.Dominant(of=THREE), "red"),
    case(
        "dominant without a majority",
        colours("red", "red", "blue", "green", "white"),
        q.Dominant(of=EVERY_LAMP),
        "red",
    ),
    fails("dominant, a tie", colours("red", "blue"), q.Dominant(of=EVERY_LAMP), "ambiguous"),
    case("majority", colours("red", "blue", "red"), q.Majority(of=THREE, value="red"), "yes"),
    case(
        "half is no majority",
        colours("red", "blue"),
        q.Majority(of=EVERY_LAMP, value="red"),
        "no",
    ),
    case(
        "more of the left",
        voices(ME, ME, ANN),
        q.MoreOf(
            labels=("me", "Ann"),
            left=every(MINE),
            right=declared(1, same_voice_as(q.Dated(day=day(3).date()))),
        ),
        "me",
    ),
    case(
        "more of the right",
        RAINY,
        q.MoreOf(labels=("rain", "any"), left=every(RAIN), right=every(HOME)),
        "any",
    ),
    fails(
        "more of neither",
        RAINY,
        q.MoreOf(labels=("rain", "lamp"), left=every(RAIN), right=every(LAMP)),
        "ambiguous",
    ),
    case("most", numbers(3, 8, 5), extreme("a", "b", "c"), "b!"),
    case("most, whatever the order of the labels", numbers(3, 8, 5), extreme("b", "c", "a"), "b!"),
    case("least", numbers(3, 8, 5), extreme("c", "b", "a", least=True), "a!"),
    fails("most, a tie", numbers(8, 3, 8), extreme("a", "b", "c"), "ambiguous"),
    case("most, a tie below it", numbers(8, 3, 3), extreme("a", "b", "c"), "a!"),
    fails("least, a tie", numbers(8, 3, 3), extreme("a", "b", "c", least=True), "ambiguous"),
    fails("most, one is missing", numbers(8, 3), extreme("a", "b", "c"), "missing_member"),
    fails(
        "most of words",
        [spoken("x", 1, fact("price", "a lot", "a")), spoken("y", 2, fact("price", 3, "b"))],
        extreme("a", "b"),
        "ambiguous",
    ),
]

IN_TIME = [
    case("latest", colours("red", "blue", "green"), q.Latest(of=THREE), "green"),
    case("latest is what takes effect last", FUTURE, q.Latest(of=EVERY_LAMP), "blue"),
    case("latest is not what is said last", PAST, q.Latest(of=EVERY_LAMP), "red"),
    fails(
        "latest, two from the same moment on",
        [
            spoken("a", 1, fact("colour", "red", effective=day(9))),
            spoken("b", 2, fact("colour", "blue", effective=day(9))),
        ],
        q.Latest(of=EVERY_LAMP),
        "ambiguous",
    ),
    case(
        "latest, two that agree",
        [
            spoken("a", 1, fact("colour", "red", effective=day(9))),
            spoken("b", 2, fact("colour", "red", effective=day(9))),
        ],
        q.Latest(of=EVERY_LAMP),
        "red",
    ),
    case("as of", colours("red", "blue", "green"), q.AsOf(of=THREE, at=day(2.5)), "blue"),
    case(
        "as of that very moment", colours("red", "blue"), q.AsOf(of=EVERY_LAMP, at=day(2)), "blue"
    ),
    case("as of, not yet in effect", FUTURE, q.AsOf(of=EVERY_LAMP, at=day(8)), "red"),
    case("as of, in effect", FUTURE, q.AsOf(of=EVERY_LAMP, at=day(9)), "blue"),
    case("as of, known afterwards", PAST, q.AsOf(of=EVERY_LAMP, at=day(1)), "green"),
    fails("as of, before all", PAST, q.AsOf(of=EVERY_LAMP, at=day(-1)), "no_session"),
    case("nth", colours("red", "blue", "green"), q.Nth(of=THREE, n=2), "blue"),
    case("nth by effect", FUTURE, q.Nth(of=EVERY_LAMP, n=1), "red"),
    fails("nth, too few", colours("red"), q.Nth(of=EVERY_LAMP, n=2), "missing_member"),
    case("sequence", colours("red", "blue", "red"), q.Sequence(of=THREE), ("red", "blue", "red")),
    case("sequence of numbers", numbers(3, 10), q.Sequence(of=PRICES), ("3", "10")),
    case("sequence by effect", PAST, q.Sequence(of=EVERY_LAMP), ("green", "red")),
    fails(
        "sequence of two at one moment",
        [spoken("a", 1, fact("colour", "red")), spoken("b", 1, fact("colour", "blue"))],
        q.Sequence(of=EVERY_LAMP),
        "ambiguous",
    ),
    case("changes", colours("red", "blue", "blue", "red"), q.Changes(of=EVERY_LAMP), 2),
    case("no changes", colours("red"), q.Changes(of=EVERY_LAMP), 0),
    case("recurs", colours("red", "blue", "red"), q.Recurs(of=THREE), "yes"),
    case("stays, then goes", colours("red", "red", "blue"), q.Recurs(of=THREE), "no"),
    case("first stage", colours("red", "blue", "blue"), q.FirstStage(of=THREE, value="blue"), 2),
    fails(
        "first stage of none",
        colours("red", "red", "red"),
        q.FirstStage(of=THREE, value="b"),
        "cue_absent",
    ),
    case("last stage", colours("red", "blue", "red"), q.LastStage(of=THREE, value="red"), 3),
    case(
        "last stage is the only one",
        colours("a", "red", "b"),
        q.LastStage(of=THREE, value="red"),
        2,
    ),
    fails(
        "last stage of none",
        colours("red", "red", "red"),
        q.LastStage(of=THREE, value="b"),
        "cue_absent",
    ),
    case("previous", colours("red", "blue", "green"), q.Previous(of=THREE), "blue"),
    case(
        "previous before the last change",
        colours("red", "blue", "blue"),
        q.Previous(of=THREE),
        "red",
    ),
    case("previous, come back since", colours("red", "blue", "red"), q.Previous(of=THREE), "blue"),
    case("previous by effect", FUTURE, q.Previous(of=EVERY_LAMP), "red"),
    fails("previous of one", colours("red"), q.Previous(of=EVERY_LAMP), "missing_member"),
    fails("previous, no change", colours("a", "a", "a"), q.Previous(of=THREE), "missing_member"),
    fails("previous of none", [], q.Previous(of=EVERY_LAMP), "no_session"),
    case("up", numbers(3, 4, 9), q.Direction(of=PRICES), "up"),
    case("down", numbers(9, 4, 3), q.Direction(of=PRICES), "down"),
    case("both ways", numbers(3, 9, 4), q.Direction(of=PRICES), "both"),
    fails("direction, level for a while", numbers(3, 3, 9), q.Direction(of=PRICES), "ambiguous"),
    fails("direction of one", numbers(3), q.Direction(of=PRICES), "missing_member"),
    fails("direction of words", colours("red", "blue"), q.Direction(of=EVERY_LAMP), "ambiguous"),
    case(
        "handoff",
        voices(ME, ANN, BEN, ME),
        q.Handoff(of=declared(4, LAMP)),
        ("me", "someone else", "someone else", "me"),
    ),
    case("handoff, never mine", voices(ANN), q.Handoff(of=every(LAMP)), ("someone else",)),
    fails("handoff of nothing", [], q.Handoff(of=every(LAMP)), "no_session"),
    fails("handoff, one is missing", voices(ME), q.Handoff(of=declared(2, LAMP)), "missing_member"),
    case("asker's stages", voices(ME, ANN, ME), q.AskerStages(of=declared(3, LAMP)), ("1", "3")),
    fails("asker's stages, never", voices(ANN, BEN), q.AskerStages(of=every(LAMP)), "unbound"),
    fails("asker's stages of nothing", [], q.AskerStages(of=every(LAMP)), "no_session"),
    fails("asker's stages, two voices", [TWO_VOICES], q.AskerStages(of=every(LAMP)), "ambiguous"),
]


def unknown(history: Sequence[Episode], *channels: Channel) -> tuple[Episode, ...]:
    return mask(history, channels)


# What is masked may make a set empty, or a tie, or people one.
HIDDEN = [
    fails(
        f"hidden: {query.op}",
        unknown(history, channel),
        query,
        "unbound",
    )
    for history, channel, query in (
        ([*voices(BEN), AT_WORK], SPEAKER_CHANNEL, like_at_work("lamp")),
        ([*voices(BEN), *PEOPLE], SPEAKER_CHANNEL, whose("lamp")),
        (RAINY, Channel.SOUND, which("lamp", "sofa", having=RAIN)),
        ([*TRIO, AT_WORK], Channel.SOUND, alike("a", "b", "c", read=SOUND)),
        (TRIO, Channel.SOUND, odd("a", "b", "c", read=SOUND)),
        (TRIO, SPEAKER_CHANNEL, odd("a", "b", "c", read=SPEAKER)),
        (numbers(3, 8, 5), WORDS, extreme("a", "b", "c")),
        (colours("red", "red", "blue"), WORDS, q.LastStage(of=THREE, value="blue")),
        (colours("red", "blue", "blue"), WORDS, q.Previous(of=THREE)),
        (numbers(3, 4, 9), WORDS, q.Direction(of=PRICES)),
        (voices(ME, ANN), SPEAKER_CHANNEL, q.Handoff(of=every(LAMP))),
    )
]
# Absent and neutral are known; what is masked may be anything.
UNKNOWN = [
    fails("a masked cue", unknown([TWO_MOODS], Channel.DELIVERY), count(SAD), "unbound"),
    fails("a masked neutral", unknown(voices(ME), Channel.DELIVERY), count(SAD), "unbound"),
    fails("a masked absence", unknown(voices(ME), Channel.SOUND), count(RAIN), "unbound"),
    fails(
        "a masked sound is read",
        unknown(RAINY, Channel.SOUND),
        only(about("lamp"), SOUND),
        "unbound",
    ),
    fails(
        "a masked delivery is read",
        unknown(voices(ME), Channel.DELIVERY),
        only(about("lamp"), MOOD),
        "unbound",
    ),
    fails(
        "a masked voice",
        unknown(voices(ME), Channel.SPEAKER),
        q.IsAsker(of=only(about("lamp"), SPEAKER)),
        "unbound",
    ),
    fails("a masked fact", unknown(colours("red"), WORDS), only(about("lamp"), COLOUR), "unbound"),
    fails("a masked cancellation", unknown(CANCELLED, WORDS), q.Latest(of=EVERY_LAMP), "unbound"),
    fails("a masked number", unknown(numbers(3), WORDS), q.Sum(of=PRICES), "unbound"),
    fails(
        "a masked value that the question names",
        unknown(colours("red"), WORDS),
        count(states("eq", "red")),
        "unbound",
    ),
    fails(
        "a masked number that the question bounds",
        unknown(numbers(70), WORDS),
        count(states("ge", 50)),
        "unbound",
    ),
    fails(
        "a masked result that the question names",
        unknown(colours("red"), WORDS),
        q.Is(of=q.Latest(of=EVERY_LAMP), value="red"),
        "unbound",
    ),
    fails(
        "a masked sum that the question names",
        unknown(numbers(70, 80), WORDS),
        q.Is(of=q.Sum(of=PRICES), value=150),
        "unbound",
    ),
    fails(
        "masked values that may be the majority",
        unknown(colours("red", "red"), WORDS),
        q.Majority(of=EVERY_LAMP, value="red"),
        "unbound",
    ),
    fails(
        "a masked referent",
        unknown(colours("red", "red"), Channel.REFERENT),
        q.Same(of=reading(every(LAMP), q.ReadReferent(attribute="colour"))),
        "unbound",
    ),
    case("what is masked is not asked for", unknown(RAINY, WORDS, Channel.SPEAKER), count(RAIN), 1),
    case(
        "voices matter only where the words fit",
        unknown(colours("red"), Channel.SPEAKER),
        count(q.Topic(topic="work"), MINE),
        0,
    ),
    case(
        "one masked value is one value",
        unknown(colours("red"), WORDS),
        q.CountDistinct(of=EVERY_LAMP),
        1,
    ),
    fails(
        "a reason that no completion changes is kept",
        unknown(colours("red", "red"), WORDS),
        q.Only(of=EVERY_LAMP),
        "ambiguous",
    ),
    fails(
        "a missing member is missing under every mask",
        unknown(RAINY, *Channel),
        q.Count(of=about("lamp", "stove")),
        "missing_member",
    ),
    fails(
        "one member is missing, another may have no sound",
        unknown(RAINY, Channel.SOUND),
        q.Same(of=reading(about("lamp", "stove"), SOUND)),
        "unbound",
    ),
]

CASES = [*CONDITIONS, *SELECTIONS, *READS, *OPERATORS, *IN_TIME, *UNKNOWN, *HIDDEN]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_meaning(case: Case) -> None:
    assert answer(case.query, case.history, ME) == case.expected


def test_every_term_is_covered() -> None:
    used = {term["op" if "op" in term else "kind"] for case in CASES for term in _terms(case)}
    algebra = {
        get_args(term.model_fields["op" if "op" in term.model_fields else "kind"].annotation)[0]
        for term in vars(q).values()
        if isinstance(term, type)
        and issubclass(term, q.Term)
        and term.model_fields.keys() & {"op", "kind"}
    }
    assert used == algebra
    assert {case.expected.reason for case in CASES if isinstance(case.expected, Insufficient)} == (
        set(get_args(Reason))
    )


def _terms(case: Case) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    todo: list[object] = [case.query.model_dump()]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo.extend(item.values())
            if item.keys() & {"op", "kind"}:
                found.append(item)
        elif isinstance(item, list | tuple):
            todo.extend(item)
    return found


def test_every_operation_has_a_meaning() -> None:
    queries = get_args(get_args(q.Query)[0])
    assert set(OPERATIONS) == set(queries)


def test_history_is_read_in_order_of_time_whatever_its_order() -> None:
    history = colours("red", "blue", "green")
    assert answer(q.Latest(of=THREE), history[::-1], ME) == Answer("green")


@pytest.mark.parametrize(
    "query",
    [
        q.WhichOf(labels=("a",), select=about("a", "b"), having=(MINE,)),
        q.OddOneOut(labels=("a", "b"), of=reading(every(LAMP), COLOUR)),
        q.Extreme(labels=(), of=reading(named(), PRICE)),
        q.WhoseVoice(
            of=only(about("a"), SPEAKER), labels=("me", "x"), references=(None,), otherwise="y"
        ),
    ],
    ids=lambda query: query.op,
)
def test_labels_are_one_a_session(query: q.Query) -> None:
    with pytest.raises(InputError, match=r"labels name \d sessions"):
        answer(query, numbers(1, 2), ME)
