"""What a person sees while a command runs: stages on a terminal, single lines elsewhere."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from voxmem.progress import LOGGER

_FEW = 8
"""Up to so many units a stage is one line, beyond it a line a quarter."""


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[None]:
    """Shows, on standard error, the progress of whatever runs inside the block."""
    if quiet:
        with _listening(logging.NullHandler()):
            yield
        return
    console = Console(stderr=True)
    if console.is_terminal:
        with _bars(console) as bars, _listening(_Bars(bars)):
            yield
    else:
        with _listening(_Lines()):
            yield


@contextmanager
def _listening(handler: logging.Handler) -> Iterator[None]:
    before = LOGGER.level, LOGGER.propagate
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.level, LOGGER.propagate = before


def _bars(console: Console) -> Progress:
    return Progress(
        SpinnerColumn(finished_text="[green]✓"),
        TextColumn("{task.description:<14}"),
        BarColumn(24),
        _Units(),
        TimeElapsedColumn(),
        console=console,
    )


class _Units(ProgressColumn):
    """How much of a stage is done; nothing while its size is not known."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(" " * 9)
        shown = f"{task.total:.0f}" if task.finished else f"{task.completed:.0f}/{task.total:.0f}"
        return Text(f"{shown:>9}")


class _Bars(logging.Handler):
    """A bar for each stage. A total of 0 is one that is not known yet."""

    def __init__(self, bars: Progress) -> None:
        super().__init__()
        self._bars = bars
        self._ids: dict[str, TaskID] = {}

    def emit(self, record: logging.LogRecord) -> None:
        stage, done, total = _parts(record)
        if stage not in self._ids:
            self._ids[stage] = self._bars.add_task(stage, total=None)
        self._bars.update(self._ids[stage], completed=done, total=total or None)


class _Lines(logging.Handler):
    """A line for each stage, with the seconds since the start; more for a long one."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = time.monotonic()
        self._silent = True

    def emit(self, record: logging.LogRecord) -> None:
        stage, done, total = _parts(record)
        step = total if total <= _FEW else max(total // 4, 1)
        if self._silent or (done and (done == total or done % step == 0)):
            self._silent = False
            seconds = time.monotonic() - self._begun
            units = "…" if not done else f"{done}" if done == total else f"{done}/{total}"
            print(f"{seconds:7.1f} s  {stage:<14}{units}", file=sys.stderr, flush=True)


def _parts(record: logging.LogRecord) -> tuple[str, int, int]:
    return record.__dict__["stage"], record.__dict__["done"], record.__dict__["total"]
