"""A panel: several judges of every response, and what most of them say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from voxmem.judge.judges import Judge, not_judged, verdict
from voxmem.keys import short
from voxmem.records import Response, Status, Verdict, Vote

PREFIX = "panel:"
_VERSION = 1


@dataclass(frozen=True)
class Panel:
    """Its judges' verdicts are rows of their own, so that they are paid once and can be reported
    alone. A judge that errs or cannot be read has no vote; a tie is ``unparsed``."""

    members: tuple[Judge, ...]

    @property
    def name(self) -> str:
        return PREFIX + ",".join(member.name for member in self.members)

    @cached_property
    def version(self) -> str:
        """The key of its judges' versions."""
        return short("panel", _VERSION, [member.identity for member in self.members], digits=8)

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}"

    def combine(self, response: Response, verdicts: Sequence[Verdict]) -> Verdict:
        """The majority of its judges' verdicts on one response."""
        if unread := not_judged(self, response):
            return unread
        status, detail = _majority(Counter(each.status for each in verdicts))
        votes = tuple(
            Vote(judge=each.judge, status=each.status, detail=each.detail) for each in verdicts
        )
        rubrics = {each.rubric for each in verdicts}
        rubric = rubrics.pop() if len(rubrics) == 1 else ""
        return verdict(self, response, status, detail, votes=votes, rubric=rubric)


def _majority(counts: Counter[Status]) -> tuple[Status, str]:
    right, wrong = counts["correct"], counts["incorrect"]
    silent = counts.total() - right - wrong
    without = f", {silent} without a vote" if silent else ""
    if right != wrong:
        said = f"{max(right, wrong)} to {min(right, wrong)}{without}"
        return ("correct" if right > wrong else "incorrect"), said
    if right:
        return "unparsed", f"a tie: {right} to {wrong}{without}"
    return ("error" if counts["error"] == silent else "unparsed"), "no judge gave a verdict"
