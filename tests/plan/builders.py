"""Plans to test with, each made once, and ways to spoil them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import pytest

from tests.plan.forms.drafts import candidate, candidates, config_of, rivalled
from tests.presets import DEMO
from voxmem.config import BuildConfig, CellTarget
from voxmem.plan import planner
from voxmem.plan.forms import load
from voxmem.plan.planner import Enumerated, Planned, enumerate_candidates, plan_benchmark
from voxmem.plan.preview import preview
from voxmem.plan.requests import requests
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import Decision, answer
from voxmem.taxonomy import EvidenceType, Operation
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS

__all__ = ["DEMO", "PAPER", "candidate", "candidates", "rivalled"]

FORMS = list(load())
PAPER = config_of("paper")
"""The paper's preset, with all deliveries and sounds."""
DEEP = PAPER.model_copy(
    update={
        "cells": tuple(
            CellTarget(operation=operation, evidence=evidence, questions=questions)
            for operation, evidence, questions in (
                (Operation.INFORMATION_EXTRACTION, EvidenceType.PARALINGUISTIC, 60),
                (Operation.MULTI_SESSION_REASONING, EvidenceType.ENVIRONMENTAL, 50),
                (Operation.TEMPORAL_EVOLUTION_TRACKING, EvidenceType.SPEECH_SEMANTICS, 60),
            )
        ),
        "refusal_sources": (),
        "requests": 600,
        "evidence_sessions": None,
        "main_users": 6,
        "deliveries": DEFAULT_DELIVERIES,
        "sounds": DEFAULT_SOUNDS,
    }
)
"""Several questions of a form, and some ten candidates for each of them."""


@cache
def demo() -> Planned:
    """All plans of the demo."""
    return plan_benchmark(DEMO)


@cache
def enumerated() -> Enumerated:
    """All candidates of the deep build."""
    return enumerate_candidates(DEEP, requests(DEEP))


@cache
def selected(target: int | None = None) -> list[Plan]:
    """The candidates that the planner selects from those of the deep build, all taken for good.

    Args:
        target: Evidence sessions to aim at.
    """
    config = DEEP.model_copy(update={"evidence_sessions": target})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planner, "enumerate_candidates", lambda *_, **__: enumerated())
        patch.setattr(planner, "add_rivals", lambda _, plan: plan)
        patch.setattr(planner, "check", lambda *_: [])
        return list(plan_benchmark(config).plans)


def answerable() -> list[Plan]:
    """The demo's plans with an answer."""
    return [plan for plan in demo().plans if plan.question.gold is not None]


def refusals() -> list[Plan]:
    """The demo's refusal variants."""
    return [plan for plan in demo().plans if plan.question.gold is None]


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
