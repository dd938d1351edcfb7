"""Plans to test with, each made once."""

from __future__ import annotations

from functools import cache

from voxmem.config import DEMO, BuildConfig
from voxmem.plan.draft import Draft
from voxmem.plan.forms import load
from voxmem.plan.planner import Planned, plan_benchmark
from voxmem.records import Plan
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import PERSONAS

FORMS = sorted(load())
HOUSE = PERSONAS[:4]


def draft(form: str, index: int, config: BuildConfig = DEMO) -> Draft:
    """An empty draft of a form: in a household where voices matter, else of one user."""
    route = load()[form].route
    cast = HOUSE if route.evidence is EvidenceType.SPEAKER_IDENTITY else HOUSE[:1]
    return Draft(config, route, form, index, cast, cast[0])


@cache
def planned(form: str, index: int) -> Plan:
    """The first candidate of a form."""
    return load()[form].build(draft(form, index))


@cache
def demo() -> Planned:
    """All plans of the demo."""
    return plan_benchmark(DEMO)


def sources() -> dict[str, Plan]:
    """The answerable plans of the demo, by question."""
    return {
        plan.question.question_id: plan
        for plan in demo().plans
        if plan.question.source_question_id is None
    }


def refusals() -> list[Plan]:
    """The refusal variants of the demo."""
    return [plan for plan in demo().plans if plan.question.source_question_id is not None]
