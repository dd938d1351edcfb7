"""What borrowed sessions do to a question: every consequence must still hold, at every budget, for
the question and for its refusal variants (VoxMem, B.5: no alternative answer is supported)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from voxmem.config import BuildConfig
from voxmem.plan.preview import preview
from voxmem.plan.validate import at_budget, check_question
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import relevant


@dataclass
class Trial:
    """One question, and what of it was tried.

    Args:
        plans: The question's plan and those of its refusal variants.
    """

    config: BuildConfig
    plans: Sequence[Plan]
    _passed: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def fault(self, borrowed: Sequence[PlannedSession]) -> str | None:
        """The first consequence that does not hold once the last of ``borrowed`` is added to the
        others, or ``None``. A session that the question cannot look at changes none of them."""
        query = self.plans[0].question.query
        if not relevant(query, preview(borrowed[-1:])):
            return None
        return next((fault for plan in self.plans if (fault := self._first(plan, borrowed))), None)

    def _first(self, plan: Plan, borrowed: Sequence[PlannedSession]) -> str | None:
        question = plan.question
        evidence = sum(item.role in ("evidence", "replacement") for item in plan.sessions)
        for budget in self.config.budgets:
            if budget.reused_for(evidence) < len(borrowed):
                continue
            own = preview(at_budget(plan, budget))
            added = relevant(question.query, preview(borrowed))
            held = (*own, *added)
            known = (question.question_id, tuple(item.session_id for item in held))
            if known in self._passed:
                continue
            if found := check_question(question, held):
                return found[0].consequence
            self._passed.add(known)
        return None
