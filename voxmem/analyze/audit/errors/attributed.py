"""The wrong responses of some runs that commit to an answer, and what auditors found of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.attribution.audit import AuditRecord
from voxmem.analyze.attribution.kept import TABLE, attribution, committed, wrong
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.audit.answered import named
from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.judge.judges import Judge


@dataclass(frozen=True)
class Attributed:
    """Errors as people are shown them.

    Attributes:
        rows: The release.
        errors: In the order of runs and items.
        auditors: Auditor → response id → its class, auditors in ascending order.
    """

    rows: ReleaseRows
    errors: tuple[Scored, ...]
    auditors: Mapping[str, Mapping[str, Attribution]]


def attributed(runs: Sequence[Run], judge: Judge, auditors: Sequence[str] = ()) -> Attributed:
    """What runs got wrong, and all that auditors found of it in this root.

    Args:
        runs: At least one; those that are not judged are passed over.
        judge: Says what is wrong.
        auditors: By name, or by name and version; all that there are if none is named.

    Raises:
        InputError: Nothing is wrong that commits to an answer.
        UsageError: There is no record of an auditor that is named.
        CorruptTable: A part is damaged.
    """
    rows = runs[0].rows
    errors = errors_of(runs, judge)
    if not errors:
        raise InputError(
            f"there is no error to audit: the judge {judge.name} has found no response wrong that "
            "commits to an answer",
            item=rows.release.release_id,
            stage="audit",
            remedy="run voxmem evaluate and voxmem judge with the same --root, --release, --model, "
            "--budget and --arm first",
        )
    found = named(_attributions(rows, errors), auditors, "voxmem attribute --auditor")
    return Attributed(rows, errors, found)


def errors_of(runs: Iterable[Run], judge: Judge) -> tuple[Scored, ...]:
    """What a judge found wrong and commits to an answer."""
    return tuple(row for run in runs for row in committed(wrong(run, judge)))


def _attributions(rows: ReleaseRows, errors: Sequence[Scored]) -> dict[str, dict[str, Attribution]]:
    by_id = {row.response.response_id: row for row in errors}
    found: dict[str, dict[str, Attribution]] = {}
    for record in rows.root.tables.read(TABLE, AuditRecord):
        row = by_id.get(record.response_id)
        if row is not None:
            classed = attribution(row, record.auditor, record)
            found.setdefault(record.auditor, {})[record.response_id] = classed
    return dict(sorted(found.items()))
