"""Candidates of a task form to test with, each made once."""

from __future__ import annotations

from functools import cache

from voxmem.config import BuildConfig, preset
from voxmem.errors import ConstructionError
from voxmem.plan.cast import voices
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Draft, Request
from voxmem.plan.forms import load
from voxmem.plan.rivals import add_rivals
from voxmem.records import Plan
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import DELIVERIES, SOUNDS

FEW, MANY = 40, 240


def forms_over(evidence: EvidenceType) -> list[str]:
    """The names of all forms of an evidence type."""
    return [name for name, form in load().items() if form.route.evidence is evidence]


@cache
def config_of(name: str) -> BuildConfig:
    """A preset. The paper's asks for everything that has a name, so that every form is built."""
    build = preset(name)
    everything = {"deliveries": tuple(DELIVERIES), "sounds": tuple(SOUNDS)}
    return build.model_copy(update=everything) if name == "paper" else build


def draft(form: str, number: int, config: str = "paper") -> Draft:
    """The empty draft of a form's ``number``-th request: topics and casts in turn."""
    build, made, topics = config_of(config), load()[form], sorted(catalog().topics)
    cast, asker = voices(build, made.route, number)
    request = Request(number, form, topics[number % len(topics)], cast, asker)
    return Draft(build, made, request, 0)


@cache
def candidate(form: str, number: int, config: str = "paper") -> Plan | None:
    """The candidate of a form's ``number``-th request, if it can be built."""
    if not load()[form].fits(config_of(config).palette):
        return None
    try:
        return load()[form].build(draft(form, number, config))
    except ConstructionError:
        return None


def candidates(form: str, config: str = "paper", count: int = FEW) -> list[Plan]:
    """The candidates of ``count`` requests; those that cannot be built are left out."""
    made = (candidate(form, number, config) for number in range(count))
    return [plan for plan in made if plan is not None]


@cache
def rivalled(form: str, config: str = "paper", count: int = 8) -> tuple[Plan, ...]:
    """Candidates with their same-key distractors."""
    return tuple(add_rivals(config_of(config), plan) for plan in candidates(form, config, count))
