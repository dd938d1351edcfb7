"""Where wrong answers come from."""

from __future__ import annotations

from flows.job import job
from flows.params import AttributeParams
from tasks import evaluate as stage
from voxmem.analyze.attribution.runner import Attributed
from voxmem.progress import report


@job("attribute", "attribute-{params.release}")
def attribute(params: AttributeParams) -> list[Attributed]:
    """Has every auditor trace what the first judge found wrong, run by run."""
    rows = stage.release_rows(params.root, params.release)
    job, release = params.job, rows.release.release_id
    work = [(run, name) for run in job.runs(rows) for name in params.auditors]
    left = params.limit_usd
    found: list[Attributed] = []
    for done, (run, name) in enumerate(work, start=1):
        at = run.system.name, run.budget, run.arm_name
        found.append(stage.attribute(params.root, release, job, *at, params.judges[0], name, left))
        left = None if left is None else max(left - found[-1].new_dollars, 0.0)
        report("attribute", done, len(work))
    return found
