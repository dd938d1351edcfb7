"""What came of the judging of a run, in numbers that a run page and a terminal show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from voxmem.judge.judges import Judge
from voxmem.records import Record, Verdict


class Judged(Record):
    """The verdicts of one judge on one run, counted."""

    run: str
    judge: str
    """Name and version."""
    responses: int
    """That a verdict is wanted on."""
    statuses: dict[str, int]
    dollars: float | None
    """Of all verdicts that are kept, earlier ones included; ``None``: not known of all."""
    possibly_billed: int = 0
    """Calls that brought nothing, and may be billed as well."""
    errors: tuple[str, ...] = ()
    """Why there is no verdict, the most frequent first, with how often."""
    attempts: int = 0
    """Requests that were made for the verdicts that are kept."""
    input_tokens: int = 0
    output_tokens: int = 0
    stopped: str | None = None
    """Why responses were left unjudged."""
    new_dollars: float = 0.0
    """What this command has spent, or set aside where it is not known."""
    gave_up: bool = False
    """Whether it was stopped because the judge does not answer, and not by a limit."""

    @property
    def waiting(self) -> int:
        """Responses without a verdict."""
        return self.responses - sum(self.statuses.values())

    @property
    def is_done(self) -> bool:
        """Whether the same command would ask nothing again, but for what was said above."""
        return not (self.waiting or self.statuses.get("error") or self.statuses.get("unparsed"))

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in sorted(self.statuses.items()))
        parts = [counted or "nothing judged"]
        if self.dollars:
            parts.append(f"${self.dollars:.2f}")
        if self.possibly_billed:
            parts.append(f"{self.possibly_billed} calls possibly billed twice")
        if self.waiting:
            parts.append(f"{self.waiting} of {self.responses} not judged yet")
        if self.stopped:
            parts.append(f"stopped: {self.stopped}")
        return "; ".join(parts)


def summarize(
    run: str,
    judge: Judge,
    responses: int,
    rows: Sequence[Verdict],
    *,
    stopped: str | None = None,
    new_dollars: float = 0.0,
    gave_up: bool = False,
) -> Judged:
    """Counts the verdicts of one judge on one run."""
    asked = [row for row in rows if row.call.attempts or row.call.dollars is not None]
    costs = [row.call.dollars for row in asked]
    without = Counter(row.detail for row in rows if row.status in ("error", "unparsed"))
    return Judged(
        run=run,
        judge=judge.identity,
        responses=responses,
        statuses=dict(sorted(Counter[str](row.status for row in rows).items())),
        dollars=None if None in costs else sum(cost for cost in costs if cost is not None),
        possibly_billed=sum(row.call.possibly_billed for row in rows),
        errors=tuple(f"{count} × {said}" for said, count in without.most_common(5)),
        attempts=sum(row.call.attempts for row in rows),
        input_tokens=sum(row.usage.input_tokens or 0 for row in rows),
        output_tokens=sum(row.usage.output_tokens or 0 for row in rows),
        stopped=stopped,
        new_dollars=new_dollars,
        gave_up=gave_up,
    )
