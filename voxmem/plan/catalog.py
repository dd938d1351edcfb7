"""Topics, entities and attributes: the content that plans are drawn from."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class Attribute(BaseModel):
    """Something that can be stated about any entity."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: tuple[str, ...]
    """Wordings with {entity} and {value}."""
    ask_i: str
    """The question as the speaker of the fact asks it."""
    told: str
    """What was told, as a clause: "which day {entity} is on"."""
    noun: str
    plural: str
    values: tuple[str, ...] = ()
    numbers: tuple[int, int, int] | None = None
    """First, last (inclusive) and step, for an attribute whose values are numbers."""

    @property
    def domain(self) -> tuple[str | int, ...]:
        if self.numbers is None:
            return self.values
        first, last, step = self.numbers
        return tuple(range(first, last + 1, step))


class Catalog(BaseModel):
    """All content: 20 topic families in five groups, and the attributes of their entities."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: dict[str, tuple[str, ...]]
    topics: dict[str, tuple[str, ...]]
    attributes: dict[str, Attribute]


@cache
def catalog() -> Catalog:
    """The catalogue that ships with the package."""
    text = (files("voxmem.plan") / "catalog.toml").read_text(encoding="utf-8")
    return Catalog.model_validate(tomllib.loads(text))
