"""What a preflight found, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from voxmem.errors import UsageError
from voxmem.records import Record

Status = Literal["passed", "failed", "not verifiable"]
Meaning = Literal["nothing", "labelled", "refused"]
"""``labelled``: every row says so, in its ``call.notes``. ``refused``: numbers of this model would
be wrong, so that it is not run."""


class Need(Record):
    """What the histories of one budget ask of a model, at most."""

    budget: str
    clips: int
    """In one request, the query's included."""
    audio_seconds: float
    """Of the item with the most audio."""
    text_tokens: int
    """Whisper tokens of the item with the most text, system text included."""
    longest_clip: float
    """Seconds."""


class Finding(Record):
    """What one check came to."""

    check: str
    status: Status
    means: Meaning
    detail: str
    """What was measured, in a sentence."""
    budget: str | None = None
    """``None``: it is so at every budget."""

    def __str__(self) -> str:
        return f"{self.check} {self.status}: {self.detail}"


class Preflight(Record):
    """One model, driven by one version of its adapter, before it is asked any item."""

    system: str
    fingerprint: str
    adapter: str
    needs: tuple[Need, ...]
    findings: tuple[Finding, ...]
    requests: int
    """Answers that were asked for."""
    dollars: float | None
    """What they cost by the price table; ``None`` where that is not known."""
    tokens_per_second: float | None = None
    """Of audio, as counted; ``None``: nobody told."""
    failed_calls: int = 0
    """Calls that no answer came to: what rests on them is found out anew."""

    def of(self, budget: str | None) -> tuple[Finding, ...]:
        """The findings that hold at a budget; ``None``: those that hold at every budget."""
        return tuple(each for each in self.findings if each.budget in (None, budget))

    def refusals(self, budget: str | None = None) -> tuple[Finding, ...]:
        """Why the model is not to be run at a budget; none if it may be."""
        return tuple(each for each in self.of(budget) if each.means == "refused")

    def labels(self, budget: str | None = None) -> tuple[str, ...]:
        """What every row of a budget says of the model."""
        return tuple(f"preflight: {each}" for each in self.of(budget) if each.means == "labelled")

    def require(self, budget: str | None = None) -> None:
        """Asserts that the model may be run at a budget.

        Raises:
            UsageError: It failed a check after which its numbers would be wrong; the check, and
                what was measured, are named.
        """
        failed = self.refusals(budget)
        if failed:
            raise UsageError(
                f"it failed preflight{f' at {budget}' if budget else ''}: "
                + "; ".join(map(str, failed)),
                item=self.system,
                stage="preflight",
                remedy="correct its entry or its server, then: voxmem models preflight --again",
            )

    def covers(self, needs: Sequence[Need]) -> bool:
        """Whether it was tried with as much as these needs ask for."""
        tried = {need.budget: need for need in self.needs}
        return all(
            need.budget in tried
            and need.clips <= tried[need.budget].clips
            and need.audio_seconds <= tried[need.budget].audio_seconds
            and need.text_tokens <= tried[need.budget].text_tokens
            and need.longest_clip <= tried[need.budget].longest_clip
            for need in needs
        )
