"""One rule of the benchmark, broken on purpose: of what, how, and who must say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

from tests.mutations.benchmark import Benchmark

T = TypeVar("T")


@dataclass(frozen=True)
class Mutation(Generic[T]):
    """A change of something that was sound.

    Args:
        base: Takes it from the benchmark, as it was built.
        change: Breaks one rule of it.
        caught_by: The check, consequence or message that must name the fault.
        uncaught: Why no gate names it yet, if none does.
    """

    name: str
    base: Callable[[Benchmark], T]
    change: Callable[[T], T]
    caught_by: str
    uncaught: str = ""

    @property
    def param(self) -> ParameterSet:
        """One case of a test. A fault that is caught after all is to lose its mark."""
        unseen = pytest.mark.xfail(
            strict=True, reason=self.uncaught, raises=(AssertionError, KeyError)
        )
        marks = (unseen,) if self.uncaught else ()
        name = f"{self.name}-{self.caught_by}".replace(" ", "_")
        return pytest.param(self, id=name, marks=marks)


class Mutations(list[Mutation[T]]):
    """The mutations that one gate must catch."""

    def caught_by(
        self,
        name: str,
        base: Callable[[Benchmark], T],
        label: str = "",
        uncaught: str = "",
    ) -> Callable[[Callable[[T], T]], Callable[[T], T]]:
        """Registers a change under its function's name, or another label."""

        def register(change: Callable[[T], T]) -> Callable[[T], T]:
            self.append(Mutation(label or change.__name__, base, change, name, uncaught))
            return change

        return register

    def each(self) -> pytest.MarkDecorator:
        """Runs a test once for every mutation."""
        names = [(item.name, item.caught_by) for item in self]
        assert len(set(names)) == len(names)
        return pytest.mark.parametrize("mutation", [item.param for item in self])
