"""Tables, figures and the pages on which every item can be heard."""

from __future__ import annotations

from flows.boards import link_report
from flows.job import job
from flows.params import AnalyzeParams
from tasks import evaluate as stage
from voxmem.progress import report


@job("analyze", "analyze-{params.release}")
def analyze(params: AnalyzeParams) -> str:
    """Writes the report of a release. Returns its first page."""
    report("report", 0, 0)
    rows = stage.release_rows(params.root, params.release)
    release = rows.release.release_id
    page = stage.report(params.root, release, params.job, params.wanted, params.out, params.day)
    report("report", 1, 1)
    link_report(page, release)
    return page
