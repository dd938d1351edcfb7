"""Tables, figures and the pages on which every item can be heard."""

from __future__ import annotations

from pathlib import Path

from flows.job import job
from flows.params import AnalyzeParams
from tasks import evaluate as stage
from voxmem.progress import report


@job("analyze", "analyze-{params.release}")
def analyze(params: AnalyzeParams) -> str:
    """Writes the report of a release. Returns its first page."""
    report("report", 0, 0)
    rows = stage.release_rows(params.root, params.release)
    out = params.out or str(Path(params.root, "report"))
    page = stage.report(params.root, rows.release.release_id, params.job, params.wanted, out)
    report("report", 1, 1)
    return page
