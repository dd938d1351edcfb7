"""The task forms: one function each, from a draft to a plan, registered under its route.

Adding a form is adding one decorated function to the file of its evidence type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voxmem.plan.draft import Draft
from voxmem.records import Plan
from voxmem.taxonomy import EvidenceType, Route, Subtype

Builder = Callable[[Draft], Plan]


@dataclass(frozen=True)
class Form:
    """One way to ask a question of one route."""

    name: str
    route: Route
    build: Builder


FORMS: dict[str, Form] = {}


def form(evidence: EvidenceType, subtype: Subtype) -> Callable[[Builder], Builder]:
    """Registers a builder as a form, under its function's name."""

    def register(build: Builder) -> Builder:
        add(build.__name__, Route(evidence, subtype), build)
        return build

    return register


def add(name: str, route: Route, build: Builder) -> None:
    """Registers a form under a name."""
    if name in FORMS:
        raise ValueError(f"there is already a form {name!r}")
    FORMS[name] = Form(name, route, build)


def load() -> dict[str, Form]:
    """All forms, by name."""
    from voxmem.plan.forms import acoustic, speaker_identity, speech_semantics  # noqa: F401

    return FORMS
