"""Channels of sound that questions ask about, and ways to ask that several of them share.

Delivery and background are asked much the same: which value a conversation has, how many have one,
in which order they came (VoxMem, Tables 5 to 7). So a way to ask is a :class:`Pattern` over a
:class:`Channel`; what differs, beside the channel, are the wordings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, lru_cache, partial
from random import Random

from voxmem.plan.draft import Draft, listed
from voxmem.plan.forms import Form, add
from voxmem.query import Condition, Delivered, Heard, Read, ReadCue, Reading, ReadSound, Selection
from voxmem.records import AnswerSpace, Plan, Value
from voxmem.taxonomy import AnswerType, EvidenceType, Route, Subtype


@dataclass(frozen=True, eq=False)
class Channel:
    """One thing that is heard rather than said, and how one speaks of it.

    A channel holds the whole vocabulary; :meth:`within` narrows it to what a build may ask for.
    """

    name: str
    """Begins the names of its forms."""
    evidence: EvidenceType
    read: ReadCue | ReadSound
    carriers: Mapping[str, tuple[str, ...]]
    """Value → the deliveries or sound events that show it."""
    spoken: Mapping[str, str]
    """Value → how it is said in a list of options."""
    slots: Mapping[str, Mapping[str, str]]
    """Value → the slots of a wording that names it."""
    near: frozenset[frozenset[str]]
    """Pairs of values that listeners take for each other."""
    choices: int
    """How many options a question has."""
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Delivery or sound event → further values that one may say it shows."""
    closed: bool = True
    """Whether a question lists its options."""

    def within(self, palette: Collection[str]) -> Channel:
        """What is left of the channel where there are only these deliveries and sound events."""
        kept = {
            value: tuple(item for item in carriers if item in palette)
            for value, carriers in self.carriers.items()
        }
        return replace(self, carriers={value: items for value, items in kept.items() if items})

    @cached_property
    def confusable(self) -> frozenset[frozenset[str]]:
        """Pairs of values that never occur in one question."""
        said = (
            frozenset((value, other))
            for value, carriers in self.carriers.items()
            for item in carriers
            for other in self.also.get(item, ())
        )
        return self.near.union(said)

    @cached_property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets of options that a question may have. Each option of a set is the answer as
        often as any other, so the sets decide how often a value is asked for."""
        return told_apart(tuple(self.carriers), self.choices, self.confusable)

    def value(self, draw: Random) -> str:
        """Any value."""
        return draw.choice(tuple(self.carriers))

    def others(self, value: str) -> list[str | None]:
        """All values that listeners tell apart from one."""
        return [
            other
            for other in sorted(self.carriers)
            if other != value and frozenset((value, other)) not in self.confusable
        ]

    def options(self, draw: Random) -> list[str]:
        """The options of a question, in random order."""
        options = draw.choice(self.sets)
        return draw.sample(options, len(options))

    def having(self, value: str) -> Condition:
        """The condition that a session has a value."""
        if isinstance(self.read, ReadCue):
            return Delivered(dimension=self.read.dimension, value=value)
        return Heard(level=self.read.level, value=value)

    def space(self, options: Iterable[str], length: int | None = None) -> AnswerSpace:
        """The answer space of a question about a value."""
        named = options if self.closed else self.carriers
        return AnswerSpace(options=tuple(sorted(named)), length=length, closed=self.closed)

    def lists(self, options: Iterable[str]) -> dict[str, str]:
        """The slots of a wording that lists options, in alphabetical order: "a, b or c" and
        "a, b and c"."""
        said = [self.spoken[option] for option in sorted(options)]
        return {"options": listed(said, "or"), "all_options": listed(said, "and")}

    def carry(self, draw: Random, values: Sequence[str | None]) -> list[str | None]:
        """Deliveries or sound events that show the values: different ones for one value if it has
        several, so that only its level of the hierarchy makes them alike."""
        chosen: list[str | None] = []
        for value in values:
            pool = self.carriers[value] if value is not None else (None,)
            chosen.append(draw.choice([item for item in pool if item not in chosen] or list(pool)))
        return chosen

    def place(
        self,
        draft: Draft,
        entities: Sequence[str],
        values: Sequence[str | None],
        moments: Sequence[datetime],
        *,
        attribute: str | None = None,
        facts: Sequence[Value | None] | None = None,
    ) -> None:
        """Adds one evidence session for each entity, with its value; ``None`` has none."""
        carried = self.carry(draft.rng, values)
        facts = facts or [None] * len(values)
        for entity, item, when, fact in zip(entities, carried, moments, facts, strict=True):
            cue, sound = (item, None) if isinstance(self.read, ReadCue) else (None, item)
            draft.evidence(entity, when, attribute=attribute, value=fact, cue=cue, sound=sound)

    def reading(self, select: Selection, read: Read | None = None) -> Reading:
        """What is read of selected sessions: this channel, if nothing else is said."""
        return Reading(select=select, read=read or self.read)


Ask = Callable[[Draft, Channel], Plan]


@dataclass(frozen=True)
class Pattern:
    """A way to ask about any channel."""

    subtype: Subtype
    answer_type: AnswerType
    ask: Ask
    source: bool
    """As of :class:`Form`."""

    def over(self, channel: Channel, *wordings: str, bare: bool = False) -> None:
        """Registers the form that asks this about a channel, in these wordings.

        Args:
            bare: As of :class:`Form`.
        """
        add(
            Form(
                name=f"{channel.name}_{self.ask.__name__}",
                route=Route(channel.evidence, self.subtype),
                answer_type=self.answer_type,
                wordings=wordings,
                build=partial(_build, self.ask, channel),
                bare=bare,
                source=self.source,
                fits=partial(_fits, channel),
            )
        )


def told_apart(
    values: Sequence[str], count: int, confusable: frozenset[frozenset[str]]
) -> tuple[tuple[str, ...], ...]:
    """All sets of so many values that hold no confusable pair, in order."""
    sets: list[tuple[str, ...]] = [()]
    for _ in range(count):
        sets = [
            (*chosen, value)
            for chosen in sets
            for value in values[values.index(chosen[-1]) + 1 if chosen else 0 :]
            if not any(frozenset((value, other)) in confusable for other in chosen)
        ]
    return tuple(sets)


@lru_cache(maxsize=256)
def _narrowed(channel: Channel, palette: tuple[str, ...]) -> Channel:
    return channel.within(palette)


def _build(ask: Ask, channel: Channel, draft: Draft) -> Plan:
    return ask(draft, _narrowed(channel, draft.config.palette))


def _fits(channel: Channel, palette: tuple[str, ...]) -> bool:
    return bool(_narrowed(channel, palette).sets)


def pattern(
    subtype: Subtype, answer_type: AnswerType, *, source: bool = True
) -> Callable[[Ask], Pattern]:
    """Makes a function from a draft and a channel to a candidate a pattern.

    Args:
        source: As of :class:`Form`.
    """
    return lambda ask: Pattern(subtype, answer_type, ask, source)
