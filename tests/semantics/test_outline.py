"""What is told from a question alone must be true of every history."""

from __future__ import annotations

from datetime import date
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.semantics.builders import (
    ANN,
    COLOUR,
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
    every,
    fact,
    named,
    reading,
    spoken,
)
from tests.semantics.strategies import histories, masks, queries
from voxmem import query as q
from voxmem.semantics import (
    Answer,
    Channel,
    Episode,
    answer,
    decide,
    mask,
    possibilities,
    references,
    relevant,
)
from voxmem.semantics.outline import Outline, outline

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

WORK, GARDEN = q.Topic(topic="work"), q.Topic(topic="garden")


# --- references -------------------------------------------------------------------------------


def test_references_are_what_is_only_compared_with() -> None:
    lamp = q.Only(of=reading(about("lamp"), SPEAKER))
    of_two = reading(about("lamp", "sofa"), SOUND)
    by_voice = q.SpokenBy(same_as=(WORK, q.SpokenBy(same_as=(GARDEN,))))
    assert references(lamp) == ()
    assert references(q.IsAsker(of=lamp)) == ()
    assert references(q.IsAsker(of=lamp, same_as=(WORK,))) == ((WORK,),)
    assert references(
        q.WhoseVoice(of=lamp, labels=("a", "b"), references=(None, (WORK, SAD)), otherwise="c")
    ) == ((WORK, SAD),)
    assert references(q.Alike(labels=("a", "b"), of=of_two, reference=(WORK,))) == ((WORK,),)
    assert references(q.Count(of=every(MINE))) == ()
    assert set(references(q.Count(of=every(LAMP, by_voice)))) == {by_voice.same_as, (GARDEN,)}
    assert references(
        q.WhichOf(labels=("a",), select=about("lamp"), having=(q.SpokenBy(same_as=(WORK,)),))
    ) == ((WORK,),)


# --- channels and time ------------------------------------------------------------------------


@quick
@given(histories(sessions=(2, 6), most_turns=2), queries(), masks)
def test_a_channel_that_no_term_reads_may_be_hidden(
    history: tuple[Episode, ...], query: q.Query, some: set[Channel]
) -> None:
    unread = set(Channel) - outline(query).channels
    known = mask(history, some)
    assert answer(query, mask(known, unread), ME) == answer(query, known, ME)


@pytest.mark.parametrize(
    ("query", "channels"),
    [
        (q.Count(of=every(LAMP)), set()),
        (q.Count(of=every(q.States(attribute="colour"))), set()),
        (q.Count(of=every(q.States(attribute="price", value=3, compare="ge"))), {"words"}),
        (q.Latest(of=reading(every(LAMP), COLOUR)), {"words"}),
        (q.Latest(of=reading(every(LAMP, SAD, RAIN), COLOUR)), {"words", "delivery", "sound"}),
        (q.Same(of=reading(every(LAMP, MINE), MOOD)), {"speaker", "delivery"}),
        (q.Handoff(of=every(LAMP)), {"speaker"}),
    ],
)
def test_the_channels_of_a_query_are_those_that_its_terms_read(
    query: q.Query, channels: set[str]
) -> None:
    assert outline(query).channels == {Channel(name) for name in channels}


def test_what_is_timed() -> None:
    same = q.Same(of=reading(about("lamp", "sofa"), COLOUR))
    on_a_day = named((q.Dated(day=date(2024, 3, 2)),), (LAMP,))
    assert not outline(same).timed
    assert outline(q.Same(of=reading(on_a_day, COLOUR))).timed
    assert outline(q.Same(of=reading(every(LAMP), q.ReadDate()))).timed
    assert outline(q.Is(of=q.Latest(of=reading(every(LAMP), COLOUR)), value="red")).timed
    assert outline(q.Handoff(of=every(LAMP))).timed


# --- relevance --------------------------------------------------------------------------------


@quick
@given(
    histories(sessions=(2, 7), most_turns=2),
    st.one_of(queries(), queries(anchors=(LAMP,)), queries(anchors=(HOME,))),
    masks,
)
def test_what_is_left_out_matters_under_no_mask(
    history: tuple[Episode, ...], query: q.Query, hidden: set[Channel]
) -> None:
    """Neither to the answer nor to what remains possible."""
    left = relevant(query, history)
    assume(len(left) < len(history))
    seen = mask(history, hidden)
    assert decide(query, mask(left, hidden), ME) == decide(query, seen, ME)
    found = possibilities(query, seen, ME, limit=300)
    with patch.object(Outline, "relevant", lambda _, episodes: tuple(episodes)):
        whole = possibilities(query, seen, ME, limit=300)
    # A search that ended at its limit is a lower bound: more sessions mean more worlds to see.
    if whole.exhausted:
        assert found == whole


def test_relevance_is_decided_by_what_no_mask_hides() -> None:
    history = [
        spoken("lamp", 1, fact("colour", "red"), by=ANN, cue="tense"),
        spoken("price", 2, fact("price", 3)),
        spoken("mentioned", 3, about=("lamp",)),
        spoken("sofa", 4, fact("colour", "blue", "sofa"), topic="work", cue="sad", sound="rain"),
    ]

    def left(query: q.Query) -> list[str]:
        return [item.session_id for item in relevant(query, history)]

    blue = q.States(attribute="colour", value="blue", compare="eq")
    assert left(q.Count(of=every(LAMP))) == ["lamp", "price", "mentioned"]
    assert left(q.Count(of=every(LAMP, blue))) == ["lamp"]  # a mask may hide that it is red
    assert left(q.Count(of=every(blue))) == ["lamp", "sofa"]
    assert left(q.Count(of=every(q.Dated(day=day(2).date())))) == ["price"]
    assert left(q.Latest(of=reading(every(LAMP), COLOUR))) == ["lamp"]
    assert left(q.Latest(of=reading(every(LAMP), MOOD))) == ["lamp", "price", "mentioned"]
    assert left(q.Count(of=every(HOME, q.SpokenBy(same_as=(WORK,))))) == [
        "lamp", "price", "mentioned", "sofa",
    ]  # fmt: skip
    assert left(q.Sum(of=reading(about("lamp", "sofa"), PRICE))) == ["price"]


@pytest.mark.parametrize("where", [(), (SAD,), (RAIN,), (MINE,), (SAD, RAIN, MINE)], ids=str)
def test_a_question_without_words_concerns_every_session(where: tuple[q.Condition, ...]) -> None:
    history = [*colours("red"), spoken("x", 9, topic="work"), spoken("y", 10, about=("sofa",))]
    assert relevant(q.Count(of=every(*where)), history) == tuple(history)


def test_a_session_that_only_a_mask_would_bring_in_is_kept() -> None:
    """Left out, it would make a masked count smaller."""
    history = colours("red", "blue")
    query = q.Count(of=every(q.States(attribute="colour", value="red", compare="eq")))
    assert answer(query, history, ME) == Answer(1)
    found = possibilities(query, mask(history, {Channel.WORDS}), ME)
    assert found.answers == {0, 1, 2}
