"""What came of a candidate's run: outcomes, costs and failures."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from prefect.artifacts import create_markdown_artifact

from flows.boards.showing import artifact_key, harmless
from voxmem.evaluate.summary import Summary
from voxmem.keys import short
from voxmem.progress import report


class RunBoard:
    """The page of one run, written when it ends, however it ends. A context manager.

    Args:
        name: Of the run.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: Summary | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._last is not None:
            with harmless(self._name):
                create_markdown_artifact(
                    _page(self._last),
                    key=artifact_key("run", short(self._name)),
                    description=f"{self._name}: what came of it",
                )

    def heard(self, done: int, total: int) -> None:
        """Says how many items have their answer."""
        report(self._name, done, total)

    def show(self, summary: Summary) -> None:
        """Takes what came of the run so far."""
        self._last = summary


def _page(summary: Summary) -> str:
    cost = "unknown" if summary.dollars is None else f"${summary.dollars:.4f}"
    lines = [
        f"### {summary.run}",
        f"{summary.rows} of {summary.items} items, {cost}, {summary.attempts} requests, "
        f"{summary.bytes_sent / 1e6:,.1f} MB sent, {summary.input_tokens:,} tokens in, "
        f"{summary.output_tokens:,} out",
        "",
        "| outcome | items |",
        "|---|---|",
        *(f"| {name} | {count} |" for name, count in summary.outcomes.items()),
    ]
    if summary.possibly_billed:
        lines += [
            "",
            f"{summary.possibly_billed} calls may be billed twice: their process was killed",
        ]
    if summary.stopped:
        lines += ["", f"**Stopped:** {summary.stopped}"]
    if summary.errors:
        lines += ["", "Failures:", *(f"- {said}" for said in summary.errors)]
    return "\n".join(lines)
