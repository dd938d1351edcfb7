"""What must follow from the meaning of a question, each with an example where it must not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import permutations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

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
    SAD,
    SOUND,
    SPEAKER,
    about,
    colours,
    day,
    declared,
    every,
    fact,
    named,
    numbers,
    reading,
    spoken,
    voices,
)
from tests.semantics.strategies import READS, RELATIVE, SPEAKERS, histories, masks, queries
from voxmem import query as q
from voxmem.records import Gold
from voxmem.semantics import (
    Answer,
    Channel,
    Decision,
    Episode,
    Insufficient,
    answer,
    decide,
    mask,
)
from voxmem.semantics.consequences import (
    ANSWERABLE_CONSEQUENCES,
    REFUSAL_CONSEQUENCES,
    Claim,
    Violation,
    refusal_violations,
    violations,
    without_acoustics,
)
from voxmem.taxonomy import EvidenceType, Operation

quick = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

MSR = (
    q.Count, q.CountDistinct, q.Same, q.Sum, q.Merge, q.Dominant, q.Majority, q.MoreOf,
    q.Difference, q.WhichOf, q.Alike, q.OddOneOut, q.Extreme,
)  # fmt: skip
"""Operators that look at what was said and not at when."""


def retimed(history: Sequence[Episode], order: Sequence[int]) -> tuple[Episode, ...]:
    """The same sessions, where ``order[i]`` takes the place in time of the i-th."""
    moments = [episode.timestamp for episode in history]
    return tuple(
        _moved(episode, moments[slot]) for episode, slot in zip(history, order, strict=True)
    )


def _moved(episode: Episode, moment: datetime) -> Episode:
    turns = tuple(
        replace(turn, statements=tuple(replace(s, effective=moment) for s in turn.statements))
        for turn in episode.utterances
    )
    return replace(episode, timestamp=moment, utterances=turns)


def orders(history: Sequence[Episode]) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(len(history)))


# --- masking ----------------------------------------------------------------------------------

small = histories(sessions=(2, 4), most_turns=1)


@quick
@given(small, queries(), masks, masks)
def test_masking_more_never_makes_or_changes_an_answer(
    history: tuple[Episode, ...], query: q.Query, some: set[Channel], more: set[Channel]
) -> None:
    seen_more = answer(query, mask(history, some), ME)
    seen_less = answer(query, mask(history, some | more), ME)
    if isinstance(seen_less, Answer):
        assert seen_less == seen_more


def test_forgetting_is_not_masking() -> None:
    """To take what is hidden for absent turns an answer into another, and none into one."""
    history = [spoken("s1", 1, sound="rain"), spoken("s2", 2)]
    deaf = [
        replace(item, utterances=tuple(replace(t, sound=None) for t in item.utterances))
        for item in history
    ]
    query = q.Count(of=every(RAIN))
    silent = [spoken("s1", 1), spoken("s2", 2)]
    assert answer(query, history, ME) == Answer(1)
    assert answer(query, silent, ME) == Answer(0)
    assert answer(query, mask(history, {Channel.SOUND}), ME) == Insufficient("unbound")
    assert deaf != silent  # a session without a sound knows so


# --- the history ------------------------------------------------------------------------------


@quick
@given(histories(), queries(), st.randoms(use_true_random=False))
def test_the_order_of_the_sequence_does_not_matter(
    history: tuple[Episode, ...], query: q.Query, chance: random.Random
) -> None:
    shuffled = list(history)
    chance.shuffle(shuffled)
    assert answer(query, shuffled, ME) == answer(query, history, ME)


def test_the_order_in_time_matters() -> None:
    history = colours("red", "blue", "green")
    query = q.Sequence(of=reading(every(LAMP), COLOUR))
    assert answer(query, retimed(history, [2, 1, 0]), ME) != answer(query, history, ME)


@quick
@given(histories(), queries(anchors=(HOME,)), histories(sessions=(1, 1)), st.integers(0, 300))
def test_a_session_on_another_topic_changes_nothing(
    history: tuple[Episode, ...], query: q.Query, other: tuple[Episode, ...], hour: int
) -> None:
    assume(not _refers_beyond(query))
    stranger = replace(other[0], session_id="stranger", topic="garden", timestamp=day(hour / 24))
    assert answer(query, (*history, stranger), ME) == answer(query, history, ME)


@quick
@given(histories(), queries(anchors=(LAMP,)), histories(sessions=(1, 1)))
def test_a_session_without_the_entity_changes_nothing(
    history: tuple[Episode, ...], query: q.Query, other: tuple[Episode, ...]
) -> None:
    assume(not _refers_beyond(query))
    assume("lamp" not in other[0].entities)
    stranger = replace(other[0], session_id="stranger")
    assert answer(query, (*history, stranger), ME) == answer(query, history, ME)


def _refers_beyond(query: q.Query) -> bool:
    """Whether a voice is that of a session which the anchor does not hold for."""
    return '"same_as":[' in query.model_dump_json()


def test_a_session_on_the_topic_changes_something() -> None:
    history = colours("red", "blue")
    query = q.Count(of=every(HOME))
    assert answer(query, [*history, spoken("s9", 9)], ME) != answer(query, history, ME)


# --- time -------------------------------------------------------------------------------------


@quick
@given(
    histories(timed=False).flatmap(lambda made: st.tuples(st.just(made), orders(made))),
    queries(
        operations=MSR,
        reads=tuple(read for read in READS if not isinstance(read, q.ReadDate)),
        dated=False,
    ),
)
def test_what_reasons_over_sessions_does_not_see_when_they_were(
    made: tuple[tuple[Episode, ...], list[int]], query: q.Query
) -> None:
    history, order = made
    before, after = answer(query, history, ME), answer(query, retimed(history, order), ME)
    # Where several things are wrong at once, the one that is met first is named.
    assert after == before or {type(before), type(after)} == {Insufficient}


def test_unless_a_day_is_an_anchor() -> None:
    history = colours("red", "blue", "blue")
    dated = q.Same(of=reading(named(*(q.Dated(day=day(at).date()) for at in (1, 2))), COLOUR))
    assert answer(dated, history, ME) == Answer("no")
    assert answer(dated, retimed(history, [2, 1, 0]), ME) == Answer("yes")


THREE = reading(declared(3, LAMP), COLOUR)
RED_BLUE_GREEN, RED_RED_BLUE = colours("red", "blue", "green"), colours("red", "red", "blue")

IN_TIME: list[tuple[q.Query, list[Episode]]] = [
    (q.Latest(of=THREE), RED_BLUE_GREEN),
    (q.AsOf(of=THREE, at=day(2)), RED_BLUE_GREEN),
    (q.Nth(of=THREE, n=2), RED_BLUE_GREEN),
    (q.Sequence(of=THREE), RED_BLUE_GREEN),
    (q.Changes(of=THREE), RED_RED_BLUE),
    (q.Recurs(of=THREE), RED_RED_BLUE),
    (q.FirstStage(of=THREE, value="blue"), RED_BLUE_GREEN),
    (q.LastStage(of=THREE, value="blue"), RED_BLUE_GREEN),
    (q.Previous(of=THREE), RED_BLUE_GREEN),
    (q.Direction(of=reading(declared(3, q.States(attribute="price")), PRICE)), numbers(1, 2, 9)),
    (q.AskerStages(of=declared(3, LAMP)), voices(ME, ANN, BEN)),
    (q.Handoff(of=declared(3, LAMP)), voices(ME, ANN, BEN)),
]


@pytest.mark.parametrize(("query", "history"), IN_TIME, ids=lambda x: getattr(x, "op", ""))
def test_what_tracks_states_sees_when_they_were(query: q.Query, history: list[Episode]) -> None:
    original = answer(query, history, ME)
    assert isinstance(original, Answer)
    ways = ([1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1])
    assert any(answer(query, retimed(history, way), ME) != original for way in ways)


@quick
@given(st.sampled_from((q.Changes, q.Recurs)), st.lists(st.sampled_from("abc"), max_size=2))
def test_two_states_cannot_show_an_order(
    operator: type[q.Changes | q.Recurs], values: list[str]
) -> None:
    """Changes and recurrence of fewer than three states are the same in either order."""
    history = colours(*values)
    query = operator(of=reading(every(LAMP), COLOUR))
    backwards = retimed(history, range(len(history))[::-1])
    assert answer(query, backwards, ME) == answer(query, history, ME)


# --- who asks ---------------------------------------------------------------------------------

VOICES = st.permutations(SPEAKERS).map(lambda others: dict(zip(SPEAKERS, others, strict=True)))


def recast(history: Sequence[Episode], voice: dict[str, str]) -> tuple[Episode, ...]:
    return tuple(
        replace(
            item,
            utterances=tuple(replace(t, speaker=voice[str(t.speaker)]) for t in item.utterances),
        )
        for item in history
    )


@quick
@given(histories(), queries(reads=RELATIVE), VOICES)
def test_only_the_relation_of_voices_matters(
    history: tuple[Episode, ...], query: q.Query, voice: dict[str, str]
) -> None:
    assert answer(query, recast(history, voice), voice[ME]) == answer(query, history, ME)


def test_a_voice_itself_would_be_a_name() -> None:
    """Read outright, a speaker is a name that changes with the cast: so no question does it."""
    history = voices(ANN)
    voice = {ME: ME, ANN: BEN, BEN: ANN}
    query = q.Only(of=reading(about("lamp"), SPEAKER))
    assert answer(query, recast(history, voice), ME) != answer(query, history, ME)


@pytest.mark.parametrize(
    "query",
    [
        q.Count(of=every(LAMP, MINE)),
        q.IsAsker(of=q.Latest(of=reading(every(LAMP), SPEAKER))),
        q.AskerStages(of=every(LAMP)),
        q.Handoff(of=every(LAMP)),
        q.WhoseVoice(
            of=q.Latest(of=reading(every(LAMP), SPEAKER)),
            labels=("me",),
            references=(None,),
            otherwise="you",
        ),
    ],
    ids=lambda query: query.op,
)
def test_the_asker_matters(query: q.Query) -> None:
    history = voices(ME, ANN, ME)
    assert answer(query, history, ME) != answer(query, history, ANN)


@quick
@given(histories(), queries(reads=RELATIVE), st.sampled_from(SPEAKERS))
def test_the_asker_matters_to_questions_about_voices_alone(
    history: tuple[Episode, ...], query: q.Query, asker: str
) -> None:
    assume("spoken_by" not in query.model_dump_json())
    assume(not isinstance(query, q.IsAsker | q.WhoseVoice | q.AskerStages | q.Handoff))
    assert answer(query, history, asker) == answer(query, history, ME)


# --- conditions on sound, and members ---------------------------------------------------------


def test_without_acoustics_only_the_words_select() -> None:
    query = q.Only(
        of=reading(named((HOME, SAD, MINE, RAIN), (q.SpokenBy(same_as=(LAMP,)),)), COLOUR)
    )
    assert without_acoustics(query) == q.Only(of=reading(named((HOME,), ()), COLOUR))
    plain = q.MoreOf(labels=("a", "b"), left=every(LAMP), right=declared(2, HOME))
    assert without_acoustics(plain) == plain


@quick
@given(histories(), queries(operations=(q.Count, q.MoreOf)))
def test_without_acoustics_no_sound_selects(history: tuple[Episode, ...], query: q.Query) -> None:
    """A count by words alone is known to those who hear nothing."""
    worded = without_acoustics(query)
    deaf = mask(history, {Channel.SPEAKER, Channel.DELIVERY, Channel.SOUND})
    assert answer(worded, deaf, ME) == answer(worded, history, ME)


@given(st.integers(2, 5))
def test_removal_leaves_a_declared_member_missing_and_an_open_count_smaller(size: int) -> None:
    history = [spoken(f"s{at}", at, about=("lamp",)) for at in range(size)]
    told, untold = q.Count(of=declared(size, LAMP)), q.Count(of=every(LAMP))
    assert answer(told, history, ME) == answer(untold, history, ME) == Answer(size)
    assert answer(told, history[1:], ME) == Insufficient("missing_member")
    assert answer(untold, history[1:], ME) == Answer(size - 1)


# --- the consequences that an item claims -----------------------------------------------------


@dataclass(frozen=True)
class Item:
    """A claim, the history it is made about, and the consequence it violates, if any."""

    name: str
    query: q.Query
    evidence_type: EvidenceType
    operation: Operation
    gold: Gold
    evidence: tuple[str, ...]
    history: list[Episode]
    violated: set[str] = field(default_factory=set)

    def found(self) -> list[Violation]:
        claim = Claim(self.query, ME, self.evidence_type, self.operation, self.evidence, self.gold)
        return violations(claim, self.history)


SEMANTIC, VOICE = EvidenceType.SPEECH_SEMANTICS, EvidenceType.SPEAKER_IDENTITY
DELIVERY, BACKGROUND = EvidenceType.PARALINGUISTIC, EvidenceType.ENVIRONMENTAL
IE, REASONING = Operation.INFORMATION_EXTRACTION, Operation.MULTI_SESSION_REASONING
TRACKING = Operation.TEMPORAL_EVOLUTION_TRACKING

THE_SAD_COLOUR = q.Only(of=reading(named((HOME, SAD)), COLOUR))
TWO_COLOURS = [
    spoken("s1", 1, fact("colour", "red"), cue="sad"),
    spoken("s2", 2, fact("colour", "blue", "sofa"), cue="tense"),
]
MOODS = [
    spoken("s1", 1, about=("lamp",), cue="sad"),
    spoken("s2", 2, about=("sofa",), cue="sad"),
    spoken("s3", 3, about=("desk",), cue="tense"),
]
SUM = q.Sum(of=reading(about("a", "b"), PRICE))
LATEST = q.Latest(of=reading(declared(3, LAMP), COLOUR))
IN_THE_RAIN = [
    spoken("s1", 1, about=("lamp",), sound="rain"),
    spoken("s2", 2, about=("lamp",), sound="rain"),
    spoken("s3", 3, about=("lamp",), sound="birds"),
]
LAMP_IN_RAIN = q.Count(of=every(LAMP, RAIN))
TOLD_TO_ME = [
    spoken("s1", 1, fact("colour", "red"), by=ME),
    spoken("s2", 2, fact("colour", "blue"), by=ANN),
]
MY_COLOUR = q.Only(of=reading(named((LAMP, MINE)), COLOUR))
ON_THE_FIRST_DAY = q.Difference(
    of=reading(named((q.Dated(day=day(1).date()),), (q.About(entity="b"),)), PRICE)
)

SAD_SAD_TENSE = [
    spoken(f"s{at}", at, about=("lamp",), cue=cue)
    for at, cue in enumerate(("sad", "sad", "tense"), start=1)
]
GOOD = [
    Item("cue to fact", THE_SAD_COLOUR, DELIVERY, IE, "red", ("s1",), TWO_COLOURS),
    Item("speaker to fact", MY_COLOUR, VOICE, IE, "red", ("s1",), TOLD_TO_ME),
    Item(
        "speaker to fact, by another session's voice",
        q.Only(of=reading(named((HOME, q.SpokenBy(same_as=(q.Topic(topic="work"),)))), COLOUR)),
        VOICE, IE, "red", ("s1", "s9"),
        [*TOLD_TO_ME, spoken("s9", 9, topic="work")],
    ),
    Item(
        "whose voice, of three",
        q.WhoseVoice(
            of=q.Only(of=reading(about("lamp"), SPEAKER)),
            labels=("me", "you", "they"),
            references=(None, (q.Topic(topic="work"),), (q.Topic(topic="garden"),)),
            otherwise="nobody",
        ),
        VOICE, IE, "they", ("s1", "w", "g"),
        [
            *voices(ANN), spoken("w", 8, by=BEN, topic="work"),
            spoken("g", 9, by=ANN, topic="garden"),
        ],
    ),
    Item(
        "context to cue",
        q.Only(of=reading(about("lamp"), MOOD)), DELIVERY, IE, "sad", ("s1",), MOODS,
    ),
    Item(
        "matching",
        q.Same(of=reading(about("lamp", "sofa"), MOOD)),
        DELIVERY, REASONING, "yes", ("s1", "s2"), MOODS,
    ),
    Item(
        "counting", LAMP_IN_RAIN, BACKGROUND, REASONING, 2, ("s1", "s2"), IN_THE_RAIN,
    ),
    Item(
        "alike",
        q.Alike(
            labels=("lamp", "sofa"), of=reading(about("lamp", "sofa"), MOOD),
            reference=(q.About(entity="desk"),),
        ),
        DELIVERY, REASONING, ("sofa",), ("s1", "s2", "s3"),
        [
            spoken("s1", 1, about=("lamp",), cue="sad"),
            spoken("s2", 2, about=("sofa",), cue="tense"),
            spoken("s3", 3, about=("desk",), cue="tense"),
        ],
    ),
    Item(
        "dominant of three",
        q.Dominant(of=reading(declared(3, LAMP), MOOD)),
        DELIVERY, REASONING, "sad", ("s1", "s2", "s3"), SAD_SAD_TENSE,
    ),
    Item(
        "dominant, however many: those in the majority decide",
        q.Dominant(of=reading(every(LAMP), MOOD)),
        DELIVERY, REASONING, "sad", ("s1", "s2"), SAD_SAD_TENSE,
    ),
    Item(
        "majority of three",
        q.Majority(of=reading(declared(3, LAMP), MOOD), value="sad"),
        DELIVERY, REASONING, "yes", ("s1", "s2", "s3"), SAD_SAD_TENSE,
    ),
    Item(
        "no majority of three",
        q.Majority(of=reading(declared(3, LAMP), MOOD), value="tense"),
        DELIVERY, REASONING, "no", ("s1", "s2", "s3"), SAD_SAD_TENSE,
    ),
    Item(
        "an open count that is not the one asked about, nor is nothing",
        q.Is(of=q.Count(of=every(q.States(attribute="price", value=5, compare="ge"))), value=1),
        SEMANTIC, REASONING, "no", ("s1", "s2"), numbers(5, 6, 1),
    ),
    Item("aggregation", SUM, SEMANTIC, REASONING, 3, ("s1", "s2"), numbers(1, 2, 9)),
    Item("latest", LATEST, SEMANTIC, TRACKING, "green", ("s1", "s2", "s3"), RED_BLUE_GREEN),
    Item(
        "handover",
        q.Changes(of=reading(declared(3, LAMP), SPEAKER)),
        VOICE, TRACKING, 1, ("s1", "s2", "s3"), voices(ANN, ANN, BEN),
    ),
]  # fmt: skip

BAD = [
    Item("wrong gold", THE_SAD_COLOUR, DELIVERY, IE, "blue", ("s1",), TWO_COLOURS,
         {"gold_recomputed"}),
    Item(
        "two sessions fit",
        THE_SAD_COLOUR, DELIVERY, IE, "red", ("s1",),
        [*TWO_COLOURS, spoken("s3", 3, fact("colour", "red"), cue="sad")],
        {"gold_recomputed"},
    ),
    Item(
        "part of what is needed is not called evidence",
        q.Sum(of=reading(about("a", "b", "c"), PRICE)),
        SEMANTIC, REASONING, 12, ("s1", "s2"), numbers(1, 2, 9),
        {"evidence_suffices"},
    ),
    Item(
        "one session is no reasoning over sessions",
        q.Sum(of=reading(about("a"), PRICE)), SEMANTIC, REASONING, 1, ("s1",), numbers(1, 2),
        {"cardinality"},
    ),
    Item(
        "two sessions are no extraction",
        q.Same(of=reading(about("lamp", "sofa"), MOOD)),
        DELIVERY, IE, "yes", ("s1", "s2"), MOODS,
        {"cardinality"},
    ),
    Item(
        "a session that is only compared with bears no answer",
        q.IsAsker(
            of=q.Latest(of=reading(every(LAMP), SPEAKER)), same_as=(q.Topic(topic="work"),)
        ),
        VOICE, IE, "yes", ("s1", "s2", "s9"),
        [*voices(ANN, BEN), spoken("s9", 9, by=BEN, topic="work")],
        {"cardinality"},
    ),
    Item(
        "evidence that is not in the history",
        MY_COLOUR, VOICE, IE, "red", ("s1", "lost"), TOLD_TO_ME,
        {"cardinality"},
    ),
    Item(
        "the mood is told by the words",
        q.Only(of=reading(about("lamp"), COLOUR)), DELIVERY, IE, "red", ("s1",), TWO_COLOURS,
        {"own_channel_necessary"},
    ),
    Item(
        "the sound is needed to find the mood",
        q.Only(of=reading(named((LAMP, RAIN)), MOOD)),
        DELIVERY, IE, "sad", ("s1",),
        [
            spoken("s1", 1, about=("lamp",), cue="sad", sound="rain"),
            spoken("s2", 2, about=("lamp",), cue="tense"),
        ],
        {"other_channels_irrelevant"},
    ),
    Item(
        "the topic alone finds the fact",
        THE_SAD_COLOUR, DELIVERY, IE, "red", ("s1",), TWO_COLOURS[:1],
        {"shortcut_fails"},
    ),
    Item(
        "one session too many is called evidence",
        SUM, SEMANTIC, REASONING, 3, ("s1", "s2", "s3"), numbers(1, 2, 9),
        {"evidence_necessary"},
    ),
    Item(
        "the minority is not needed where nobody says how many there are",
        q.Dominant(of=reading(every(LAMP), MOOD)),
        DELIVERY, REASONING, "sad", ("s1", "s2", "s3"), SAD_SAD_TENSE,
        {"evidence_necessary"},
    ),
    Item(
        "nor is anybody where few are not the majority",
        q.Majority(of=reading(every(LAMP), MOOD), value="tense"),
        DELIVERY, REASONING, "no", ("s1", "s2"), SAD_SAD_TENSE,
        {"evidence_necessary"},
    ),
    Item(
        "a later state stands in for an earlier one",
        q.Nth(of=reading(every(LAMP), COLOUR), n=2),
        SEMANTIC, TRACKING, "blue", ("s1", "s2"), colours("red", "blue", "green"),
        {"haystack_supports_nothing"},
    ),
    Item(
        "two sessions that make up for each other",
        q.Sum(of=reading(every(q.States(attribute="price")), PRICE)),
        SEMANTIC, REASONING, 7, ("s1", "s2"), numbers(3, 4, 5, -5),
        {"haystack_supports_nothing"},
    ),
    Item(
        "the haystack comes to the gold by itself",
        q.Latest(of=reading(every(LAMP), COLOUR)),
        SEMANTIC, TRACKING, "red", ("s2", "s3"), colours("red", "blue", "red"),
        {"haystack_supports_nothing"},
    ),
    Item(
        "reasoning that depends on a date",
        ON_THE_FIRST_DAY, SEMANTIC, REASONING, 1, ("s1", "s2"), numbers(1, 2, 9),
        {"order"},
    ),
    Item(
        "tracking two states, which no order changes",
        q.Changes(of=reading(declared(2, LAMP), COLOUR)),
        SEMANTIC, TRACKING, 1, ("s1", "s2"), colours("red", "blue"),
        {"order"},
    ),
]  # fmt: skip


@pytest.mark.parametrize("item", GOOD, ids=lambda item: item.name)
def test_a_good_item_bears_out_every_consequence(item: Item) -> None:
    assert item.found() == []


@pytest.mark.parametrize("item", BAD, ids=lambda item: item.name)
def test_a_bad_item_violates_exactly_what_is_wrong_with_it(item: Item) -> None:
    found = item.found()
    assert {violation.consequence for violation in found} == item.violated
    assert all(violation.detail for violation in found)


def test_every_consequence_is_violated_alone_by_some_item() -> None:
    alone = {name for item in BAD if len(item.violated) == 1 for name in item.violated}
    assert alone == set(ANSWERABLE_CONSEQUENCES)


# --- shortcuts of the check -------------------------------------------------------------------


def checked_one_by_one(claim: Claim, history: tuple[Episode, ...]) -> set[str]:
    """The same consequences but for cardinality, with nothing left out and nothing told from the
    query alone."""
    gold = Answer(claim.gold)
    evidence = tuple(item for item in history if item.session_id in claim.evidence)
    added = tuple(item for item in history if item.session_id not in claim.evidence)
    channels = set(Channel) - {OWN[claim.evidence_type], Channel.WORDS}
    worded = without_acoustics(claim.query)

    def comes_to(episodes: Sequence[Episode], query: q.Query = claim.query) -> Decision:
        return decide(query, episodes, claim.asker)

    def reassigned(order: Sequence[Episode]) -> tuple[Episode, ...]:
        moments = [item.timestamp for item in evidence]
        return (*map(_moved, order, moments), *added)

    def needed(one: Episode) -> bool:
        rest = [item for item in history if item is not one]
        ways = (
            [other if item is one else one if item is other else item for item in evidence]
            for other in evidence
        )
        return comes_to(rest) != gold or any(comes_to(reassigned(way)) != gold for way in ways)

    def completed(one: Episode) -> bool:
        rest = [item for item in evidence if item is not one]
        found = comes_to([*rest, *added])
        return isinstance(found, Answer) and found != comes_to(rest)

    changed = any(comes_to(reassigned(order)) != gold for order in permutations(evidence))
    holds = {
        "evidence_suffices": comes_to(evidence) == gold,
        "own_channel_necessary": not isinstance(
            comes_to(mask(history, {OWN[claim.evidence_type]})), Answer
        ),
        "other_channels_irrelevant": all(
            comes_to(mask(history, {other})) == gold for other in channels
        ),
        "shortcut_fails": worded == claim.query or comes_to(history, worded) != gold,
        "evidence_necessary": all(map(needed, evidence)),
        "haystack_supports_nothing": all(comes_to([*evidence, item]) == gold for item in added)
        and not any(map(completed, evidence))
        and not (comes_to(added) == gold != comes_to(())),
        "order": changed == (claim.operation is TRACKING),
    }
    return {name for name, held in holds.items() if not held}


OWN = {SEMANTIC: Channel.WORDS, VOICE: Channel.SPEAKER, DELIVERY: Channel.DELIVERY,
       BACKGROUND: Channel.SOUND}  # fmt: skip


@st.composite
def claims(draw: st.DrawFn) -> tuple[Claim, tuple[Episode, ...]]:
    """A question that its history answers, and whatever it calls its evidence."""
    history = draw(histories(sessions=(3, 7), most_turns=2, timed=False))
    query = draw(queries())
    gold = answer(query, history, ME)
    assume(isinstance(gold, Answer))
    names = st.sampled_from([item.session_id for item in history])
    evidence = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    claim = Claim(
        query,
        ME,
        draw(st.sampled_from(sorted(OWN))),
        draw(st.sampled_from((REASONING, TRACKING))),
        tuple(evidence),
        gold.value,
    )
    return claim, history


@quick
@given(claims())
def test_the_check_takes_no_shortcut_that_shows(
    made: tuple[Claim, tuple[Episode, ...]],
) -> None:
    claim, history = made
    found = {violation.consequence for violation in violations(claim, history)}
    assert found - {"cardinality"} == checked_one_by_one(claim, history)


def test_long_evidence_is_reordered_too() -> None:
    """Of five states not every order is tried, but enough."""
    five = reading(declared(5, LAMP), COLOUR)
    names = tuple(f"s{at}" for at in range(1, 6))
    history = colours("red", "blue", "green", "white", "black")
    last = Item("latest of five", q.Latest(of=five), SEMANTIC, TRACKING, "black", names, history)
    assert last.found() == []
    distinct = q.CountDistinct(of=five)
    counted = Item("five of five", distinct, SEMANTIC, REASONING, 5, names, history)
    assert counted.found() == []
    moved = Item(
        "latest, called reasoning", last.query, SEMANTIC, REASONING, "black", names, history
    )
    assert {violation.consequence for violation in moved.found()} == {"order"}


def test_the_order_of_evidence_with_its_own_dates_stays() -> None:
    """What is said to hold from a date holds from it, whenever it is said."""
    history = [
        spoken(f"s{at}", at, fact("colour", value, effective=day(20 + at)))
        for at, value in enumerate(("red", "blue", "green"), start=1)
    ]
    item = Item("dated", LATEST, SEMANTIC, TRACKING, "green", ("s1", "s2", "s3"), history)
    assert {violation.consequence for violation in item.found()} == {"order"}


REFUSALS = {
    "no_session": (MY_COLOUR, TOLD_TO_ME[:0]),
    "missing_member": (SUM, numbers(1)),
    "cue_absent": (q.Only(of=reading(about("lamp"), SOUND)), voices(ME)),
    "unbound": (MY_COLOUR, TOLD_TO_ME[1:]),
    "ambiguous": (q.Only(of=reading(about("lamp"), DATE)), voices(ME, ME)),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_a_refusal_is_for_its_own_reason(reason: str) -> None:
    for other, (query, history) in REFUSALS.items():
        found = refusal_violations(query, ME, reason, history)  # type: ignore[arg-type]
        assert [item.consequence for item in found] == (
            [] if other == reason else list(REFUSAL_CONSEQUENCES)
        )


def test_an_answerable_refusal_is_a_violation() -> None:
    found = refusal_violations(SUM, ME, "missing_member", numbers(1, 2))
    assert [item.consequence for item in found] == ["refused_for_its_reason"]
    assert "Answer" in found[0].detail
