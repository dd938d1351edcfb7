"""Accuracy by any groupings as a typed table that can be exported.

A table knows how many items the release asks in every group, so that a partial run cannot look
whole: *coverage* is the share of those items that is in the denominator.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from voxmem.analyze.accuracy import POLICIES, Accuracy, Policy, Scored, accuracy
from voxmem.analyze.labels import ordered
from voxmem.records import AskedQuestion

Asked = tuple[AskedQuestion, str]
"""A question at one budget: what a release asks of every system."""


class AccuracyRow(Accuracy):
    """One group's accuracy beside the number of items that the release asks in it."""

    expected: int

    @property
    def coverage(self) -> float | None:
        """The denominator over the items asked; ``None`` where none is asked."""
        return self.n / self.expected if self.expected else None


@dataclass(frozen=True)
class AccuracyTable:
    """Accuracy by some groupings under both policies."""

    by: tuple[str, ...]
    rows: tuple[AccuracyRow, ...]

    @cached_property
    def _index(self) -> dict[tuple[Policy, tuple[str, ...]], AccuracyRow]:
        return {(row.policy, row.group): row for row in self.rows}

    def get(self, policy: Policy, *group: str) -> AccuracyRow | None:
        """The row of a group, or ``None`` if nothing is asked and nothing answered there."""
        return self._index.get((policy, group))

    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records, groupings first."""
        return [
            dict(zip(self.by, row.group, strict=True))
            | {
                "policy": row.policy,
                "accuracy": None if row.value is None else round(row.value, 6),
                "n": row.n,
                "correct": row.correct,
                "expected": row.expected,
                "coverage": None if row.coverage is None else round(row.coverage, 6),
                "responses": row.responses,
                "failed": row.failed,
                "unparsed": row.unparsed,
            }
            for row in self.rows
        ]

    def to_json(self) -> str:
        """The records as JSON, one a line; no number is ``null``."""
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in self.records())
        return f"[\n{lines}\n]\n" if lines else "[]\n"

    def to_csv(self) -> str:
        """The records as CSV with a header line; no number is an empty field."""
        out = io.StringIO()
        names = [*self.by, *_NUMBERS]
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records())
        return out.getvalue()


_NUMBERS = (
    "policy",
    "accuracy",
    "n",
    "correct",
    "expected",
    "coverage",
    "responses",
    "failed",
    "unparsed",
)


def accuracy_table(
    scored: Sequence[Scored], by: Sequence[str], asked: Iterable[Asked]
) -> AccuracyTable:
    """Accuracy by system and further groupings (of "budget", "evidence", "operation", "subtype",
    "answer_type", "stratum"), under both policies.

    Args:
        scored: The responses, of one judge.
        by: The groupings that follow "system".
        asked: Every item of the release; groups of it that a system never answered are there with
            an empty denominator.
    """
    names = ("system", *by)
    expected = Counter(tuple(_group(name, *item) for name in by) for item in asked)
    systems = ordered(row.response.system for row in scored)
    rows = []
    for policy in POLICIES:
        found = {row.group: row for row in accuracy(scored, names, policy)}
        groups = ordered([*((name, *group) for name in systems for group in expected), *found])
        rows += [
            AccuracyRow(
                **(found.get(group) or _nothing(group, policy)).model_dump(),
                expected=expected[group[1:]],
            )
            for group in groups
        ]
    return AccuracyTable(names, tuple(rows))


def _nothing(group: tuple[str, ...], policy: Policy) -> Accuracy:
    return Accuracy(group=group, policy=policy, responses=0, n=0, correct=0, failed=0, unparsed=0)


def _group(name: str, question: AskedQuestion, budget: str) -> str:
    if name == "budget":
        return budget
    if name == "stratum":
        return "refusal" if question.gold is None else "answerable"
    attribute = {"evidence": "evidence_type"}.get(name, name)
    return str(getattr(question, attribute).value)
