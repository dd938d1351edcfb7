"""The progress of a flow run: one artifact, changed in place by a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from contextvars import copy_context
from types import TracebackType
from typing import Self
from uuid import UUID

from prefect.artifacts import create_progress_artifact, update_progress_artifact

from flows.boards.showing import EVERY, artifact_key, harmless
from voxmem.progress import LOGGER

SHARES = {
    "plan": 8,
    "write": 5,
    "allocate": 1,
    "speak": 81,
    "fit": 1,
    "gate families": 2,
    "probe": 1,
    "publish": 1,
}
"""Stage of construction → its share of the time, in percent: that of the presets ``demo`` and
``small`` on two cores."""
_PATIENCE = 30.0
"""Seconds that the end of a run waits for its last update."""
_FLOWS: Mapping[str, Mapping[str, float]] = {
    "construct": SHARES,
    "gate": {name: SHARES[name] for name in ("fit", "gate families", "probe")},
}
"""Flow → its stages. Other flows have one, which says itself how far it is."""


class Progress:
    """Listens to the progress that is reported in this process, and shows it. A context manager.

    Args:
        flow: The flow that runs.
        label: What it is of.
    """

    def __init__(self, flow: str, label: str) -> None:
        self._flow, self._label = flow, label
        self._shares = _FLOWS.get(flow, {})
        self._stages: dict[str, tuple[int, int]] = {}
        self._last = ""
        self._changed, self._ended = threading.Event(), threading.Event()
        self._artifact: UUID | None = None
        self._ear = _Ear(self)
        # In a copy of this context: the artifact is of the run whose flow this is.
        self._thread = threading.Thread(target=copy_context().run, args=(self._watch,), daemon=True)

    def __enter__(self) -> Self:
        self._level = LOGGER.level
        LOGGER.addHandler(self._ear)
        if not LOGGER.isEnabledFor(logging.INFO):
            LOGGER.setLevel(logging.INFO)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        LOGGER.removeHandler(self._ear)
        LOGGER.setLevel(self._level)
        self._ended.set()
        self._thread.join(_PATIENCE)

    def heard(self, stage: str, done: int, total: int) -> None:
        """Takes note; nothing is sent from here. A total of 0 is one that is not known yet."""
        self._stages[stage] = done, total
        self._last = stage
        self._changed.set()

    @property
    def percent(self) -> float:
        """How much is done, from 0 to 100."""
        if not self._shares:
            return 100.0 * self._part(self._last)
        whole = sum(self._shares.values())
        return 100.0 * sum(self._part(name) * share for name, share in self._shares.items()) / whole

    @property
    def lines(self) -> str:
        """A line a stage, in Markdown."""
        shown = [f"{self._flow} {self._label}".strip(), ""]
        for stage, (done, total) in list(self._stages.items()):
            count = "…" if not total else f"{done}" if done >= total else f"{done} of {total}"
            shown.append(f"- {stage}: {count}")
        return "\n".join(shown)

    def _part(self, stage: str) -> float:
        done, total = self._stages.get(stage, (0, 0))
        return min(done / total, 1.0) if total else 0.0

    def _watch(self) -> None:
        ended = False
        while not ended:
            ended = self._ended.wait(EVERY)
            if self._changed.is_set():
                self._changed.clear()
                with harmless("progress"):
                    self._show()

    def _show(self) -> None:
        if self._artifact is None:
            made = create_progress_artifact(
                progress=self.percent,
                key=artifact_key(self._flow, self._label, "progress"),
                description=self.lines,
            )
            assert isinstance(made, UUID)
            self._artifact = made
        else:
            update_progress_artifact(self._artifact, self.percent, description=self.lines)


class _Ear(logging.Handler):
    """Hears what is reported."""

    def __init__(self, board: Progress) -> None:
        super().__init__()
        self._board = board

    def emit(self, record: logging.LogRecord) -> None:
        told = record.__dict__
        self._board.heard(told["stage"], told["done"], told["total"])
