"""What it costs to allocate, fit and fully check histories of the paper preset, by their number.

    python benchmarks/histories.py [--root FOLDER] [--workers 2] [--counts 400 800 1600 3200]

Questions are planned and written once, with nothing spoken, and kept in the root if one is named:
that is not timed. Then, for every count, so many histories (four a question, refusal variants
among them) are allocated, fitted to all budgets by estimated length, and checked: every
consequence at every budget, roles, schedules, lengths, timestamps, nesting, reuse and positions.
Lengths are estimated anew each time. Ratios compare the wall time with that of the count before.
With one worker the seconds of CPU time are those of everything; of more workers, only of the
process that waits for them.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tasks.processes import close, mapper
from voxmem.build import Build
from voxmem.config import preset
from voxmem.construct import plan, write
from voxmem.history.allocate import allocate_all
from voxmem.history.assembly import Assembly
from voxmem.history.fit import fit_all
from voxmem.history.lengths import Lengths
from voxmem.parallel import Mapper
from voxmem.quality.families import check_families
from voxmem.quality.positions import check_positions
from voxmem.records import Check, History, Plan
from voxmem.store import open_root

T = TypeVar("T")


def families(plans: Sequence[Plan], count: int) -> list[Plan]:
    """``count`` plans, evenly spread: every question with its refusal variants."""
    groups: dict[str, list[Plan]] = {}
    for item in plans:
        name = item.question.source_question_id or item.question.question_id
        groups.setdefault(name, []).append(item)
    chosen: list[Plan] = []
    due = 0.0
    for group in groups.values():
        due += count * len(group) / len(plans)
        if len(chosen) + len(group) / 2 <= due:
            chosen += group
    return chosen[:count]


class Clock:
    """Wall seconds of named steps, and CPU seconds of all of them in this process."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self.cpu = 0.0

    def time(self, name: str, function: Callable[[], T]) -> T:
        start, cpu = time.perf_counter(), time.process_time()
        result = function()
        self.steps[name] = time.perf_counter() - start
        self.cpu += time.process_time() - cpu
        return result

    @property
    def total(self) -> float:
        return sum(self.steps.values())


def run(build: Build, plans: Sequence[Plan], spread: Mapper) -> tuple[Clock, int, list[Check]]:
    """Allocates, fits and checks; returns seconds, histories and all rows."""
    config, clock = build.config, Clock()
    lengths = Lengths(build.sessions)
    allocated = clock.time(
        "allocate",
        lambda: allocate_all(config, plans, build.sessions, build.fillers, lengths=lengths),
    )
    rows = {row.question_id: row for row in allocated.rows}
    fitted = clock.time("fit", lambda: fit_all(config, plans, rows, lengths))
    histories: dict[str, list[History]] = {}
    for item in fitted.histories:
        histories.setdefault(item.question_id, []).append(item)
    assembly = Assembly(config, plans, histories, build.sessions, lengths, fitted.notes)
    answerable = {item.question.question_id for item in plans if item.question.gold is not None}
    checks = clock.time("check", lambda: check_families(assembly, mapper=spread))
    checks += clock.time(
        "positions",
        lambda: check_positions(h for h in fitted.histories if h.question_id in answerable),
    )
    return clock, len(fitted.histories), checks


def report(build: Build, counts: Sequence[int], spread: Mapper) -> None:
    """One line a count."""
    budgets = len(build.config.budgets)
    before: tuple[int, float] | None = None
    for count in counts:
        plans = families(build.plans, count // budgets)
        clock, made, checks = run(build, plans, spread)
        steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in clock.steps.items())
        failed = [row for row in checks if not row.passed]
        line = f"{made:5} histories: {clock.total:5.1f} s ({steps}; CPU {clock.cpu:.1f})"
        if before is not None:
            line += f", {clock.total / before[1]:.2f} times as long for {made / before[0]:.2f}"
        print(f"{line}; {len(checks):,} checks, {len(failed)} fail", flush=True)
        for row in failed[:3]:
            print(f"      {row.subject}: {row.check}: {row.detail}")
        before = made, clock.total
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"peak memory {memory:.2f} GB in this process")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, help="where plans and dialogues are kept")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--counts", type=int, nargs="+", default=[400, 800, 1600, 3200])
    arguments = parser.parse_args()
    config = preset("paper").model_copy(update={"text_only": True})
    spread = mapper(arguments.workers)
    with tempfile.TemporaryDirectory() as folder:
        root = open_root(arguments.root or Path(folder))
        start = time.perf_counter()
        for stage in (plan, write):
            stage(Build(root, config), spread)
        build = Build(root, config)
        print(
            f"{len(build.plans)} plans and {len(build.sessions):,} sessions in "
            f"{time.perf_counter() - start:.0f} s",
            flush=True,
        )
        run(build, families(build.plans, 16), spread)  # imports, processes, tables
        report(build, arguments.counts, spread)
    close()


if __name__ == "__main__":
    main()
