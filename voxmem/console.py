"""What a person sees while a command runs: stages on a terminal, single lines elsewhere."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.progress import TimeElapsedColumn as Elapsed

from voxmem.progress import LOGGER


class _Handler(logging.Handler):
    """Shows progress records on standard error, which leaves standard output to results."""

    def __init__(self, progress: Progress | None) -> None:
        super().__init__()
        self._progress = progress
        self._bars: dict[str, TaskID] = {}
        self._begun = time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        stage, done, total = (getattr(record, name) for name in ("stage", "done", "total"))
        if self._progress is not None:
            if stage not in self._bars:
                self._bars[stage] = self._progress.add_task(stage, total=total)
            self._progress.update(self._bars[stage], completed=done, total=total)
        elif done == total or done % max(total // 4, 1) == 0:
            seconds = time.monotonic() - self._begun
            print(f"{seconds:6.1f} s  {stage} {done}/{total}", file=sys.stderr, flush=True)


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[None]:
    """Shows the progress of whatever runs inside the block."""
    if quiet:
        yield
        return
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<16}"), BarColumn(24), MofNCompleteColumn(), Elapsed())
    bars = Progress(*columns, console=console) if console.is_terminal else None
    handler = _Handler(bars)
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    try:
        if bars is None:
            yield
        else:
            with bars:
                yield
    finally:
        LOGGER.removeHandler(handler)
