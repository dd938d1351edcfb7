"""Every way in which unknown values may be filled in, explored lazily.

An evaluation asks its :class:`World` for an unknown only when it needs it, and the same unknown
always has the same value within one world. :func:`worlds` replays the evaluation once for every
distinct sequence of choices, depth first, so that unknowns nobody asks about cost nothing. Before
that come the worlds that differ in everything, since they usually disagree already.

Values that a question does not tell apart are one choice: where it asks only whether there was
rain there are two, and not as many as there are sounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from voxmem import query as q
from voxmem.semantics.outline import Outline, outline
from voxmem.semantics.view import Episode, Missing, Unknown, at_level
from voxmem.vocabulary import DELIVERIES, SOUNDS

Chosen = str | int | Missing
Pools = dict[tuple[str, str], list[str | int]]
"""Kind and dimension of an unknown → values, in the order in which they are met."""

NUMBERS: tuple[int, ...] = tuple(range(8))
"""Stand-ins for an unknown number, beside those around every number in play. They include 0, so
that any sum or difference that a query names can be met."""

_STAND_IN = "?"
"""Begins every invented name. It stands for any name that is not in play."""

_COMPARING = (q.Is, q.Majority, q.FirstStage, q.LastStage)
"""Terms that hold what is read, of whatever kind, against a value that they name."""

_VOICE_READS = (q.ReadSpeaker, q.AskerStages, q.Handoff)


@dataclass(frozen=True)
class Background:
    """What is in play in every world: the values that an unknown might turn out to equal."""

    query: q.Query
    episodes: Sequence[Episode]
    asker: str
    values: Sequence[str | int] = ()
    """Further values that an answer may be, such as the options of a question."""

    def options(self, unknown: Unknown, invented: Sequence[str]) -> tuple[Chosen, ...]:
        """What an unknown may be.

        Open kinds offer all values in play, those that this world has invented, and one new one:
        up to a renaming that no query can see, this covers everything. Of a kind that the query
        compares but never reads, those values are enough that its comparisons can turn out in
        every way.
        """
        values, others = self._pool(unknown.kind, unknown.dimension)
        if not others:
            return values
        new = f"{_STAND_IN}{unknown.kind}:{unknown.dimension}:{len(invented) + 1}"
        return (*values, *invented, new)

    def _pool(self, kind: str, dimension: str) -> tuple[tuple[Chosen, ...], bool]:
        """The values in play, and whether others may be invented."""
        key = (kind, dimension)
        if key not in self._pools:
            self._pools[key] = self._make_pool(kind, dimension)
        return self._pools[key]

    @cached_property
    def _pools(self) -> dict[tuple[str, str], tuple[tuple[Chosen, ...], bool]]:
        return {}

    def _make_pool(self, kind: str, dimension: str) -> tuple[tuple[Chosen, ...], bool]:
        match kind:
            case "sound":
                return self._sounds(), False
            case "number":
                return self._numbers(dimension), False
            case "cue":
                return self._cues(dimension)
        names: tuple[Chosen, ...] = tuple(
            value for value in self._in_play(kind, dimension) if isinstance(value, str)
        )
        if self._reads(kind, dimension):
            return names, True
        return (*names, f"{_STAND_IN}{kind}:{dimension}:1"), False

    def _sounds(self) -> tuple[Chosen, ...]:
        terms = self._outline.terms
        levels = [term.level for term in terms if isinstance(term, q.ReadSound)]
        heard = [term for term in terms if isinstance(term, q.Heard)]
        told_apart: dict[Hashable, Chosen] = {}
        for event in self._vocabulary("sound", "", SOUNDS):
            read = (at_level(event, level) for level in levels)
            met = (at_level(event, term.level) == term.value for term in heard)
            told_apart.setdefault((*read, *met), event)
        told_apart.setdefault((*[None] * len(levels), *[False] * len(heard)), Missing.ABSENT)
        return tuple(told_apart.values())

    def _cues(self, dimension: str) -> tuple[tuple[Chosen, ...], bool]:
        if not self._reads("cue", dimension):
            return (*self._in_play("cue", dimension), Missing.NEUTRAL), False
        vocabulary = [cue for cue, known in DELIVERIES.items() if known == dimension]
        return (
            (*self._vocabulary("cue", dimension, vocabulary), Missing.NEUTRAL),
            not vocabulary,
        )

    def _numbers(self, attribute: str) -> tuple[Chosen, ...]:
        read = self._reads("number", attribute)
        values = [value for value in self._in_play("number", attribute) if isinstance(value, int)]
        room = self._unknown_numbers if self._outline.has(q.Direction) else 1
        around = {value + step for value in values for step in range(-room, room + 1)}
        return tuple(sorted(around | set(NUMBERS if read else NUMBERS[:1])))

    def _vocabulary(self, kind: str, dimension: str, every: Collection[str]) -> Iterator[str]:
        """All of a vocabulary and whatever else occurs, beginning with what the query names."""
        key = (kind, dimension)
        compared = [value for value in self._compared if value in every or not every]
        occurring = (*self._named.get(key, []), *self._known.get(key, []))
        values = dict.fromkeys((*compared, *occurring, *every))
        return (value for value in values if isinstance(value, str))

    def _in_play(self, kind: str, dimension: str) -> dict[str | int, None]:
        """Those that the query names come first: they tell worlds apart."""
        key = (kind, dimension)
        named = self._named.get(key, [])
        if not self._reads(kind, dimension):
            return dict.fromkeys(named)
        return dict.fromkeys((*self._compared, *named, *self._known.get(key, [])))

    def _reads(self, kind: str, dimension: str) -> bool:
        """Whether the query looks at values of a kind other than by comparing them with those
        that it names. Voices are also compared with each other."""
        match kind:
            case "voice":
                several = any(len(episode.utterances) > 1 for episode in self.episodes)
                return several or bool(self._outline.voices) or self._outline.has(*_VOICE_READS)
            case "cue":
                return any(
                    isinstance(term, q.ReadCue) and term.dimension == dimension
                    for term in self._outline.terms
                )
            case "text" | "number":
                return any(
                    isinstance(term, q.ReadFact) and term.attribute == dimension
                    for term in self._outline.terms
                )
        return True

    @cached_property
    def _outline(self) -> Outline:
        return outline(self.query)

    @cached_property
    def _compared(self) -> list[str | int]:
        """What the result of a query, of whatever kind, is compared with, or may be."""
        named = (term.value for term in self._outline.terms if isinstance(term, _COMPARING))
        return [*named, *self.values]

    @cached_property
    def _named(self) -> Pools:
        """Values that the conditions of the query name."""
        pools: Pools = {("voice", ""): [self.asker]}
        for term in self._outline.terms:
            match term:
                case q.States() if term.value is not None:
                    pools.setdefault((_kind(term.value), term.attribute), []).append(term.value)
                case q.Delivered():
                    pools.setdefault(("cue", term.dimension), []).append(term.value)
                case q.Heard():
                    events = [e for e in SOUNDS if at_level(e, term.level) == term.value]
                    pools.setdefault(("sound", ""), []).extend(events or [term.value])
        return pools

    @cached_property
    def _known(self) -> Pools:
        """Values that are not hidden."""
        pools: Pools = {}

        def add(kind: str, dimension: str, value: Chosen | Unknown) -> None:
            if isinstance(value, str | int):
                pools.setdefault((kind, dimension), []).append(value)

        for turn in (turn for episode in self.episodes for turn in episode.utterances):
            add("voice", "", turn.speaker)
            add("sound", "", turn.sound)
            for dimension, cue in turn.cues.items():
                add("cue", dimension, cue)
            for statement in turn.statements:
                add("referent", "", statement.referent)
                add(_kind(statement.value), statement.attribute, statement.value)
        return pools

    @cached_property
    def _unknown_numbers(self) -> int:
        """So many may have to fit, in order, between two known ones."""
        return sum(
            isinstance(item.value, Unknown) and item.value.kind == "number"
            for episode in self.episodes
            for item in episode.statements
        )


def _kind(value: Any) -> str:
    return "number" if isinstance(value, int) else "text"


def is_stand_in(value: Any) -> bool:
    """Whether a result is, or holds, an invented name. Any other name would do as well, so such a
    result is never the only one."""
    if isinstance(value, tuple):
        return any(map(is_stand_in, value))
    return isinstance(value, str) and value.startswith(_STAND_IN)


@dataclass
class World:
    """One completion: the choices made so far, replayed from a prefix."""

    background: Background
    prefix: Sequence[int] = ()
    beyond: Callable[[int, int], int] = lambda step, count: 0
    """The choice once the prefix is used up, from how many were made before and the number of
    options: the first, by default."""
    path: list[tuple[int, int]] = field(default_factory=list)
    """(choice, number of options) for every unknown asked about, in order."""
    chosen: dict[Hashable, Chosen] = field(default_factory=dict)
    invented: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def resolve(self, key: Hashable, value: Chosen | Unknown) -> Chosen:
        """``value`` itself, or this world's choice for it if it is unknown."""
        if not isinstance(value, Unknown):
            return value
        if key not in self.chosen:
            invented = self.invented.setdefault((value.kind, value.dimension), [])
            options = self.background.options(value, invented)
            step = len(self.path)
            beyond = step >= len(self.prefix)
            pick = self.beyond(step, len(options)) if beyond else self.prefix[step]
            self.path.append((pick, len(options)))
            choice = self.chosen[key] = options[pick]
            if isinstance(choice, str) and is_stand_in(choice) and choice not in invented:
                invented.append(choice)
        return self.chosen[key]


def worlds(background: Background) -> Iterator[World]:
    """All completions, some of them twice. The caller evaluates each world before asking for the
    next.

    First come those in which every unknown is its last option, and those in which neighbours
    differ, upwards and downwards, and so on with the options before: what is alike everywhere, and
    what comes first, and what last.
    """
    most, back = 1, 0
    while back < most:
        back += 1
        for stride in (0, 1, -1):
            yield (world := World(background, beyond=partial(_pattern, back, stride)))
            if not world.path:
                return
            most = max(most, *(count for _, count in world.path))
    yield from _depth_first(background)


def _pattern(back: int, stride: int, step: int, count: int) -> int:
    return (stride * step - back) % count


def _depth_first(background: Background) -> Iterator[World]:
    prefix: list[int] = []
    while True:
        yield (world := World(background, prefix))
        path = list(world.path)
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        prefix = [pick for pick, _ in path]
        prefix[-1] += 1
