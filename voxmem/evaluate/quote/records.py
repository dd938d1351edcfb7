"""Quotes as records, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voxmem.records import Record


class ItemQuote(Record):
    """One item that is left to ask."""

    item_id: str
    dollars: float | None
    """Of its answer; ``None``: no price is known."""
    dollars_most: float | None
    """With the longest answer that is allowed."""


class RunQuote(Record):
    """One system, one budget, one arm. Sums are over the items that are left to ask."""

    system: str
    budget: str
    arm: str
    items: int
    """That are left to ask."""
    answered: int = 0
    """That have an answer already: they cost nothing again."""
    clips: int = 0
    audio_seconds: float = 0.0
    audio_tokens: int = 0
    text_tokens: int = 0
    answer_tokens: int = 0
    """Expected."""
    most_tokens: int = 0
    """That the answers may have."""
    bytes: int = 0
    """That leave the machine."""
    dollars: float | None = 0.0
    """Of the answers; ``None``: no price is known."""
    dollars_most: float | None = 0.0
    judge_dollars: float | None = 0.0
    seconds: float | None = 0.0
    """At least; ``None``: neither limits nor latency are known."""
    notes: tuple[str, ...] = ()
    """What rests on an estimate, and on which."""


def together(values: Iterable[float | None]) -> float | None:
    """The sum of all; ``None`` if one of them is not known."""
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)


def total(runs: Sequence[RunQuote]) -> RunQuote:
    """All runs together. Seconds are those of one run after the other."""
    return RunQuote(
        system="all",
        budget="all",
        arm="all",
        items=sum(run.items for run in runs),
        answered=sum(run.answered for run in runs),
        clips=sum(run.clips for run in runs),
        audio_seconds=sum(run.audio_seconds for run in runs),
        audio_tokens=sum(run.audio_tokens for run in runs),
        text_tokens=sum(run.text_tokens for run in runs),
        answer_tokens=sum(run.answer_tokens for run in runs),
        most_tokens=sum(run.most_tokens for run in runs),
        bytes=sum(run.bytes for run in runs),
        dollars=together(run.dollars for run in runs),
        dollars_most=together(run.dollars_most for run in runs),
        judge_dollars=together(run.judge_dollars for run in runs),
        seconds=together(run.seconds for run in runs),
        notes=tuple(dict.fromkeys(f"{run.system}: {note}" for run in runs for note in run.notes)),
    )
