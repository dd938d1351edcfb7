"""By what a question finds its sessions: the conditions of its query, and what it reads of what
they select."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from voxmem import query as q
from voxmem.semantics.outline import ACOUSTIC_CONDITIONS


class Key(NamedTuple):
    """What a question finds sessions by, and what it reads from them."""

    where: tuple[q.Condition, ...]
    read: q.Read | None
    reference: bool = False
    """Whether the session is named for comparison only."""

    @property
    def acoustic(self) -> bool:
        """Whether a voice, a delivery or a sound is among the conditions."""
        return any(isinstance(condition, ACOUSTIC_CONDITIONS) for condition in self.where)


def keys_of(query: q.Query) -> tuple[Key, ...]:
    """Every retrieval key of a question, those with an acoustic condition first."""
    found = dict.fromkeys(_keys(query, None))
    return tuple(sorted(found, key=lambda key: not key.acoustic))


def _keys(term: Any, read: q.Read | None) -> Iterator[Key]:
    match term:
        case q.Reading():
            yield from _keys(term.select, term.read)
        case q.Named():
            for anchor in term.anchors:
                yield Key(anchor, read)
                yield from _inside(anchor)
        case q.Declared() | q.Open():
            yield Key(term.where, read)
            yield from _inside(term.where)
        case q.Term():
            for name in type(term).model_fields:
                value = getattr(term, name)
                if name in ("same_as", "reference") and value:
                    yield Key(value, None, reference=True)
                elif name == "references":
                    yield from (Key(where, None, reference=True) for where in value if where)
                else:
                    yield from _keys(value, None)


def _inside(where: Sequence[q.Condition]) -> Iterator[Key]:
    for condition in where:
        if isinstance(condition, q.SpokenBy) and condition.same_as:
            yield Key(condition.same_as, None, reference=True)
