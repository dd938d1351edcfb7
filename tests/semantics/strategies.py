"""Random histories and random questions over a world small enough for them to meet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

from hypothesis import strategies as st

from tests.semantics.builders import ANN, BEN, ME, day, fact
from voxmem import query as q
from voxmem.records import Cue, Fact, Session, Turn
from voxmem.semantics import Channel, Episode, observe
from voxmem.vocabulary import DELIVERIES

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
# Drawn from few, ready-made parts, since every single draw costs more than what is tested.

FACTS = tuple(
    fact(attribute, value, entity, referent=referent, status=status)
    for attribute, values in VALUES.items()
    for value in values
    for entity in ENTITIES
    for referent in ("x", "y")
    for status in ("stated", "stated", "corrected", "cancelled")
)
TIMED = (
    *FACTS,
    *(each.model_copy(update={"effective": day(at)}) for each in FACTS for at in (-2, 3, 15)),
)
PROFILES = tuple(product((None, *MOODS), (None, "slow"), (None, *SOUNDS)))
"""Vocal state, rate and sound of a turn."""
SETTINGS = tuple(product(TOPICS, ((), *((entity,) for entity in ENTITIES))))
"""Topic of a session and the entities that it mentions beside those of its facts."""
CASTS = tuple((voice,) * count for voice in SPEAKERS for count in (1, 2, 3))
MIXED = (*CASTS, (ME, ANN), (ANN, BEN, ANN))
"""The speakers of a session's turns."""


@cache
def _sessions(most_turns: int, timed: bool, mixed: bool) -> st.SearchStrategy[Session]:
    casts = [cast for cast in (MIXED if mixed else CASTS) if len(cast) <= most_turns]
    said = st.lists(st.sampled_from(TIMED if timed else FACTS), max_size=2)
    heard = st.sampled_from(PROFILES)
    return st.builds(
        _session,
        st.sampled_from(SETTINGS),
        st.sampled_from(casts),
        st.lists(st.tuples(said, heard), min_size=most_turns, max_size=most_turns),
    )


def _session(
    setting: tuple[str, tuple[str, ...]],
    cast: tuple[str, ...],
    turns: list[tuple[list[Fact], tuple[str | None, str | None, str | None]]],
) -> Session:
    return Session(
        session_id="s",
        topic=setting[0],
        entities=setting[1],
        turns=tuple(
            Turn(
                role="user",
                text="",
                speaker=speaker,
                facts=tuple(said),
                cues=tuple(
                    Cue(dimension=DELIVERIES[cue], value=cue) for cue in (mood, rate) if cue
                ),
                sound=sound,
            )
            for speaker, (said, (mood, rate, sound)) in zip(cast, turns, strict=False)
        ),
    )


@cache
def histories(
    *,
    sessions: tuple[int, int] = (2, 10),
    most_turns: int = 3,
    timed: bool = True,
    mixed: bool = True,
) -> st.SearchStrategy[tuple[Episode, ...]]:
    """Episodes with distinct timestamps, in no order.

    Args:
        sessions: The least and the greatest number of them.
        most_turns: User turns of a session.
        timed: Whether some facts take effect at another time than they are stated.
        mixed: Whether some sessions have several speakers.
    """
    placed = st.tuples(st.integers(0, 240), _sessions(most_turns, timed, mixed))
    return st.lists(
        placed, min_size=sessions[0], max_size=sessions[1], unique_by=lambda pair: pair[0]
    ).map(
        lambda pairs: tuple(
            replace(observe(session, day(hour / 24)), session_id=f"s{at}")
            for at, (hour, session) in enumerate(pairs)
        )
    )


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


def conditions(*, dated: bool = True) -> st.SearchStrategy[q.Condition]:
    return st.one_of(worded, _delivered, _heard, _spoken_by, *[_dated] * dated)


# --- queries ----------------------------------------------------------------------------------


@cache
def selections(
    anchors: tuple[q.Condition, ...] = (), *, dated: bool = True
) -> st.SearchStrategy[q.Selection]:
    """Selections whose every condition list begins with the anchors."""
    where = st.lists(conditions(dated=dated), max_size=2).map(lambda some: (*anchors, *some))
    return st.one_of(
        st.builds(q.Named, anchors=st.lists(where, min_size=1, max_size=2).map(tuple)),
        st.builds(q.Declared, where=where, count=st.integers(1, 4)),
        st.builds(q.Open, where=where),
        st.builds(q.Open, where=where),
    )


