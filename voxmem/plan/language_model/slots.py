"""Drafts whose content is not drawn by chance: what a form asks for becomes a list of slots.

A form is built twice. A *blueprint* draft notes what the form asks for, with an example drawn for
each slot; a *proposed* draft fills the same slots with what a model chose. Everything else (who
speaks, deliveries, sounds, moments, the shape of a timeline) follows from the seed in both, so that
what nobody may predict is not a model's to choose.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Draft, Request, describe
from voxmem.plan.forms import Form
from voxmem.records import Value

Kind = Literal["thing", "attribute", "values"]


class Misfit(ConstructionError):
    """A proposed content does not fit its slot."""


@dataclass(frozen=True)
class Slot:
    """One thing that a form asks a draft for."""

    kind: Kind
    count: int
    detail: str
    """Of an attribute its kinds, of values their attribute."""
    example: tuple[str, ...]


class SlotDraft(Draft):
    """A draft that gets its things, attributes and values through :meth:`_fill`."""

    def __init__(self, config: BuildConfig, form: Form, request: Request, candidate: int) -> None:
        super().__init__(config, form, request, candidate, entities=())
        self._used: set[str] = set()

    def entity(self) -> str:
        """An entity of the topic that this draft has not used yet."""
        return self.entities(1)[0]

    def entities(self, count: int) -> list[str]:
        """Different entities of the topic."""
        free = [name for name in catalog().topics[self.topic] if name not in self._used]
        chosen = self._fill("thing", free, count, self.topic)
        self._used.update(chosen)
        return chosen

    def attribute(self, *kinds: str) -> str:
        """The name of an attribute of one of the kinds."""
        wanted = kinds or ("words", "number")
        names = [name for name, item in catalog().attributes.items() if item.kind in wanted]
        return self._fill("attribute", names, 1, " or ".join(wanted))[0]

    def values(self, attribute: str, count: int, *, without: Iterable[Value] = ()) -> list[Value]:
        """Different values of an attribute."""
        taken = set(without)
        domain = {str(value): value for value in describe(attribute).domain if value not in taken}
        return [domain[text] for text in self._fill("values", list(domain), count, attribute)]

    @abstractmethod
    def _fill(self, kind: Kind, permitted: Sequence[str], count: int, detail: str) -> list[str]:
        """``count`` different ones of those permitted."""


class BlueprintDraft(SlotDraft):
    """Notes the slots of a candidate, with examples drawn by chance."""

    def __init__(self, config: BuildConfig, form: Form, request: Request, candidate: int) -> None:
        super().__init__(config, form, request, candidate)
        self.slots: list[Slot] = []
        # Of its own, so that filling slots otherwise leaves all other draws as they are.
        self._content: random.Random = rng("blueprint", self.id)

    def _fill(self, kind: Kind, permitted: Sequence[str], count: int, detail: str) -> list[str]:
        if len(permitted) < count:
            raise ConstructionError(f"there are too few {kind}s", item=self.id, stage="plan")
        example = self._content.sample(permitted, count)
        self.slots.append(Slot(kind, count, detail, tuple(example)))
        return example


class ProposedDraft(SlotDraft):
    """Fills the slots of a candidate with what was chosen for them.

    Args:
        chosen: Slot number, counted from 1 → the entries.
    """

    def __init__(
        self,
        config: BuildConfig,
        form: Form,
        request: Request,
        candidate: int,
        chosen: Mapping[int, Sequence[str]],
    ) -> None:
        super().__init__(config, form, request, candidate)
        self._chosen = chosen
        self._next = 0

    def _fill(self, kind: Kind, permitted: Sequence[str], count: int, detail: str) -> list[str]:
        self._next += 1
        given = list(self._chosen.get(self._next, ()))
        where = f"slot {self._next} ({kind}, {detail})"
        if len(given) != count or len(set(given)) != count:
            raise self._misfit(f"{where} takes {count} different entries, not {len(set(given))}")
        for entry in given:
            if entry not in permitted:
                raise self._misfit(f"{where}: {entry!r} is not permitted there")
        return given

    def _misfit(self, what: str) -> Misfit:
        return Misfit(what, item=self.id, stage="plan")
