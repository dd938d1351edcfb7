"""Topics, entities and attributes: the content that plans are drawn from.

An entity, an attribute and a value cross freely: every fact of the catalogue makes sense.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal["words", "number", "open"]


class Attribute(BaseModel):
    """Something that can be stated about any entity."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: tuple[str, ...]
    """Wordings with {entity} and {value}."""
    say_from: tuple[str, ...]
    """Wordings with {entity}, {value} and {date}, for a fact that holds from a day on."""
    correct: tuple[str, ...]
    """Wordings with {value} that take back what was said just before."""
    cancel: tuple[str, ...]
    """Wordings with {entity} that call the attribute off, with no value."""
    ask_i: str
    """The question as the speaker of the fact asks it."""
    told: str
    """What was told, as a clause: "which day of the week {entity} is on"."""
    noun: str
    plural: str
    values: tuple[str, ...] = ()
    numbers: tuple[int, int, int] | None = None
    """First, last (inclusive) and step, for an attribute whose values are numbers."""
    open: bool = False
    """Whether the values are free phrases, answered as free text."""

    @property
    def kind(self) -> Kind:
        """``words`` come from a short closed list, ``open`` values are phrases of any kind."""
        if self.numbers is not None:
            return "number"
        return "open" if self.open else "words"

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

    @property
    def facts(self) -> int:
        """How many different facts there are: entity × attribute × value."""
        entities = sum(map(len, self.topics.values()))
        return entities * sum(len(attribute.domain) for attribute in self.attributes.values())


@cache
def catalog() -> Catalog:
    """The catalogue that ships with the package."""
    return Catalog.model_validate({**_read("topics"), "attributes": _read("attributes")})


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(
        (files("voxmem.plan") / "content" / f"{name}.toml").read_text(encoding="utf-8")
    )