LABELS = ("one", "two", "three")
_Named = st.SearchStrategy[q.Named]


@cache
def labelled(anchors: tuple[q.Condition, ...] = (), *, dated: bool = True) -> _Named:
    """Two or three named sessions: enough labels for them are in :data:`LABELS`."""
    named = st.one_of(_about, _states(), *[_dated] * dated).map(lambda one: (*anchors, one))
    return st.builds(q.Named, anchors=st.lists(named, min_size=2, max_size=3).map(tuple))


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


@cache
def queries(
    anchors: tuple[q.Condition, ...] = (),
    *,
    operations: tuple[type[q.Term], ...] = (),
    reads: tuple[q.Read, ...] = READS,
    dated: bool = True,
) -> st.SearchStrategy[q.Query]:
    """A random query of every operator.

    Args:
        anchors: Conditions that every selection has.
        operations: Only these operators; all of them by default.
        reads: What may be read.
        dated: Whether conditions may name a day.
    """
    selection = selections(anchors, dated=dated)
    where = st.lists(worded, min_size=1, max_size=2).map(lambda some: (*anchors, *some))
    named_value = st.sampled_from(COMPARED)

    def of(*allowed: q.Read) -> st.SearchStrategy[q.Reading]:
        return st.builds(q.Reading, select=selection, read=st.sampled_from(allowed or reads))

    def over_labels(
        operation: type[q.Term], allowed: tuple[q.Read, ...], **fields: st.SearchStrategy[object]
    ) -> st.SearchStrategy[q.Query]:
        made = st.tuples(labelled(anchors, dated=dated), st.sampled_from(allowed))
        return made.flatmap(
            lambda pair: st.builds(
                operation,
                labels=st.just(LABELS[: len(pair[0].anchors)]),
                of=st.just(q.Reading(select=pair[0], read=pair[1])),
                **fields,
            )
        )

    numbers = of(q.ReadFact(attribute="price"))
    simple: dict[type[q.Term], st.SearchStrategy[q.Query]] = {
        term: st.builds(term, of=of())
        for term in (
            q.Only,
            q.CountDistinct,
            q.Same,
            q.Merge,
            q.Dominant,
            q.Latest,
            q.Sequence,
            q.Changes,
            q.Recurs,
            q.Previous,
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
        q.AsOf: st.builds(q.AsOf, of=of(), at=st.integers(-5, 15).map(day)),
        q.Nth: st.builds(q.Nth, of=of(), n=st.integers(1, 3)),
        q.FirstStage: st.builds(q.FirstStage, of=of(), value=named_value),
        q.LastStage: st.builds(q.LastStage, of=of(), value=named_value),
        q.Direction: st.builds(q.Direction, of=numbers),
        q.AskerStages: st.builds(q.AskerStages, of=selection),
        q.Handoff: st.builds(q.Handoff, of=selection),
        q.WhichOf: labelled(anchors, dated=dated).flatmap(
            lambda named: st.builds(
                q.WhichOf,
                labels=st.just(LABELS[: len(named.anchors)]),
                select=st.just(named),
                having=st.lists(conditions(dated=dated), min_size=1, max_size=2).map(tuple),
            )
        ),
        q.Alike: over_labels(q.Alike, reads, reference=where),
        q.OddOneOut: over_labels(q.OddOneOut, reads),
        q.Extreme: over_labels(q.Extreme, (q.ReadFact(attribute="price"),), least=st.booleans()),
    }
    voice = of(q.ReadSpeaker())
    somebody = st.one_of(*(st.builds(op, of=voice) for op in (q.Only, q.Latest, q.Previous)))
    nested: dict[type[q.Term], st.SearchStrategy[q.Query]] = {
        q.IsAsker: st.builds(q.IsAsker, of=somebody, same_as=st.none() | where),
        q.WhoseVoice: st.builds(
            q.WhoseVoice,
            of=somebody,
            labels=st.just(("me", "x", "y")),
            references=st.tuples(st.none(), where, where),
            otherwise=st.just("nobody"),
        ),
        q.Is: st.builds(
            q.Is,
            of=st.one_of(simple[q.Only], simple[q.Count], simple[q.Latest], simple[q.Sum]),
            value=named_value,
        ),
    }
    every = simple | nested
    return st.one_of(*(every[term] for term in operations or every))
