"""How work that falls into independent pieces is spread: the caller decides, the result does not
depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Mapper(Protocol):
    """What :class:`map` does, possibly in several processes: results come in the order of the
    items. Functions are then pickled by name."""

    def __call__(self, function: Callable[[A], B], items: Iterable[A], /) -> Iterable[B]: ...


def serial(function: Callable[[A], B], items: Iterable[A], /) -> Iterator[B]:
    """One after the other, in this process."""
    return map(function, items)
