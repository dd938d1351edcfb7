"""What a judge is. There are three kinds: those that decide at once, models, and panels."""

from __future__ import annotations

from typing import Any, Protocol

from voxmem.records import AskedQuestion, Response, Status, Verdict

GRADED = ("ok", "truncated")
"""Outcomes whose text a judge reads; all others are decided by the policy."""


class Judge(Protocol):
    """What every judge has."""

    @property
    def name(self) -> str:
        """By which it is asked for: ``rule``, ``pre+gpt-5.6-luna``, …"""
        ...

    @property
    def version(self) -> str:
        """Another one whenever a verdict could be another."""
        ...

    @property
    def identity(self) -> str:
        """Name and version, as verdicts carry them."""
        ...


class Decider(Judge, Protocol):
    """A judge that needs nobody: it costs nothing."""

    def judge(self, question: AskedQuestion, response: Response) -> Verdict:
        """The verdict on one response."""
        ...


def verdict(judge: Judge, response: Response, status: Status, detail: str, **more: Any) -> Verdict:
    """A judge's verdict on a response."""
    return Verdict(
        response_id=response.response_id,
        item_id=response.item_id,
        judge=judge.identity,
        status=status,
        detail=detail,
        **more,
    )


def not_judged(judge: Judge, response: Response) -> Verdict | None:
    """The row of a response that no judge is shown; ``None`` if it is to be judged."""
    if response.outcome in GRADED:
        return None
    return verdict(judge, response, "not_judged", f"outcome {response.outcome}")
