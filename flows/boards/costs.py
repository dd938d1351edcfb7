"""What a flow has cost and what failed: a table, a row a run, changed in place."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from prefect.artifacts import create_table_artifact
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactUpdate

from flows.boards.showing import EVERY, artifact_key, harmless
from voxmem.analyze.attribution.runner import Attributed
from voxmem.evaluate.run import Run
from voxmem.evaluate.summary import Summary
from voxmem.judge.runner import Judged

Came = Summary | Judged | Attributed
"""What came of evaluating, judging or tracing one run."""


class CostBoard:
    """The table of one flow run. A context manager: what is there when it ends is shown, however
    it ends.

    Args:
        flow: "evaluate", "judge" or "attribute".
        release: The id of the release that it is about.
    """

    def __init__(self, flow: str, release: str) -> None:
        self._flow, self._release = flow, release
        self._rows: list[dict[str, Any]] = []
        self._spent = 0.0
        self._shown = 0.0
        self._artifact: UUID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._rows:
            self._show()

    def add(self, run: Run, came: Came) -> None:
        """Adds the row of one run."""
        self._rows.append(row_of(run, came))
        self._spent += came.new_dollars
        if time.monotonic() - self._shown >= EVERY:
            self._show()

    def _show(self) -> None:
        self._shown = time.monotonic()
        said = f"{self._flow} {self._release}: {len(self._rows)} runs, ${self._spent:.4f} spent now"
        with harmless("costs"):
            if self._artifact is None:
                key = artifact_key(self._flow, self._release, "costs")
                made = create_table_artifact(self._rows, key=key, description=said)
                assert isinstance(made, UUID)
                self._artifact = made
            else:
                change = ArtifactUpdate(data=json.dumps(self._rows), description=said)
                with get_client(sync_client=True) as client:
                    client.update_artifact(self._artifact, change)


def row_of(run: Run, came: Came) -> dict[str, Any]:
    """One row: what was asked, what came of it, what it cost, and why it stopped."""
    dollars = "unknown" if came.dollars is None else round(came.dollars, 4)
    return {
        "system": run.system.name,
        "budget": run.budget,
        "arm": run.arm_name,
        **_counted(came),
        "requests": came.attempts,
        "tokens in": came.input_tokens,
        "tokens out": came.output_tokens,
        "dollars": dollars,
        "spent now": round(came.new_dollars, 4),
        "stopped": came.stopped or "",
    }


def _counted(came: Came) -> dict[str, Any]:
    match came:
        case Summary():
            return _outcomes(came.items, came.rows, came.outcomes, came.errors)
        case Judged():
            done = came.responses - came.waiting
            return {"by": came.judge} | _outcomes(came.responses, done, came.statuses, came.errors)
        case Attributed():
            classed = {**came.classes, **{f"excluded: {n}": k for n, k in came.excluded.items()}}
            open_ = [f"{came.open} without a class"] if came.open else []
            return {"by": came.auditor} | _outcomes(
                came.wrong, came.wrong - came.open, classed, open_
            )


def _outcomes(
    items: int, done: int, outcomes: Mapping[str, int], failures: Sequence[str]
) -> dict[str, Any]:
    return {
        "items": items,
        "done": done,
        "outcomes": ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())),
        "failures": "; ".join(failures),
    }
