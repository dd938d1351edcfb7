"""Questions and their evidence, before a word is written."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import is_done, write_counts
from voxmem.construct.workers import candidate_source
from voxmem.parallel import Mapper, serial
from voxmem.plan.candidates import PlanRejection
from voxmem.plan.planner import plan_benchmark
from voxmem.progress import report
from voxmem.records import Plan


def plan(build: Build, mapper: Mapper = serial) -> int:
    """Draws, validates and selects the plans. Returns how many there are."""
    if is_done(build, "plan", "plans", "plan_rejections"):
        return len(build.plans)

    def say(done: int, total: int) -> None:
        report("plan", done, total)

    with candidate_source(build, say) as source:
        planned = plan_benchmark(build.config, source, mapper=mapper, progress=say)
    tables = build.root.tables
    tables.write("plan_rejections", build.id, planned.rejections, PlanRejection)
    rejected = {f"rejected: {reason}": count for reason, count in planned.reasons.items()}
    left_out = {"forms left out by the palette": len(planned.left_out)}
    write_counts(build, "plan", {"candidates": planned.candidates, **left_out, **rejected})
    tables.write("plans", build.id, planned.plans, Plan)
    return len(planned.plans)
