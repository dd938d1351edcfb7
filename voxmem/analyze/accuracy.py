"""Accuracy under the two published policies, each with its denominator in view.

The *paper's* policy counts a failed generation and an unparsed verdict as wrong and leaves out only
what a provider rejected before inference. The *code's* policy leaves out whatever was never judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from voxmem.records import AskedQuestion, Record, Response, Verdict

Policy = Literal["paper", "code"]
POLICIES: tuple[Policy, ...] = ("paper", "code")

_UNJUDGED = frozenset({"not_judged", "unparsed", "error"})
_OUT_OF_SET = frozenset({"context_overflow", "unsupported"})


@dataclass(frozen=True)
class Scored:
    """One response with its question and what one judge said of it."""

    question: AskedQuestion
    response: Response
    verdict: Verdict

    def counts(self, policy: Policy) -> bool:
        """Whether it is in the denominator."""
        if self.response.outcome == "rejected" or self.response.outcome in _OUT_OF_SET:
            return False
        return policy == "paper" or self.verdict.status not in _UNJUDGED

    @property
    def correct(self) -> bool:
        return self.verdict.status == "correct"


def join(
    questions: Mapping[str, AskedQuestion],
    responses: Iterable[Response],
    verdicts: Iterable[Verdict],
) -> list[Scored]:
    """Responses with their verdicts; a response without one is left out."""
    by_response = {verdict.response_id: verdict for verdict in verdicts}
    return [
        Scored(questions[row.question_id], row, by_response[row.response_id])
        for row in responses
        if row.response_id in by_response and row.question_id in questions
    ]


class Accuracy(Record):
    """One group's accuracy with everything that decides it."""

    group: tuple[str, ...]
    policy: Policy
    responses: int
    n: int
    """The denominator."""
    correct: int
    failed: int
    """Responses whose generation failed."""
    unparsed: int

    @property
    def value(self) -> float | None:
        """``None`` for an empty denominator: there is no such number."""
        return self.correct / self.n if self.n else None


GROUPINGS: dict[str, Callable[[Scored], str]] = {
    "system": lambda row: row.response.system,
    "budget": lambda row: row.response.budget,
    "evidence": lambda row: row.question.evidence_type.value,
    "operation": lambda row: row.question.operation.value,
    "subtype": lambda row: row.question.subtype.value,
    "answer_type": lambda row: row.question.answer_type.value,
    "stratum": lambda row: "answerable" if row.question.gold is not None else "refusal",
}


def accuracy(rows: Sequence[Scored], by: Sequence[str], policy: Policy = "paper") -> list[Accuracy]:
    """Accuracy by the named groupings, groups in order of first appearance."""
    groups: dict[tuple[str, ...], list[Scored]] = {}
    for row in rows:
        groups.setdefault(tuple(GROUPINGS[name](row) for name in by), []).append(row)
    return [_accuracy(group, members, policy) for group, members in groups.items()]


def _accuracy(group: tuple[str, ...], rows: Sequence[Scored], policy: Policy) -> Accuracy:
    counted = [row for row in rows if row.counts(policy)]
    return Accuracy(
        group=group,
        policy=policy,
        responses=len(rows),
        n=len(counted),
        correct=sum(row.correct for row in counted),
        failed=sum(row.response.outcome not in ("ok", "truncated") for row in rows),
        unparsed=sum(row.verdict.status == "unparsed" for row in rows),
    )
