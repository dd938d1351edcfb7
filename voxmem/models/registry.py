"""Systems that answer items, by name: one file and one registration each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from voxmem.errors import UsageError
from voxmem.models.item import Item
from voxmem.models.outcome import Reply


class System(Protocol):
    """Something that answers items: a model, a baseline, a control."""

    @property
    def name(self) -> str:
        """Under which its responses are kept."""
        ...

    @property
    def kind(self) -> Literal["control", "model"]:
        """A control knows the annotations; a model is given audio and text alone."""
        ...

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item."""
        ...

    async def answer(self, item: Item) -> Reply:
        """One reply; a failure is its outcome."""
        ...


SystemFactory = Callable[[], System]

SYSTEMS: dict[str, SystemFactory] = {}
"""Name → what makes the system. Filled by :func:`register` when a system's module is imported."""


def register(name: str, factory: SystemFactory) -> None:
    """Adds a system.

    Raises:
        UsageError: The name is taken by another factory.
    """
    if SYSTEMS.setdefault(name, factory) is not factory:
        raise UsageError(
            "a system of this name exists", item=name, stage="models", remedy="choose another name"
        )


def create(name: str) -> System:
    """The system of that name.

    Raises:
        UsageError: There is none; the known names are listed.
    """
    if name not in SYSTEMS:
        known = ", ".join(sorted(SYSTEMS)) or "none"
        raise UsageError(
            "no such system", item=name, stage="models", remedy=f"choose one of: {known}"
        )
    return SYSTEMS[name]()
