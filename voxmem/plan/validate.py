"""Deterministic validation: the consequences of a plan, at every budget, before it is written."""

from __future__ import annotations

from voxmem.config import Budget, BuildConfig
from voxmem.plan.preview import preview
from voxmem.records import Plan, PlannedSession, Question, Role
from voxmem.semantics import Episode
from voxmem.semantics.consequences import Claim, Violation, refusal_violations, violations


def at_budget(plan: Plan, budget: Budget) -> tuple[PlannedSession, ...]:
    """The planned sessions that a history of this budget holds, fillers apart."""
    return (
        *(item for item in plan.sessions if item.role in ("evidence", "replacement")),
        *first(plan, "samekey_haystack", budget.samekey),
        *first(plan, "topical_haystack", budget.topical),
    )


def first(plan: Plan, role: Role, count: int) -> tuple[PlannedSession, ...]:
    """The first sessions of a role in the order of their numbers: shorter budgets are subsets."""
    found = sorted(
        (item for item in plan.sessions if item.role == role), key=lambda item: item.session_id
    )
    return tuple(found[:count])


def check(plan: Plan, config: BuildConfig) -> list[Violation]:
    """Every consequence that the plan does not bear out, at any budget."""
    found = []
    for budget in config.budgets:
        episodes = preview(at_budget(plan, budget))
        for violation in check_question(plan.question, episodes):
            detail = f"at {budget.name}: {violation.detail}"
            found.append(Violation(violation.consequence, detail))
    return found


def check_question(question: Question, episodes: tuple[Episode, ...]) -> list[Violation]:
    """The consequences of one question over one history."""
    if question.gold is None:
        assert question.reason is not None
        return refusal_violations(question.query, question.asker, question.reason, episodes)
    claim = Claim(
        query=question.query,
        asker=question.asker,
        evidence_type=question.evidence_type,
        operation=question.operation,
        evidence=question.evidence_session_ids,
        gold=question.gold,
    )
    return violations(claim, episodes)
