"""One rule of the benchmark, broken on purpose: of what, how, and who must say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pytest

from tests.mutations.benchmark import Benchmark

T = TypeVar("T")


@dataclass(frozen=True)
class Mutation(Generic[T]):
    """A change of something that was sound.

    Args:
        base: Takes it from the benchmark, as it was built.
        change: Breaks one rule of it.
        caught_by: The check, consequence or message that must name the fault.
    """

    name: str
    base: Callable[[Benchmark], T]
    change: Callable[[T], T]
    caught_by: str


class Mutations(list[Mutation[T]]):
    """The mutations that one gate must catch."""

    def caught_by(
        self, name: str, base: Callable[[Benchmark], T], label: str = ""
    ) -> Callable[[Callable[[T], T]], Callable[[T], T]]:
        """Registers a change under its function's name, or another label."""

        def register(change: Callable[[T], T]) -> Callable[[T], T]:
            self.append(Mutation(label or change.__name__, base, change, name))
            return change

        return register

    def each(self) -> pytest.MarkDecorator:
        """Runs a test once for every mutation."""
        ids = [f"{item.name}-{item.caught_by}".replace(" ", "_") for item in self]
        assert len(set(ids)) == len(ids)
        return pytest.mark.parametrize("mutation", list(self), ids=ids)
