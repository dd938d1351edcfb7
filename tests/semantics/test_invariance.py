"""What must follow from the meaning of a question, each with an example where it must not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.semantics.builders import (
    ANN,
    BEN,
    COLOUR,
    HOME,
    LAMP,
    ME,
    MINE,
    PRICE,
    RAIN,
    SAD,
    SPEAKER,
    about,
    colours,
    day,
    declared,
    every,
    moved,
    named,
    numbers,
    reading,
    spoken,
    voices,
)
from tests.semantics.strategies import READS, RELATIVE, SPEAKERS, histories, masks, queries
from voxmem import query as q
from voxmem.semantics import (
    Answer,
    Channel,
    Episode,
    Insufficient,
    answer,
    mask,
)
from voxmem.semantics.consequences import (
    without_acoustics,
)

quick = settings(
    max_examples=40,
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
        moved(episode, moments[slot]) for episode, slot in zip(history, order, strict=True)
    )


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
