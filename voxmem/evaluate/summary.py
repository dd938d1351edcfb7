"""What came of a run, in numbers that a run page and a terminal show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from voxmem.records import Record, Response


class Summary(Record):
    """The rows of one run, counted."""

    run: str
    items: int
    """That were asked for."""
    outcomes: dict[str, int]
    dollars: float | None
    """Of all rows that are kept, earlier ones included; ``None``: not known of all."""
    input_tokens: int
    output_tokens: int
    attempts: int
    bytes_sent: int
    possibly_billed: int
    """Calls that were begun by a process that was killed, and may be billed as well."""
    errors: tuple[str, ...]
    """What failed, the most frequent first, with how often."""
    stopped: str | None = None
    """Why items were left unasked."""
    new_dollars: float = 0.0
    """What this command has spent, or set aside where the price is not known."""
    gave_up: bool = False
    """Whether it was stopped because nothing was answered any more, and not by a limit."""

    @property
    def is_done(self) -> bool:
        """Whether the same command would ask nothing again, but for a limit that was reached."""
        return not self.gave_up and "error" not in self.outcomes

    @property
    def rows(self) -> int:
        return sum(self.outcomes.values())

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        parts = [counted or "nothing asked"]
        if self.dollars:
            parts.append(f"${self.dollars:.2f}")
        if self.possibly_billed:
            parts.append(f"{self.possibly_billed} calls possibly billed twice")
        if self.stopped:
            parts.append(f"stopped after {self.rows} of {self.items}: {self.stopped}")
        return "; ".join(parts)


def summarize(
    run: str,
    rows: Iterable[Response],
    items: int,
    *,
    stopped: str | None = None,
    new_dollars: float = 0.0,
    gave_up: bool = False,
) -> Summary:
    """Counts the rows of one run."""
    kept = list(rows)
    errors = Counter(row.error or "no reason given" for row in kept if row.outcome == "error")
    costs = [row.call.dollars for row in kept]
    return Summary(
        run=run,
        items=items,
        outcomes=dict(sorted(Counter(str(row.outcome) for row in kept).items())),
        dollars=_total(costs),
        input_tokens=sum(row.usage.input_tokens or 0 for row in kept),
        output_tokens=sum(row.usage.output_tokens or 0 for row in kept),
        attempts=sum(row.call.attempts for row in kept),
        bytes_sent=sum(row.call.bytes_sent for row in kept),
        possibly_billed=sum(row.call.possibly_billed for row in kept),
        errors=tuple(f"{count} × {said}" for said, count in errors.most_common(5)),
        stopped=stopped,
        new_dollars=new_dollars,
        gave_up=gave_up,
    )


def together(run: str, rows: Iterable[Response], items: int, shares: Sequence[Summary]) -> Summary:
    """What came of a run that several processes shared.

    Args:
        rows: That the run has left, of the items that were asked for.
        shares: What each of the processes says of its own.
    """
    return summarize(
        run,
        rows,
        items,
        stopped=next((each.stopped for each in shares if each.stopped), None),
        new_dollars=sum(each.new_dollars for each in shares),
        gave_up=any(each.gave_up for each in shares),
    )


def _total(costs: list[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
