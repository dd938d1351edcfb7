"""Judges: each reads one response and gives one verdict under the rubric of its question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from voxmem.errors import UsageError
from voxmem.judge.parse import parse_verdict
from voxmem.judge.refusal import Reading, read_reply
from voxmem.judge.rule import RuleJudge
from voxmem.records import AskedQuestion, Response, Verdict

__all__ = ["JUDGES", "Judge", "Reading", "RuleJudge", "make_judge", "parse_verdict", "read_reply"]


class Judge(Protocol):
    """What every judge does."""

    name: str
    version: str

    @property
    def identity(self) -> str:
        """Name and version, as verdicts carry it."""
        ...

    def judge(self, question: AskedQuestion, response: Response) -> Verdict:
        """The verdict on one response."""
        ...


JUDGES: dict[str, Callable[[], Judge]] = {RuleJudge.name: RuleJudge}
"""Judge name → factory. A new judge is one file and one entry here."""


def make_judge(name: str) -> Judge:
    """The judge of that name; :class:`~voxmem.errors.UsageError` if there is none."""
    if name not in JUDGES:
        raise UsageError(
            f"there is no judge named {name!r}",
            stage="judge",
            remedy=f"choose one of: {', '.join(sorted(JUDGES))}",
        )
    return JUDGES[name]()
