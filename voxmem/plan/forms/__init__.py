"""The task forms: one function each, from a draft to a candidate, registered under its route.

Adding a form is adding one decorated function to the file of its evidence type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from voxmem.plan.draft import Draft
from voxmem.records import Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Route, Subtype

Builder = Callable[[Draft], Plan]
Palette = tuple[str, ...]
"""The deliveries and sounds that plans may ask for."""


def _always(palette: Palette) -> bool:
    return True


@dataclass(frozen=True)
class Form:
    """One way to ask a question of one route."""

    name: str
    route: Route
    answer_type: AnswerType
    wordings: tuple[str, ...]
    """Ways to ask it, with slots that the builder fills."""
    build: Builder
    bare: bool = False
    """Whether the wording stays true if some other session meets the key but lacks what is asked
    (the same entity without the attribute, in a neutral voice, without a sound): such sessions
    may then be distractors. It does not where the question says how many there were."""
    source: bool = True
    """Whether a plan of it may have a refusal variant. It has none where what is left without any
    one session is evidence for another answer: a smaller count, an earlier state."""
    fits: Callable[[Palette], bool] = _always
    """Whether a palette holds enough to ask it."""


FORMS: dict[str, Form] = {}

_FILES = (
    "speech_semantics.counting",
    "speech_semantics.matching",
    "speech_semantics.aggregation",
    "speech_semantics.states",
    "speech_semantics.evolution",
    "speaker_identity.retrieval",
    "speaker_identity.counting",
    "speaker_identity.matching",
    "speaker_identity.aggregation",
    "speaker_identity.tracking",
    "paralinguistic",
    "environmental",
)


def form(
    evidence: EvidenceType,
    subtype: Subtype,
    answer_type: AnswerType,
    *wordings: str,
    bare: bool = False,
    source: bool = True,
) -> Callable[[Builder], Builder]:
    """Registers a builder as a form, under its function's name."""

    def register(build: Builder) -> Builder:
        name = build.__name__.lstrip("_")
        add(Form(name, Route(evidence, subtype), answer_type, wordings, build, bare, source))
        return build

    return register


def add(item: Form) -> None:
    """Registers a form."""
    if item.name in FORMS:
        raise ValueError(f"there is already a form {item.name!r}")
    if not item.wordings:
        raise ValueError(f"the form {item.name!r} has no wordings")
    FORMS[item.name] = item


@cache
def load() -> dict[str, Form]:
    """All forms by name, in the order of their files."""
    for name in _FILES:
        import_module(f"voxmem.plan.forms.{name}")
    return FORMS


@cache
def forms_of(route: Route) -> tuple[Form, ...]:
    """The forms of a route."""
    return tuple(item for item in load().values() if item.route == route)
