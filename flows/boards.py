"""What a run page shows of a candidate: progress, then outcomes, costs and failures."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self
from uuid import UUID

from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)

from voxmem.evaluate.summary import Summary
from voxmem.keys import short
from voxmem.progress import report

_EVERY = 5.0
"""Seconds between two updates, at least: each is a request to the server."""


class RunBoard:
    """The artifacts of one run. A context manager.

    Args:
        name: Of the run.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._key = f"run-{short(name)}"
        self._shown = 0.0
        self._last: Summary | None = None
        self._progress: UUID | None = None

    def __enter__(self) -> Self:
        made = create_progress_artifact(
            progress=0.0, key=f"{self._key}-progress", description=self._name
        )
        assert isinstance(made, UUID)
        self._progress = made
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._last is not None:
            create_markdown_artifact(
                _page(self._last), key=self._key, description=f"{self._name}: what came of it"
            )

    def heard(self, done: int, total: int) -> None:
        """Says how many items have their answer."""
        report(self._name, done, total)

    def show(self, summary: Summary) -> None:
        """Shows what came of the run so far."""
        self._last = summary
        now = time.monotonic()
        if now - self._shown >= _EVERY or summary.rows >= summary.items:
            self._shown = now
            assert self._progress is not None
            update_progress_artifact(
                self._progress, progress=100.0 * summary.rows / max(summary.items, 1)
            )


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
