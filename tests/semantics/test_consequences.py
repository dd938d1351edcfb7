"""Every consequence that an item claims: items that bear all out, and items that miss just one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    moved,
    named,
    numbers,
    reading,
    spoken,
    voices,
)
from tests.semantics.strategies import histories, queries
from voxmem import query as q
from voxmem.records import Gold
from voxmem.semantics import (
    Answer,
    Channel,
    Decision,
    Episode,
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
from voxmem.semantics.outline import relevant
from voxmem.taxonomy import EvidenceType, Operation

quick = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

RED_BLUE_GREEN = colours("red", "blue", "green")


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
        return (*map(moved, order, moments), *added)

    def needed(one: Episode) -> bool:
        rest = [item for item in history if item is not one]
        ways = (
            [other if item is one else one if item is other else item for item in evidence]
            for other in evidence
        )
        if comes_to(rest) != gold:
            return True
        # A stranger is no necessary evidence: its exchange only moves the others.
        known = bool(relevant(claim.query, [one]))
        return known and any(comes_to(reassigned(way)) != gold for way in ways)

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
        "haystack_supports_nothing": (
            comes_to(evidence) != gold or all(comes_to([*evidence, item]) == gold for item in added)
        )
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
    called = Item(
        "latest, called reasoning", last.query, SEMANTIC, REASONING, "black", names, history
    )
    assert {violation.consequence for violation in called.found()} == {"order"}


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
