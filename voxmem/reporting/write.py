"""The report of what was gathered, unless the same one is there."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voxmem import score
from voxmem.analyze.attribution.kept import TABLE as AUDITS
from voxmem.analyze.audit.errors.records import HumanClass
from voxmem.analyze.audit.verdicts.records import VerdictAudit
from voxmem.analyze.editions import Edition, edition
from voxmem.analyze.table import Table
from voxmem.analyze.tables import prejudge
from voxmem.analyze.tables.dataset import dataset_tables
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import TABLE
from voxmem.judge import kept as verdicts
from voxmem.judge.flags import Flag, flags, gate_roles
from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.judge.names import PREJUDGED
from voxmem.judge.panel import PREFIX as PANEL
from voxmem.keys import short
from voxmem.quality.audit.records import ClipAudit
from voxmem.quality.labelling.records import Labels
from voxmem.reporting import history
from voxmem.reporting.gather import Gathered, gathered
from voxmem.reporting.history import EDITION, fingerprints
from voxmem.reporting.wanted import Wanted
from voxmem.store import files

LABELS = (VerdictAudit, HumanClass, ClipAudit)
"""What people say of responses and of clips."""
REVISION = 7
"""Raise it when the same rows lead to another report."""


def write_report(
    rows: ReleaseRows, job: Job, wanted: Wanted, out: Path, *, store: str | None = None
) -> Path:
    """Writes the report unless the same one is there. Returns its first page.

    Args:
        store: Where the root is, seen from the first page: clips are played from there. ``None``:
            the folder gets clips of its own.

    Raises:
        InputError: The judge that leads has seen nothing.
        UsageError: There is no such judge, or the folder holds another page.
        StoreError: The folder cannot be written.
    """
    from voxmem.analyze.audit.tables import people_tables
    from voxmem.analyze.report import write_report as write
    from voxmem.analyze.tables import all_tables

    stamp = out / ".report-key"
    content = content_key(rows, job, wanted)
    before = history.before(rows, content)
    key = _page_key(content, before).encode()
    page = out / "index.html"
    if files.is_file(page) and files.read_or_none(stamp) == key:
        return page
    with files.os_errors("write", out):
        stamp.unlink(missing_ok=True)
    with _uncollected():
        found = gathered(rows, job, wanted)
        people = people_tables(job.runs(rows), score.judge_of(job, wanted.judges[0]))
        tables = {
            **dataset_tables(rows),
            **all_tables(found.study),
            **{table.name: table for table in (*_prejudged(found), *people)},
        }
        board, policy = tables["leaderboard"].rows, wanted.choices.policy
        now = edition(content, board, policy, fingerprints(job.runs(rows)))
        written = write(
            rows,
            found.study,
            tables,
            found.scored,
            out,
            flags=[str(flag) for flag in _flags(rows, job, wanted, found.study.attributions)],
            estimates=list(found.estimates.items()),
            labels=[row for kind in LABELS for row in Labels(rows.root.tables, kind).rows()],
            store=store,
            now=now,
            before=before,
        )
    files.write_whole(out, out / EDITION, now.model_dump_json().encode(), durable=False)
    files.write_whole(out, stamp, key, durable=False)
    return written


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for garbage: millions of records stay to the end, and going through them
    again and again is a quarter of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _prejudged(found: Gathered) -> Iterator[Table[Any]]:
    """What rules would settle before a judge is paid, where a model was shown every reply."""
    asked = {
        judge: rows
        for judge, rows in found.scored.items()
        if any(row.verdict.rubric for row in rows)
        and not judge.startswith((PREJUDGED, PANEL, IMPORTED))
    }
    if asked:
        yield prejudge.make(asked)


def _flags(rows: ReleaseRows, job: Job, wanted: Wanted, auditors: Iterable[str]) -> list[Flag]:
    """Judges, auditors and gates that are no strangers to those evaluated."""
    roles = gate_roles(rows.release.versions)
    roles["judge"] = [*roles.get("judge", ()), *wanted.judges]
    roles["auditor"] = [*roles.get("auditor", ()), *auditors]
    return flags(roles, job.systems)


def report_key(rows: ReleaseRows, job: Job, wanted: Wanted) -> str:
    """Names a report: its content, and the edition that it says what is new since."""
    content = content_key(rows, job, wanted)
    return _page_key(content, history.before(rows, content))


def _page_key(content: str, before: Edition | None) -> str:
    return short("report", content, before)


def content_key(rows: ReleaseRows, job: Job, wanted: Wanted) -> str:
    """Names the content of a report: the release, the choices, and every row that it shows."""
    return short(
        "report", REVISION, rows.release.release_id, wanted, list(_shown(rows, job, wanted))
    )


def _shown(rows: ReleaseRows, job: Job, wanted: Wanted) -> Iterator[object]:
    judges = [score.judge_of(job, name) for name in wanted.judges]
    tables = rows.root.tables
    for audit in (AUDITS, *(kind.TABLE for kind in LABELS)):
        yield [(audit, part, tables.fingerprint(audit, part)) for part in tables.parts(audit)]
    for run in job.runs(rows):
        yield job.questions(rows, run.budget)
        parts = [(TABLE, run.part)]
        parts += [(verdicts.TABLE, verdicts.part_of(run, judge)) for judge in judges]
        yield [(*part, tables.fingerprint(*part)) for part in parts]
