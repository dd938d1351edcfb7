"""How many task runs the flow runs of a job have, counted before anything runs.

The server keeps up with some hundred task runs of a flow run, and with few a second; rows are no
task runs. A flow run that a flow waits for is a task run of it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flows.params import ConstructParams, EvaluateParams
from voxmem.build import MOST_CHUNKS, Build
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.evaluate.shards import cut
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import Control
from voxmem.store.root import open_root

MOST = 500
"""Task runs of a flow run."""

P = TypeVar("P", bound=EvaluateParams)

_FIELDS: dict[str, Callable[[Run], str]] = {
    "systems": lambda run: run.system.name,
    "arms": lambda run: run.arm_name,
    "budgets": lambda run: run.budget,
}
"""What tells the runs of a job apart: field of its parameters → its value of a run."""


@dataclass(frozen=True)
class Part(Generic[P]):
    """What one flow run does."""

    params: P
    task_runs: int
    parts: tuple[Part[P], ...] = ()
    """The flow runs that do it in its place; none: it does it itself."""


@dataclass(frozen=True)
class Tally:
    """Flow runs of one kind."""

    flow_run: str
    task_runs: int
    """Of each, at most, as long as no other process is at the same work."""
    runs: int = 1
    """How many such flow runs there are."""

    def __str__(self) -> str:
        times = f"{self.runs:,} × " if self.runs > 1 else ""
        return f"{times}{self.flow_run}: at most {self.task_runs:,} task runs"


def construction(params: ConstructParams) -> list[Tally]:
    """Of ``construct``. What is to be spoken is known once it is planned; until then it is the
    most that it can be."""
    build = Build(open_root(params.root), params.config())
    gated = [Tally("gate", 3), Tally("publish", 1)]
    if build.config.text_only:
        return [Tally("construct", 3 + len(gated)), *gated]
    chunks = len(build.chunks) if build.has("allocations") else MOST_CHUNKS
    runs = min(params.speak_runs, chunks) if params.speak_on else 1
    spoken = Tally("speak", -(-chunks // max(runs, 1)), runs)
    return [Tally("construct", 4 + runs + len(gated)), spoken, *gated]


def evaluation(rows: ReleaseRows, params: EvaluateParams) -> list[Tally]:
    """Of ``evaluate``, as if nothing of it were there."""
    runs = params.job.runs(rows)
    models = [run for run in runs if not isinstance(run.system, Control)]
    found = _levels("evaluate", split("evaluate", params, runs, asking(params)))
    if not models:
        return found
    spread = _spread(params)
    shards = max(len(_shards(rows, params, run)) for run in models)
    return [*found, Tally("evaluate-run", -(-shards // spread), len(models) * spread)]


def readings(name: str, rows: ReleaseRows, params: EvaluateParams, readers: int) -> list[Tally]:
    """Of ``judge`` or ``attribute``: a task for each run and whoever reads it."""
    return _levels(name, split(name, params, params.job.runs(rows), lambda run: readers))


def asking(params: EvaluateParams) -> Callable[[Run], int]:
    """How many task runs of ``evaluate`` a run is: one, or a flow run for each who shares it."""
    return lambda run: 1 if isinstance(run.system, Control) else _spread(params)


def split(name: str, params: P, runs: Sequence[Run], task_runs: Callable[[Run], int]) -> Part[P]:
    """A job that is one flow run; where that would have too many task runs, in parts that are flow
    runs of their own: by system, a system by arm, and that by budget.

    Args:
        name: Of the flow.
        runs: Of the job.
        task_runs: How many task runs each of them is.

    Raises:
        UsageError: One run has too many, or there are too many parts.
    """
    wanted = sum(map(task_runs, runs))
    if wanted <= MOST:
        return Part(params, wanted)
    for field, value in _FIELDS.items():
        apart: dict[str, list[Run]] = {}
        for run in runs:
            apart.setdefault(value(run), []).append(run)
        if 1 < len(apart) <= MOST:
            parts = [
                split(name, params.model_copy(update={field: [one]}), of_one, task_runs)
                for one, of_one in apart.items()
            ]
            return Part(params, len(parts), tuple(parts))
    raise UsageError(
        f"{wanted:,} task runs would be in one flow run, and {MOST} are the most",
        item=runs[0].name,
        stage=name,
        remedy="name fewer systems, judges or auditors at a time",
    )


def in_turn(flow: Callable[[P], Sequence[Any]], parts: Sequence[Part[P]]) -> list[Any]:
    """What a flow returns, run for one part after the other: each may spend what is left."""
    found: list[Any] = []
    left = parts[0].params.limit_usd
    for part in parts:
        came = flow(part.params.model_copy(update={"limit_usd": left}))
        found += came
        if left is not None:
            left = max(left - sum(map(_spent, came)), 1e-9)
    return found


def _levels(name: str, whole: Part[P]) -> list[Tally]:
    """The flow runs of a job: the one that is started, those that it starts, and so on."""
    found: list[Tally] = []
    level = [whole]
    while level:
        found.append(Tally(name, max(part.task_runs for part in level), len(level)))
        level = [inner for part in level for inner in part.parts]
    return found


def _spread(params: EvaluateParams) -> int:
    return params.spread if params.on_pools else 1


def _shards(rows: ReleaseRows, params: EvaluateParams, run: Run) -> list[tuple[int, int]]:
    wanted = set(params.job.questions(rows, run.budget))
    heard = [
        history.length.audio_seconds
        for history in rows.histories
        if history.budget == run.budget and history.question_id in wanted
    ]
    return cut(heard, entry_of(run.system.name))


def _spent(summary: Any) -> float:
    spent = summary["new_dollars"] if isinstance(summary, dict) else summary.new_dollars
    return float(spent)
