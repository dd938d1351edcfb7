"""Random histories and random questions over a world small enough for them to meet."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st

from tests.semantics.builders import ANN, BEN, ME, day, fact
from voxmem import query as q
from voxmem.records import Cue, Fact, Session, Turn
from voxmem.semantics import Channel, Episode, observe

TOPICS = ("home", "work")
ENTITIES = ("lamp", "sofa", "desk")
SPEAKERS = (ME, ANN, BEN)
VALUES: dict[str, tuple[str, ...] | tuple[int, ...]] = {
    "colour": ("red", "blue"),
    "price": (1, 2, 3),
}
MOODS = ("sad", "tense")
SOUNDS = ("rain", "birds", "sea waves")

topics = st.sampled_from(TOPICS)
entities = st.sampled_from(ENTITIES)
attributes = st.sampled_from(sorted(VALUES))
masks = st.sets(st.sampled_from(list(Channel)))


# --- histories --------------------------------------------------------------------------------


@st.composite
def facts(draw: st.DrawFn, timed: bool) -> Fact:
    attribute = draw(attributes)
    return fact(
        attribute,
        draw(st.sampled_from(VALUES[attribute])),
        draw(entities),
        referent=draw(st.sampled_from(("x", "y"))),
        effective=draw(st.none() | st.integers(-5, 15).map(day)) if timed else None,
        status=draw(st.sampled_from(("stated", "stated", "corrected", "cancelled"))),
    )


@st.composite
def turns(draw: st.DrawFn, speaker: str, timed: bool) -> Turn:
    mood, pace = draw(st.none() | st.sampled_from(MOODS)), draw(st.none() | st.just("slow"))
    return Turn(
        role="user",
        text="",
        speaker=speaker,
        facts=tuple(draw(st.lists(facts(timed), max_size=2))),
        cues=tuple(
            Cue(dimension=dimension, value=value)
            for dimension, value in (("vocal_state", mood), ("rate", pace))
            if value is not None
        ),
        sound=draw(st.none() | st.sampled_from(SOUNDS)),
    )


@st.composite
def histories(
    draw: st.DrawFn,
    *,
    sessions: tuple[int, int] = (2, 10),
    most_turns: int = 3,
    timed: bool = True,
    mixed_voices: bool = True,
) -> tuple[Episode, ...]:
    """Episodes with distinct timestamps, in no order.

    Args:
        sessions: The least and the greatest number of them.
        most_turns: User turns of a session.
        timed: Whether some facts take effect at another time than they are stated.
        mixed_voices: Whether some sessions have several speakers.
    """
    hours = draw(st.lists(st.integers(0, 240), min_size=sessions[0], max_size=sessions[1],
                          unique=True))
    episodes = []
    for at, hour in enumerate(hours):
        first = draw(st.sampled_from(SPEAKERS))
        count = draw(st.integers(1, most_turns))
        others = [draw(st.sampled_from((first, first, ANN))) for _ in range(count - 1)]
        speakers = [first, *(others if mixed_voices else [first] * (count - 1))]
        made = Session(
            session_id=f"s{at}",
            topic=draw(topics),
            entities=tuple(draw(st.lists(entities, max_size=1))),
            turns=tuple(draw(turns(speaker, timed)) for speaker in speakers),
        )
        episodes.append(observe(made, day(0) + timedelta(hours=hour)))
    return tuple(episodes)


# --- conditions -------------------------------------------------------------------------------

_by_topic = st.builds(q.Topic, topic=topics)
_about = st.builds(q.About, entity=entities)


@st.composite
def _states(draw: st.DrawFn) -> q.States:
    attribute = draw(attributes)
    compare = draw(st.sampled_from(("any", "eq", "ge", "le")))
    value = None if compare == "any" else draw(st.sampled_from(VALUES[attribute]))
    return q.States(
        attribute=attribute, entity=draw(st.none() | entities), value=value, compare=compare
    )


_dated = st.builds(q.Dated, day=st.integers(0, 10).map(lambda number: day(number).date()))
_heard = st.one_of(
    st.builds(q.Heard, value=st.sampled_from(SOUNDS)),
    st.builds(q.Heard, level=st.just("scene"), value=st.just("nature")),
    st.builds(q.Heard, level=st.just("category"), value=st.just("weather and water")),
)
_delivered = st.one_of(
    st.builds(q.Delivered, dimension=st.just("vocal_state"), value=st.sampled_from(MOODS)),
    st.builds(q.Delivered, dimension=st.just("rate"), value=st.just("slow")),
)
worded = st.one_of(_by_topic, _about, _states())
_spoken_by = st.one_of(
    st.just(q.SpokenBy()),
    st.builds(q.SpokenBy, same_as=st.lists(worded, min_size=1, max_size=2).map(tuple)),
)
acoustic = st.one_of(_spoken_by, _delivered, _heard)


def conditions(*, dated: bool = True, voices: bool = True) -> st.SearchStrategy[q.Condition]:
    kinds = [worded, _delivered, _heard]
    return st.one_of(*kinds, *[_dated] * dated, *[_spoken_by] * voices)


# --- queries ----------------------------------------------------------------------------------


def wheres(
    anchors: tuple[q.Condition, ...] = (), *, dated: bool = True
) -> st.SearchStrategy[tuple[q.Condition, ...]]:
    """Conditions, always with the given anchors."""
    return st.lists(conditions(dated=dated), max_size=2).map(lambda some: (*anchors, *some))


@st.composite
def selections(
    draw: st.DrawFn, anchors: tuple[q.Condition, ...] = (), *, dated: bool = True
) -> q.Selection:
    where = wheres(anchors, dated=dated)
    return draw(
        st.one_of(
            st.builds(q.Named, anchors=st.lists(where, min_size=1, max_size=2).map(tuple)),
            st.builds(q.Declared, where=where, count=st.integers(1, 4)),
            st.builds(q.Open, where=where),
        )
    )


READS: tuple[q.Read, ...] = (
    q.ReadFact(attribute="colour"),
    q.ReadFact(attribute="price"),
    q.ReadFact(attribute="price", entity="lamp"),
    q.ReadReferent(attribute="colour"),
    q.ReadCue(dimension="vocal_state"),
    q.ReadSound(),
    q.ReadSound(level="scene"),
    q.ReadSpeaker(),
    q.ReadDate(),
)
RELATIVE = tuple(read for read in READS if not isinstance(read, q.ReadSpeaker))
"""Reads whose values are answers; a voice is only ever compared."""
COMPARED = ("red", "sad", "rain", "nature", "x", 2)
"""Values that a query may name."""


@st.composite
def queries(
    draw: st.DrawFn,
    anchors: tuple[q.Condition, ...] = (),
    *,
    operations: tuple[type[q.Term], ...] = (),
    reads: tuple[q.Read, ...] = READS,
    dated: bool = True,
) -> q.Query:
    """A random query of every operator.

    Args:
        anchors: Conditions that every selection has.
        operations: Only these operators; all of them by default.
        reads: What may be read.
        dated: Whether conditions may name a day.
    """
    selection = selections(anchors, dated=dated)
    named_value = st.sampled_from(COMPARED)

    def of(*allowed: q.Read) -> st.SearchStrategy[q.Reading]:
        return st.builds(
            q.Reading, select=selection, read=st.sampled_from([r for r in allowed or reads])
        )

    numbers = of(q.ReadFact(attribute="price"))
    simple: dict[type[q.Term], st.SearchStrategy[q.Query]] = {
        term: st.builds(term, of=of())
        for term in (
            q.Only, q.CountDistinct, q.Same, q.Merge, q.Dominant, q.Latest, q.Sequence,
            q.Changes, q.Recurs,
        )
    }
    simple |= {
        q.Count: st.builds(q.Count, of=selection),
        q.Sum: st.builds(q.Sum, of=numbers),
        q.Difference: st.builds(q.Difference, of=numbers),
        q.Majority: st.builds(q.Majority, of=of(), value=named_value),
        q.MoreOf: st.builds(
            q.MoreOf, labels=st.just(("left", "right")), left=selection, right=selection
        ),
        q.ArgMax: st.builds(q.ArgMax, of=numbers, by=st.sampled_from(reads)),
        q.AsOf: st.builds(q.AsOf, of=of(), at=st.integers(-5, 15).map(day)),
        q.Nth: st.builds(q.Nth, of=of(), n=st.integers(1, 3)),
        q.FirstStage: st.builds(q.FirstStage, of=of(), value=named_value),
        q.AskerStages: st.builds(q.AskerStages, of=selection),
    }
    voice = of(q.ReadSpeaker())
    nested: dict[type[q.Term], st.SearchStrategy[q.Query]] = {
        q.IsAsker: st.builds(
            q.IsAsker, of=st.one_of(*(st.builds(op, of=voice) for op in (q.Only, q.Latest)))
        ),
        q.Is: st.builds(
            q.Is,
            of=st.one_of(simple[q.Only], simple[q.Count], simple[q.Latest], simple[q.Sum]),
            value=named_value,
        ),
    }
    every = simple | nested
    return draw(st.one_of(*(every[term] for term in operations or every)))
