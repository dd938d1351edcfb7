"""What the model-based gates leave behind: findings, and a report of the whole run."""

from __future__ import annotations

from typing import Literal

from voxmem.records import Check, Question, Record

Status = Literal["passed", "failed", "unparsed", "not_run"]


class Finding(Record):
    """What one part of one gate found of one item in one pass."""

    question_id: str
    gate: str
    part: str
    passes: int
    """The number of the pass, counted from 1."""
    status: Status
    """``unparsed``: no reply could be read, which says nothing about the item. ``not_run``: this
    part does not fit the item or the build, for the reason given."""
    reason: str = ""
    """Why it failed or was not run: one of a few words, for counting."""
    detail: str = ""
    """What the model said, and of what."""
    value: float | None = None
    threshold: float | None = None
    sessions: tuple[str, ...] = ()
    """Session ids that a failure rests on."""
    budget: str | None = None
    """The earliest budget whose history shows the failure."""
    judge: str
    """The model and the hash of the prompt."""
    wording: str
    """The text of the question as it was then."""

    @property
    def name(self) -> str:
        """Gate and part."""
        return f"{self.gate}/{self.part}"

    @property
    def cause(self) -> str:
        """Gate, part and reason, as they are counted."""
        return f"{self.name}: {self.reason}"

    def as_check(self) -> Check | None:
        """The row of ``family_checks``; ``None`` if nothing was found out."""
        if self.status not in ("passed", "failed"):
            return None
        where = f"from {self.budget} on" if self.budget else ""
        notes = (f"pass {self.passes}", where, self.reason, self.detail)
        return Check(
            subject=self.question_id,
            check=self.name,
            passed=self.status == "passed",
            value=self.value,
            threshold=self.threshold,
            judge=self.judge,
            detail="; ".join(filter(None, notes)),
        )


class Dropped(Record):
    """A question that was not admitted, and why."""

    question_id: str
    cause: str
    """Gate, part and reason; ``source_dropped`` for a refusal item that went with its source;
    ``unparsed`` for one that no reply could be read for."""
    detail: str = ""


class Revised(Record):
    """A question that was given another wording, and why."""

    question_id: str
    cause: str
    before: str
    after: str


class Blind(Record):
    """How often a gate's model gave the gold without what should be needed for it."""

    gate: str
    readings: int
    hits: float
    """The sum over readings; tries of one reading count in parts."""
    chance: float
    """The sum of the chance levels of the same readings."""


class GateReport(Record):
    """The model-based part of the family gate (VoxMem, §3.3, QC-2), in counts."""

    model: str
    prompts: dict[str, str]
    """Prompt → SHA-256."""
    items: int
    admitted: int
    passes: int
    """How many were needed until every item left had two clean ones in a row."""
    failures: dict[str, int]
    """Cause → findings, whatever came of them."""
    revised: dict[str, int]
    """Cause → items that were given another wording."""
    dropped: dict[str, int]
    """Cause → items that were not admitted."""
    not_run: dict[str, int]
    """Gate, part and reason → times that a part was not run."""
    unparsed: int
    """Times that no reply could be read. They count neither for nor against an item."""
    replies: dict[str, int]
    """Gate → replies that findings rest on."""
    input_tokens: int
    output_tokens: int
    blind: tuple[Blind, ...]


class GateOutcome(Record):
    """What came of a run of the gates."""

    admitted: tuple[Question, ...]
    """In the order given, with the wording that passed."""
    dropped: tuple[Dropped, ...]
    revised: tuple[Revised, ...]
    findings: tuple[Finding, ...]
    report: GateReport

    @property
    def checks(self) -> list[Check]:
        """The rows for ``family_checks``: of each question, those of the wording it was left with.

        An admitted question has no failed row among them, whatever befell an earlier wording.
        """
        last = {finding.question_id: finding.wording for finding in self.findings}
        rows = (
            finding.as_check()
            for finding in self.findings
            if finding.wording == last[finding.question_id]
        )
        return [row for row in rows if row is not None]
