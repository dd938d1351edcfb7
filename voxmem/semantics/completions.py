"""Every way in which unknown values may be filled in, explored lazily.

An evaluation asks its :class:`World` for an unknown only when it needs it, and the same unknown
always has the same value within one world. :func:`worlds` replays the evaluation once for every
distinct sequence of choices, depth first, so that unknowns nobody asks about cost nothing. The
two worlds that differ most come first, since they usually disagree already.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from voxmem import query as q
from voxmem.semantics.view import Episode, Missing, Unknown
from voxmem.vocabulary import DELIVERIES, SOUNDS

Chosen = str | int | Missing
Pool = dict[Chosen, None]
"""Values, each once, in the order in which they were met."""

NUMBERS: tuple[int, ...] = tuple(range(8))
"""Stand-ins for an unknown number, beside those around every number in play. They include 0, so
that any sum or difference that a query names can be met."""

_STAND_IN = "?"
"""Begins every invented name. It stands for any name that is not in play."""


@dataclass(frozen=True)
class Background:
    """What is in play in every world: the values that an unknown might turn out to equal."""

    query: q.Query
    episodes: Sequence[Episode]
    asker: str

    def options(self, unknown: Unknown, invented: Sequence[str]) -> tuple[Chosen, ...]:
        """What an unknown may be.

        Open kinds offer all values in play, those that this world has invented, and one new one:
        up to a renaming that no query can see, this covers everything.
        """
        values = self._in_play(unknown)
        match unknown.kind:
            case "sound":
                return (*_first(values, SOUNDS), Missing.ABSENT)
            case "number":
                around = {n + step for n in values if isinstance(n, int) for step in (-1, 0, 1)}
                return tuple(sorted(around | set(NUMBERS)))
            case "cue":
                known = [cue for cue, dim in DELIVERIES.items() if dim == unknown.dimension]
                if known:
                    return (*_first(values, known), Missing.NEUTRAL)
                return (*self._names(unknown, values, invented), Missing.NEUTRAL)
            case "voice" | "text" | "referent":
                return self._names(unknown, values, invented)

    def _names(self, unknown: Unknown, values: Pool, invented: Sequence[str]) -> tuple[Chosen, ...]:
        new = f"{_STAND_IN}{unknown.kind}:{unknown.dimension}:{len(invented) + 1}"
        return (*(value for value in values if isinstance(value, str)), *invented, new)

    def _in_play(self, unknown: Unknown) -> Pool:
        """Those that the query names come first: they tell worlds apart."""
        return self._compared | self._pools.get((unknown.kind, unknown.dimension), {})

    @cached_property
    def _compared(self) -> Pool:
        """What the result of a query, of whatever kind, is compared with."""
        return {
            term.value: None
            for term in _terms(self.query)
            if isinstance(term, q.Is | q.Majority | q.FirstStage)
        }

    @cached_property
    def _pools(self) -> dict[tuple[str, str], Pool]:
        """Kind and dimension of an unknown → values, named by the query or known of episodes."""
        pools: dict[tuple[str, str], Pool] = {}

        def add(kind: str, dimension: str, value: Chosen | Unknown | None) -> None:
            if isinstance(value, str | int):
                pools.setdefault((kind, dimension), {})[value] = None

        add("voice", "", self.asker)
        for term in _terms(self.query):
            match term:
                case q.States():
                    add(_kind(term.value), term.attribute, term.value)
                case q.Delivered():
                    add("cue", term.dimension, term.value)
                case q.Heard():
                    for event, levels in SOUNDS.items():
                        if term.value in (event, *levels):
                            add("sound", "", event)
        for turn in (turn for episode in self.episodes for turn in episode.utterances):
            add("voice", "", turn.speaker)
            add("sound", "", turn.sound)
            for dimension, cue in turn.cues.items():
                add("cue", dimension, cue)
            for statement in turn.statements:
                add("referent", "", statement.referent)
                add(_kind(statement.value), statement.attribute, statement.value)
        return pools


def _kind(value: Any) -> str:
    return "number" if isinstance(value, int) else "text"


def _first(some: Pool, every: Sequence[str] | dict[str, Any]) -> tuple[Chosen, ...]:
    """All of a closed vocabulary, beginning with those of it that are in play."""
    return tuple(dict.fromkeys([*(value for value in some if value in every), *every]))


def _terms(term: Any) -> Iterator[q.Term]:
    if isinstance(term, q.Term):
        yield term
        for name in type(term).model_fields:
            yield from _terms(getattr(term, name))
    elif isinstance(term, tuple):
        for item in term:
            yield from _terms(item)


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
    beyond: Callable[[int], int] = lambda count: 0
    """The choice once the prefix is used up, from the number of options: the first, by default."""
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
            pick = self.beyond(len(options)) if beyond else self.prefix[step]
            self.path.append((pick, len(options)))
            choice = self.chosen[key] = options[pick]
            if isinstance(choice, str) and is_stand_in(choice) and choice not in invented:
                invented.append(choice)
        return self.chosen[key]


def worlds(background: Background) -> Iterator[World]:
    """All completions, one of them twice. The caller evaluates each world before asking for the
    next."""
    yield (opposite := World(background, beyond=lambda count: count - 1))
    if not opposite.path:
        return
    prefix: list[int] = []
    while True:
        world = World(background, prefix)
        yield world
        path = list(world.path)
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return
        prefix = [pick for pick, _ in path]
        prefix[-1] += 1
