"""Where wrong answers come from."""

from __future__ import annotations

from flows.boards import CostBoard
from flows.job import job
from flows.params import AttributeParams
from flows.tally import by_system
from tasks import evaluate as stage
from voxmem.analyze.attribution.runner import Attributed
from voxmem.progress import report


@job("attribute", "attribute-{params.release}")
def attribute(params: AttributeParams) -> list[Attributed]:
    """Has every auditor trace what the first judge found wrong, run by run."""
    rows = stage.release_rows(params.root, params.release)
    wanted, release = params.job, rows.release.release_id
    work = [(run, name) for run in wanted.runs(rows) for name in params.auditors]
    each = by_system(attribute, params, len(work))
    if each is not None:
        return each
    left = params.limit_usd
    found: list[Attributed] = []
    with CostBoard("attribute", release) as costs:
        for done, (run, name) in enumerate(work, start=1):
            at = run.system.name, run.budget, run.arm_name
            judged = params.root, release, wanted, *at, params.judges[0]
            found.append(stage.attribute(*judged, name, left))
            left = None if left is None else max(left - found[-1].new_dollars, 0.0)
            costs.add(run, found[-1])
            report("attribute", done, len(work))
    return found
