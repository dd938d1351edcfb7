"""Systems that answer items, by name: controls, memory systems, and the models of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, runtime_checkable

from voxmem.errors import UsageError
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.told import Told


class System(Protocol):
    """Something that answers items. It is either a :class:`Control` or a :class:`Candidate`."""

    @property
    def name(self) -> str:
        """Under which its responses are kept."""
        ...

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        ...


@runtime_checkable
class Control(System, Protocol):
    """Knows the annotations: it costs nothing, and its answers show what others are worth."""

    kind: Literal["control"]

    async def decide(self, item: Item) -> Reply:
        """One reply.

        Raises:
            UsageError: The item is not annotated, and it needs that.
        """
        ...


@runtime_checkable
class Candidate(System, Protocol):
    """Is given what an arm tells, and nothing else: a model, or a memory system."""

    kind: Literal["model", "memory"]

    @property
    def adapter(self) -> str:
        """What drives it, and its version ("openai 2"): part of every row and its key."""
        ...

    @property
    def concurrency(self) -> int:
        """Items that it takes at a time."""
        ...

    def opened(self) -> AbstractAsyncContextManager[Asked]:
        """Loads weights or opens connections, inside the event loop that asks; ends them after.

        Raises:
            UsageError: The settings are wrong: a key, an address, a model's name.
            MissingExtra: A package that it needs is not installed.
        """
        ...


class Asked(Protocol):
    """A candidate that is ready to be asked."""

    async def answer(self, told: Told) -> Reply:
        """One reply; a failure is its outcome.

        Raises:
            UsageError: The settings are wrong: every other item would fail as well.
        """
        ...


SystemFactory = Callable[[], System]

SYSTEMS: dict[str, SystemFactory] = {}
"""Name → what makes the system. Filled by :func:`register` when a system's module is imported."""

OVER_MODELS: dict[str, Callable[[Candidate], System]] = {}
"""Name → what makes the system that asks a model of the catalogue: ``NAME@MODEL``."""


def register(name: str, factory: SystemFactory) -> None:
    """Adds a system.

    Raises:
        UsageError: The name is taken by another factory.
    """
    if SYSTEMS.setdefault(name, factory) is not factory:
        raise UsageError(
            "a system of this name exists", item=name, stage="models", remedy="choose another name"
        )


def register_over_models(name: str, factory: Callable[[Candidate], System]) -> None:
    """Adds a system that asks any model of the catalogue; it is called ``NAME@MODEL``."""
    OVER_MODELS[name] = factory


def create(name: str) -> System:
    """The system of that name: a registered one, a model of the catalogue, or one over the other.

    Raises:
        UsageError: There is none; the known names are listed.
    """
    from voxmem.models.backend import open_entry
    from voxmem.models.catalogue import catalogue

    if name in SYSTEMS:
        return SYSTEMS[name]()
    entries = catalogue()
    outer, at, inner = name.partition("@")
    if at and outer in OVER_MODELS and inner in entries:
        return OVER_MODELS[outer](open_entry(entries[inner]))
    if name in entries:
        return open_entry(entries[name])
    known = [*sorted({*SYSTEMS, *entries}), *(f"{outer}@MODEL" for outer in sorted(OVER_MODELS))]
    raise UsageError(
        "no such system",
        item=name,
        stage="models",
        remedy=f"choose one of: {', '.join(known) or 'none'}",
    )
