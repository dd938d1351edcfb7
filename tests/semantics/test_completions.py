"""Unknown values: the decision is what a reader who tried every assignment would say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.semantics.builders import (
    ANN,
    BEN,
    COLOUR,
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
    every,
    fact,
    numbers,
    reading,
    spoken,
    voices,
)
from tests.semantics.strategies import COMPARED, SPEAKERS, histories, queries
from voxmem import query as q
from voxmem.semantics import (
    Answer,
    Channel,
    Decision,
    Episode,
    Insufficient,
    Possibilities,
    answer,
    mask,
    possibilities,
    relevant,
)
from voxmem.semantics.outline import outline
from voxmem.semantics.view import Missing, Unknown
from voxmem.vocabulary import DELIVERIES, SOUNDS

# --- the reference: every assignment of every unknown -----------------------------------------

FRESH = ("~1", "~2", "~3", "~4")
"""Names that are not in play: one more than a case has unknowns."""
LIMIT = 300
"""Assignments of one case."""


@dataclass(frozen=True)
class Slot:
    """One value in a history."""

    episode: int
    turn: int
    field: str
    """``speaker``, ``sound``, a cue's dimension, or a statement's ``value`` or ``referent``."""
    statement: int = -1


def slots(history: Sequence[Episode]) -> list[Slot]:
    found = []
    for at, episode in enumerate(history):
        for number, turn in enumerate(episode.utterances):
            found += [Slot(at, number, name) for name in ("speaker", "sound", "vocal_state")]
            for index in range(len(turn.statements)):
                found += [Slot(at, number, name, index) for name in ("value", "referent")]
    return found


def fill(history: Sequence[Episode], slot: Slot, value: Any) -> tuple[Episode, ...]:
    """The history with one value replaced."""
    episode = history[slot.episode]
    turn = episode.utterances[slot.turn]
    if slot.statement >= 0:
        stated = list(turn.statements)
        stated[slot.statement] = replace(stated[slot.statement], **{slot.field: value})
        turn = replace(turn, statements=tuple(stated))
    elif slot.field in turn.cues:
        turn = replace(turn, cues={**turn.cues, slot.field: value})
    else:
        turn = replace(turn, **{slot.field: value})
    turns = list(episode.utterances)
    turns[slot.turn] = turn
    changed = replace(episode, utterances=tuple(turns))
    return tuple(changed if at == slot.episode else item for at, item in enumerate(history))


def hidden(history: Sequence[Episode], slot: Slot) -> Unknown:
    """What stands in a slot when its value is masked."""
    turn = history[slot.episode].utterances[slot.turn]
    match slot.field:
        case "speaker":
            return Unknown("voice")
        case "sound":
            return Unknown("sound")
        case "referent":
            return Unknown("referent")
        case "value":
            statement = turn.statements[slot.statement]
            kind = "number" if isinstance(statement.value, int) else "text"
            return Unknown(kind, statement.attribute)
    return Unknown("cue", slot.field)


def domain(unknown: Unknown) -> tuple[Any, ...]:
    """Everything that an unknown may be, as far as a small world can tell."""
    words = tuple(value for value in COMPARED if isinstance(value, str))
    match unknown.kind:
        case "voice":
            return (*SPEAKERS, *words, *FRESH)
        case "sound":
            return (*SOUNDS, Missing.ABSENT)
        case "cue":
            known = [cue for cue, dimension in DELIVERIES.items() if dimension == unknown.dimension]
            return (*known, Missing.NEUTRAL)
        case "number":
            return tuple(range(10))
        case "referent":
            return ("y", *words, *FRESH)
        case "text":
            return ("blue", "cancelled", *words, *FRESH)


def every_decision(
    query: q.Query, history: Sequence[Episode], domains: Sequence[tuple[Slot, tuple[Any, ...]]]
) -> Iterator[Decision]:
    for values in product(*(options for _, options in domains)):
        filled = tuple(history)
        for (slot, _), value in zip(domains, values, strict=True):
            filled = fill(filled, slot, value)
        yield answer(query, filled, ME)


def agreed(decisions: set[Decision]) -> Decision:
    """All completions agree: so it is, and for that reason. Otherwise it is unbound."""
    return decisions.copy().pop() if len(decisions) == 1 else Insufficient("unbound")


@dataclass(frozen=True)
class Partial:
    """A history with a few unknowns, and how they may be filled in."""

    query: q.Query
    history: tuple[Episode, ...]
    domains: tuple[tuple[Slot, tuple[Any, ...]], ...]
    kinds: frozenset[str]

    def decisions(self) -> set[Decision]:
        return set(every_decision(self.query, self.history, self.domains))

    def names_not_in_play(self) -> set[str]:
        """Those of the domains that neither a session which matters nor the query knows."""
        turns = [turn for item in relevant(self.query, self.history) for turn in item.utterances]
        known: dict[str, set[Any]] = {
            "speaker": {ME, *(turn.speaker for turn in turns)},
            "referent": {item.referent for turn in turns for item in turn.statements},
        }
        named = {getattr(term, "value", None) for term in outline(self.query).terms}
        return {
            value
            for slot, options in self.domains
            for value in options
            if value not in known[slot.field] | named
        }


@st.composite
def partials(
    draw: st.DrawFn,
    fields: tuple[str, ...] = (),
    operations: tuple[type[q.Term], ...] = (),
) -> Partial:
    history = draw(histories(sessions=(2, 4), most_turns=2))
    choice = [slot for slot in slots(history) if not fields or slot.field in fields]
    assume(choice)
    some = draw(st.lists(st.sampled_from(choice), min_size=1, max_size=3, unique=True))
    unknowns = [hidden(history, slot) for slot in some]
    domains = tuple((slot, domain(item)) for slot, item in zip(some, unknowns, strict=True))
    assume(prod(len(options) for _, options in domains) <= LIMIT)
    for slot, item in zip(some, unknowns, strict=True):
        history = fill(history, slot, item)
    kinds = frozenset(item.kind for item in unknowns)
    return Partial(draw(queries(operations=operations)), history, domains, kinds)


quick = settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


few = settings(quick, max_examples=12)


@quick
@given(partials())
def test_the_decision_is_what_all_completions_agree_on(case: Partial) -> None:
    assert answer(case.query, case.history, ME) == agreed(case.decisions())


RELATIONS = (
    q.IsAsker, q.WhoseVoice, q.WhichOf, q.Alike, q.OddOneOut, q.Extreme, q.LastStage, q.Previous,
    q.Direction, q.Handoff,
)  # fmt: skip
"""Operators that compare what they read with each other, or with what others say or sound like."""


@pytest.mark.parametrize("operation", RELATIONS, ids=lambda operation: operation.__name__)
@few
@given(data=st.data())
def test_each_relation_is_what_all_completions_agree_on(
    operation: type[q.Term], data: st.DataObject
) -> None:
    case = data.draw(partials(operations=(operation,)))
    decisions = case.decisions()
    assert answer(case.query, case.history, ME) == agreed(decisions)
    answers = {_anonymous(item.value) for item in decisions if isinstance(item, Answer)}
    found = possibilities(case.query, case.history, ME).answers
    if operation is not q.Previous:  # it tells values, of which the domain holds other ones
        assert {_anonymous(value) for value in found} == answers


@quick
@given(partials(fields=("sound", "vocal_state")))
def test_possibilities_of_cues_and_sounds_are_exactly_the_answers(case: Partial) -> None:
    decisions = case.decisions()
    answers = frozenset(item.value for item in decisions if isinstance(item, Answer))
    insufficient = any(isinstance(item, Insufficient) for item in decisions)
    assert possibilities(case.query, case.history, ME) == Possibilities(answers, insufficient, True)


@quick
@given(partials(fields=("speaker", "referent")))
def test_possibilities_of_open_kinds_are_the_answers_up_to_new_names(case: Partial) -> None:
    decisions = case.decisions()
    found = possibilities(case.query, case.history, ME)
    new = case.names_not_in_play()
    answers = {_anonymous(item.value, new) for item in decisions if isinstance(item, Answer)}
    assert {_anonymous(value, new) for value in found.answers} == answers
    assert found.insufficient == any(isinstance(item, Insufficient) for item in decisions)
    assert found.exhausted == ("?" not in str(found.answers))


def _anonymous(value: Any, new: Collection[str] = ()) -> Any:
    """The value, but "?" for a name that any other would do for."""
    if isinstance(value, tuple):
        return tuple(_anonymous(item, new) for item in value)
    return "?" if value in new or str(value).startswith("?") else value


def test_a_reference_with_too_small_a_domain_would_be_caught() -> None:
    """The comparison can fail: leave out what nobody has said yet, or silence, and it does."""
    history = voices(ANN)
    slot = Slot(0, 0, "speaker")
    query = q.IsAsker(of=q.Only(of=reading(about("lamp"), SPEAKER)))
    masked = fill(history, slot, hidden(history, slot))
    narrow = set(every_decision(query, masked, [(slot, (ANN, BEN))]))
    assert agreed(narrow) == Answer("no")
    assert answer(query, masked, ME) == Insufficient("unbound")

    slot = Slot(0, 0, "sound")
    masked = fill(history, slot, hidden(history, slot))
    heard = q.CountDistinct(of=reading(every(LAMP), SOUND))
    assert agreed(set(every_decision(heard, masked, [(slot, tuple(SOUNDS))]))) == Answer(1)
    assert answer(heard, masked, ME) == Insufficient("unbound")


# --- by hand ----------------------------------------------------------------------------------


def test_an_unknown_may_equal_what_is_still_known() -> None:
    history = colours("green", "white")
    masked = fill(history, Slot(0, 0, "value", 0), Unknown("text", "colour"))
    query = q.Same(of=reading(every(LAMP), COLOUR))
    assert answer(query, history, ME) == Answer("no")
    assert answer(query, masked, ME) == Insufficient("unbound")


def test_an_unknown_referent_may_be_one_that_is_known() -> None:
    history = colours("red", "red")
    masked = fill(history, Slot(0, 0, "referent", 0), Unknown("referent"))
    query = q.Same(of=reading(every(LAMP), q.ReadReferent(attribute="colour")))
    assert possibilities(query, masked, ME).answers == {"yes", "no"}


def test_an_unknown_number_may_be_above_or_below_the_known_ones() -> None:
    history = numbers(50, 90)
    query = q.Extreme(labels=("a", "b"), of=reading(about("a", "b"), PRICE))
    for slot in (Slot(0, 0, "value", 0), Slot(1, 0, "value", 0)):
        masked = fill(history, slot, Unknown("number", "price"))
        assert possibilities(query, masked, ME).answers == {"a", "b"}


def test_two_unknowns_may_be_equal_or_not() -> None:
    masked = mask(voices(ANN, BEN), {Channel.SPEAKER})
    query = q.Same(of=reading(every(LAMP), SPEAKER))
    assert possibilities(query, masked, ME) == Possibilities(frozenset({"yes", "no"}), False, True)


def test_what_remains_of_a_cue_is_its_vocabulary_and_neutral() -> None:
    masked = mask(voices(ME), {Channel.DELIVERY})
    moods = {cue for cue, dimension in DELIVERIES.items() if dimension == "vocal_state"}
    found = possibilities(q.Only(of=reading(about("lamp"), MOOD)), masked, ME)
    assert found == Possibilities(frozenset(moods), True, True)


def test_a_cue_outside_the_vocabulary_may_be_there_if_the_question_names_it() -> None:
    masked = mask(voices(ME), {Channel.DELIVERY})
    stressed = q.Delivered(dimension="emphasis", value="tuesday")
    assert possibilities(q.Count(of=every(stressed)), masked, ME).answers == {0, 1}


def test_what_remains_of_a_count() -> None:
    masked = mask(voices(ME, ANN, BEN), {Channel.SPEAKER})
    found = possibilities(q.Count(of=every(LAMP, MINE)), masked, ME)
    assert found == Possibilities(frozenset({0, 1, 2, 3}), False, True)


def test_a_new_name_stands_for_many_answers() -> None:
    masked = mask(colours("red"), {Channel.WORDS})
    query = q.Only(of=reading(about("lamp"), COLOUR))
    assert answer(query, masked, ME) == Insufficient("unbound")
    assert not possibilities(query, masked, ME).exhausted


def test_an_unknown_may_be_an_option_of_the_question() -> None:
    masked = mask(colours("red"), {Channel.WORDS})
    query = q.Only(of=reading(about("lamp"), COLOUR))
    found = possibilities(query, masked, ME, values=("red", "green"))
    assert {value for value in found.answers if value[0] != "?"} == {"red", "green"}


def test_an_unknown_number_may_be_one_that_an_option_spells() -> None:
    masked = mask(numbers(30, 90), {Channel.WORDS})
    query = q.Merge(of=reading(about("a", "b"), PRICE))
    plain, among = (
        possibilities(query, masked, ME, values=values).answers for values in ((), ("30", "90"))
    )
    assert ("30", "90") in among - plain
    assert plain < among


def test_a_limit_makes_it_a_lower_bound() -> None:
    masked = mask(voices(ME, ANN, BEN), {Channel.DELIVERY})
    query = q.Count(of=every(SAD))
    found = possibilities(query, masked, ME, limit=3)
    assert not found.exhausted
    assert found.answers < possibilities(query, masked, ME).answers == {0, 1, 2, 3}


def test_unknowns_that_nobody_asks_for_cost_nothing() -> None:
    history = [
        spoken(f"s{at}", at, about=("lamp",) if at < 3 else ("sofa",), sound="rain")
        for at in range(200)
    ]
    masked = mask(history, set(Channel))
    query = q.Count(of=every(LAMP))
    assert possibilities(query, masked, ME, limit=1) == Possibilities(frozenset({3}), False, True)


def test_disagreement_is_found_early_however_many_unknowns_there_are() -> None:
    """8^30 completions: the two that differ most disagree."""
    history = [spoken(f"s{at}", at, cue="sad", about=("lamp",)) for at in range(30)]
    masked = mask(history, {Channel.DELIVERY, Channel.SOUND})
    for query in (
        q.Dominant(of=reading(every(LAMP), MOOD)),
        q.Majority(of=reading(every(LAMP), MOOD), value="sad"),
        q.Only(of=reading(every(LAMP), MOOD)),
        q.Count(of=every(LAMP, SAD, RAIN)),
    ):
        assert answer(query, masked, ME) == Insufficient("unbound")


def test_where_all_alike_and_all_different_agree_the_rest_is_tried() -> None:
    """Numbers that are all the same have no direction, and voices of which all or none are the
    same person's have no odd one out."""
    names = [f"thing {at}" for at in range(20)]
    history = [spoken(f"s{at}", at, fact("price", at, name)) for at, name in enumerate(names)]
    masked = mask(history, set(Channel))
    prices = reading(every(q.States(attribute="price")), PRICE)
    voice = reading(about(*names), SPEAKER)
    for query in (q.Direction(of=prices), q.OddOneOut(labels=tuple(names), of=voice)):
        assert answer(query, masked, ME) == Insufficient("unbound")
