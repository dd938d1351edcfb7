"""Plans to test with, each made once, and ways to spoil them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from tests.plan.forms.drafts import candidate, candidates, rivalled
from tests.presets import DEMO, PAPER, sized
from voxmem.config import BuildConfig, CellTarget
from voxmem.plan.forms import load
from voxmem.plan.planner import Enumerated, Planned, enumerate_candidates, plan_benchmark
from voxmem.plan.preview import preview
from voxmem.plan.requests import requests
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import Decision, answer
from voxmem.taxonomy import EvidenceType, Operation

__all__ = ["DEMO", "PAPER", "candidate", "candidates", "rivalled"]

FORMS = list(load())
MIDDLE = sized(PAPER, per_cell=10, refusals=3).model_copy(
    update={"requests": 1_500, "quota": 2, "budgets": DEMO.budgets, "evidence_sessions": None}
)
"""Two questions a form, roughly, and some twenty-five candidates for each of them."""


@cache
def middle() -> Planned:
    """All plans of the middle-sized build."""
    return plan_benchmark(MIDDLE)


@cache
def enumerated() -> Enumerated:
    """All candidates of the middle-sized build."""
    return enumerate_candidates(MIDDLE, requests(MIDDLE))


def answerable() -> list[Plan]:
    """The plans with an answer."""
    return [plan for plan in middle().plans if plan.question.gold is not None]


def refusals() -> list[Plan]:
    """The refusal variants."""
    return [plan for plan in middle().plans if plan.question.gold is None]


def one_cell(
    operation: Operation, evidence: EvidenceType, questions: int = 1, **update: Any
) -> BuildConfig:
    """A build of a single cell, without refusal items."""
    cells = (CellTarget(operation=operation, evidence=evidence, questions=questions),)
    return DEMO.model_copy(update={"cells": cells, "requests": 40, **update})


def first(form: str) -> Plan:
    """The first candidate of a form."""
    return candidates(form, "paper", 1)[0]


def evidence(plan: Plan) -> list[PlannedSession]:
    """The evidence sessions, in order of time."""
    return [item for item in plan.sessions if item.role == "evidence"]


def rivals(plan: Plan) -> list[PlannedSession]:
    """The same-key distractors, in the order in which budgets take them."""
    found = (item for item in plan.sessions if item.role == "samekey_haystack")
    return sorted(found, key=lambda item: item.session_id)


def decided(plan: Plan, sessions: Iterable[PlannedSession]) -> Decision:
    """What a plan's question comes to over some sessions."""
    return answer(plan.question.query, preview(sessions), plan.question.asker)


def asking(plan: Plan, **update: Any) -> Plan:
    """The plan with its question changed."""
    return plan.model_copy(update={"question": plan.question.model_copy(update=update)})


def holding(plan: Plan, sessions: Sequence[PlannedSession]) -> Plan:
    """The plan with other sessions."""
    return plan.model_copy(update={"sessions": tuple(sessions)})


def changed(plan: Plan, at: int = 0, **update: Any) -> Plan:
    """The plan with one session changed."""
    sessions = list(plan.sessions)
    sessions[at] = sessions[at].model_copy(update=update)
    return holding(plan, sessions)


def share(counts: Mapping[Any, int], name: Any) -> float:
    """What part of all counts is one name's."""
    return counts[name] / sum(counts.values())
