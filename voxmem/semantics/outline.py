"""What a query looks at, told from the query alone: nothing here sees a history.

Everything that follows is a shortcut with a proof: a channel that no term reads cannot matter when
it is hidden, a session that the words rule out cannot matter at all, and the order of sessions
cannot matter where no term looks at time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import Any

from voxmem import query as q
from voxmem.semantics.view import Channel, Episode

Where = tuple[q.Condition, ...]

ACOUSTIC_CONDITIONS = (q.Delivered, q.Heard, q.SpokenBy)

_CHANNEL: dict[type[q.Term], Channel] = {
    q.ReadFact: Channel.WORDS,
    q.ReadReferent: Channel.REFERENT,
    q.SpokenBy: Channel.SPEAKER,
    q.IsAsker: Channel.SPEAKER,
    q.WhoseVoice: Channel.SPEAKER,
    q.ReadSpeaker: Channel.SPEAKER,
    q.AskerStages: Channel.SPEAKER,
    q.Handoff: Channel.SPEAKER,
    q.Delivered: Channel.DELIVERY,
    q.ReadCue: Channel.DELIVERY,
    q.Heard: Channel.SOUND,
    q.ReadSound: Channel.SOUND,
}

_TIMED = (
    q.Dated, q.ReadDate, q.Latest, q.AsOf, q.Nth, q.Sequence, q.Changes, q.Recurs, q.FirstStage,
    q.LastStage, q.Previous, q.Direction, q.AskerStages, q.Handoff,
)  # fmt: skip
"""Terms that look at when a session was."""


@dataclass(frozen=True)
class Lookup:
    """What the words of one condition list demand of a session, whatever is hidden."""

    topics: frozenset[str]
    entities: frozenset[str]
    days: frozenset[date]
    stated: tuple[tuple[str, str | None], ...]
    """Attribute and entity, if one is named, of facts: that they are stated is never hidden."""

    def fits(self, episode: Episode) -> bool:
        return (
            self.entities <= episode.entities
            and all(episode.topic == topic for topic in self.topics)
            and all(_states(episode, *each) for each in self.stated)
            and all(episode.timestamp.date() == day for day in self.days)
        )


def _states(episode: Episode, attribute: str, entity: str | None) -> bool:
    return any(
        item.attribute == attribute and entity in (None, item.entity) for item in episode.statements
    )


@dataclass(frozen=True, eq=False)
class Outline:
    """A query, and what can be told from it alone."""

    query: q.Query

    @cached_property
    def terms(self) -> tuple[q.Term, ...]:
        """The query and every term within it."""
        return tuple(_terms(self.query))

    def has(self, *kinds: type[q.Term]) -> bool:
        """Whether the query has a term of these kinds."""
        return any(isinstance(term, kinds) for term in self.terms)

    @cached_property
    def voices(self) -> tuple[Where, ...]:
        """The sessions whose voice the query refers to, apart from the asker's."""
        found: list[Where] = []
        for term in self.terms:
            if isinstance(term, q.SpokenBy | q.IsAsker) and term.same_as is not None:
                found.append(term.same_as)
            elif isinstance(term, q.WhoseVoice):
                found += [where for where in term.references if where is not None]
        return tuple(found)

    @cached_property
    def references(self) -> tuple[Where, ...]:
        """The sessions that the query compares with rather than asks about."""
        alike = (term.reference for term in self.terms if isinstance(term, q.Alike))
        return tuple(dict.fromkeys((*self.voices, *alike)))

    @cached_property
    def channels(self) -> frozenset[Channel]:
        """What must not be hidden from whoever answers: hiding anything else changes nothing."""
        found = {_CHANNEL[type(term)] for term in self.terms if type(term) in _CHANNEL}
        if any(isinstance(term, q.States) and term.value is not None for term in self.terms):
            found.add(Channel.WORDS)
        return frozenset(found)

    @cached_property
    def timed(self) -> bool:
        """Whether an answer may depend on when sessions were."""
        return self.has(*_TIMED)

    @cached_property
    def worded(self) -> q.Query:
        """The query without its conditions on voice, delivery or sound."""
        if not self.has(*ACOUSTIC_CONDITIONS):
            return self.query
        return _strip(self.query)  # type: ignore[no-any-return]

    @cached_property
    def lookups(self) -> tuple[Lookup, ...]:
        """Every way in which the query comes to look at a session."""
        compared = (_lookup(where, None) for where in self.references)
        return tuple(dict.fromkeys((*compared, *_lookups(self.query, None))))

    def relevant(self, history: Iterable[Episode]) -> tuple[Episode, ...]:
        """The episodes that may matter, under whatever mask: those that the words of some
        condition list leave in. Where one asks for no words at all, these are all."""
        lookups = self.lookups
        return tuple(
            episode for episode in history if any(lookup.fits(episode) for lookup in lookups)
        )


@lru_cache(maxsize=4096)
def outline(query: q.Query) -> Outline:
    """The outline of a query."""
    return Outline(query)


def relevant(query: q.Query, history: Sequence[Episode]) -> tuple[Episode, ...]:
    """The episodes of a history that may matter to a query, whoever asks and whatever is hidden.

    An episode is left out if each of the query's condition lists names a topic, an entity, a day
    or a stated attribute that it has not: no mask hides those, so no completion ever selects it.
    """
    return outline(query).relevant(history)


def references(query: q.Query) -> tuple[Where, ...]:
    """The condition lists of those sessions that a query only compares with: by whose voice it
    selects, whose voice it asks after, or whose value others are held against."""
    return outline(query).references


def without_acoustics(query: q.Query) -> q.Query:
    """The same query with every condition on voice, delivery or sound left out."""
    return outline(query).worded


def _terms(term: Any) -> Iterator[q.Term]:
    if isinstance(term, q.Term):
        yield term
        for name in type(term).model_fields:
            yield from _terms(getattr(term, name))
    elif isinstance(term, tuple):
        for item in term:
            yield from _terms(item)


def _lookups(term: Any, read: q.Read | None) -> Iterator[Lookup]:
    """Those of all selections; what is read of one must be there to be read."""
    match term:
        case q.Reading():
            yield from _lookups(term.select, term.read)
        case q.Named():
            for anchor in term.anchors:
                yield _lookup(anchor, read)
        case q.Declared() | q.Open():
            yield _lookup(term.where, read)
        case q.Term():
            for name in type(term).model_fields:
                yield from _lookups(getattr(term, name), None)


def _lookup(where: Where, read: q.Read | None) -> Lookup:
    stated = {(item.attribute, item.entity): None for item in where if isinstance(item, q.States)}
    if isinstance(read, q.ReadFact):
        stated[read.attribute, read.entity] = None
    elif isinstance(read, q.ReadReferent):
        stated[read.attribute, None] = None
    return Lookup(
        topics=frozenset(item.topic for item in where if isinstance(item, q.Topic)),
        entities=frozenset(item.entity for item in where if isinstance(item, q.About)),
        days=frozenset(item.day for item in where if isinstance(item, q.Dated)),
        stated=tuple(stated),
    )


def _strip(term: Any) -> Any:
    if isinstance(term, q.Term):
        fields = {name: _strip(getattr(term, name)) for name in type(term).model_fields}
        return type(term)(**fields)
    if isinstance(term, tuple):
        return tuple(_strip(item) for item in term if not isinstance(item, ACOUSTIC_CONDITIONS))
    return term
