"""Where candidates come from: one interface, and the template planner behind it.

A request asks for up to ``config.quota`` candidates: plans that hold evidence alone. Whoever makes
them, they pass the same validation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.plan.draft import Draft, Request
from voxmem.plan.forms import load
from voxmem.records import Plan, Record


class PlanRejection(Record):
    """A candidate that was not admitted, and the first check or consequence that it fails."""

    form: str
    request: int
    candidate: int
    reason: str
    detail: str


class CandidateSource(Protocol):
    """Something that proposes candidates for a request. Asked again, it proposes the same."""

    @property
    def name(self) -> str:
        """The planner and its version, for the release manifest."""
        ...

    def candidates(self, request: Request) -> Sequence[Plan | PlanRejection]:
        """Up to ``config.quota`` candidates, in order; what could not be made is a rejection."""
        ...


class TemplatePlanner:
    """Draws candidates from the catalogue by seeded chance."""

    name = "templates 1"

    def __init__(self, config: BuildConfig) -> None:
        self._config = config

    def candidates(self, request: Request) -> list[Plan | PlanRejection]:
        """As many candidates as the quota."""
        form = load()[request.form]
        made: list[Plan | PlanRejection] = []
        for number in range(self._config.quota):
            try:
                made.append(form.build(Draft(self._config, form, request, number)))
            except ConstructionError as error:
                made.append(
                    PlanRejection(
                        form=form.name,
                        request=request.number,
                        candidate=number,
                        reason="no_unique_answer",
                        detail=error.message,
                    )
                )
        return made
