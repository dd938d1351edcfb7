"""The audits that are kept of a run, one part an auditor, and what follows from them.

An audit depends on a response and on no verdict: whichever judge finds a response wrong, it is
audited once. Classes are never kept: they are derived anew from the audits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from voxmem.analyze.accuracy import Scored, join
from voxmem.analyze.attribution.audit import AuditRecord
from voxmem.analyze.attribution.auditors import Auditor
from voxmem.analyze.attribution.exclusions import exclusion
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.attribution.rules import classify
from voxmem.analyze.scores import Mark, mark_of
from voxmem.evaluate.run import Run, responses
from voxmem.judge.judges import Judge
from voxmem.judge.kept import kept as verdicts
from voxmem.keys import short
from voxmem.store.tables import Tables
from voxmem.taxonomy import EvidenceType

TABLE = "audits"
ALL_EVIDENCE = tuple(EvidenceType)


def wrong(
    run: Run, judge: Judge, evidence: Collection[EvidenceType] = ALL_EVIDENCE
) -> list[Scored]:
    """The errors of a run: see :func:`errors`."""
    answered = responses(run) or []
    judged = verdicts(run, judge, answered).values()
    return errors(join(run.rows.asked, answered, judged), evidence)


def errors(
    scored: Iterable[Scored], evidence: Collection[EvidenceType] = ALL_EVIDENCE
) -> list[Scored]:
    """The attempts at answerable items that a judge found wrong, or at which generation failed.

    What a provider rejected or does not take was no attempt; what a judge could not read is not
    known to be wrong.
    """
    return [
        row
        for row in scored
        if row.question.gold is not None
        and row.question.evidence_type in evidence
        and mark_of(row) in (Mark.INCORRECT, Mark.FAILED)
    ]


def committed(rows: Collection[Scored]) -> list[Scored]:
    """Those that commit to an answer: what an auditor is shown."""
    return [row for row in rows if exclusion(row.question, row.response) is None]


def part_of(run: Run, auditor: Auditor) -> str:
    """The part that an auditor's records of a run are kept in."""
    return short(TABLE, run.part, auditor.name, auditor.version, digits=20)


def kept(run: Run, auditor: Auditor) -> dict[str, AuditRecord]:
    """Response id → record, as far as an auditor has come."""
    tables, part = run.rows.root.tables, part_of(run, auditor)
    if not tables.has(TABLE, part):
        return {}
    return {row.response_id: row for row in tables.read(TABLE, AuditRecord, [part])}


def keep(run: Run, auditor: Auditor, rows: Mapping[str, AuditRecord]) -> None:
    """Adds records to those that are kept, in the order of the responses; a later one replaces an
    earlier one.

    Raises:
        StoreError: The root cannot be written.
    """
    found = {**kept(run, auditor), **rows}
    order = [each.response_id for each in responses(run) or ()]
    listed = [found[name] for name in order if name in found]
    run.rows.root.tables.write(TABLE, part_of(run, auditor), listed, AuditRecord)


def attributions(
    run: Run,
    judge: Judge,
    auditor: Auditor,
    evidence: Collection[EvidenceType] = ALL_EVIDENCE,
) -> list[Attribution]:
    """One a wrong response, in the order of the responses: excluded, of a class, or not yet known.

    Without any audit, the exclusions are all that is known.
    """
    records = kept(run, auditor)
    return [
        attribution(row, auditor.identity, records.get(row.response.response_id))
        for row in wrong(run, judge, evidence)
    ]


def by_auditor(tables: Tables, scored: Iterable[Scored]) -> dict[str, tuple[Attribution, ...]]:
    """Auditor → one a wrong response of the runs that it has seen, auditors in ascending order.

    Args:
        tables: Where audits are kept.
        scored: Responses of any runs with one judge's verdicts.
    """
    rows = errors(scored)
    by_id = {row.response.response_id: row for row in rows}
    records: dict[str, dict[str, AuditRecord]] = {}
    for record in tables.read(TABLE, AuditRecord):
        if record.response_id in by_id:
            records.setdefault(record.auditor, {})[record.response_id] = record
    found = {}
    for auditor, kept_of in sorted(records.items()):
        seen = {_run_of(by_id[name]) for name in kept_of}
        found[auditor] = tuple(
            attribution(row, auditor, kept_of.get(row.response.response_id))
            for row in rows
            if _run_of(row) in seen
        )
    return found


def _run_of(row: Scored) -> tuple[str, str, str]:
    return row.response.system, row.response.budget, row.response.arm


def attribution(row: Scored, auditor: str, record: AuditRecord | None) -> Attribution:
    """What a record makes of one wrong response."""
    response = row.response
    excluded = exclusion(row.question, response)
    found = record.finding if record is not None and excluded is None else None
    rule = classify(found, row.question) if found is not None else None
    return Attribution(
        response_id=response.response_id,
        item_id=response.item_id,
        question_id=response.question_id,
        budget=response.budget,
        system=response.system,
        arm=response.arm,
        auditor=auditor,
        excluded=excluded,
        error_class=rule.error_class if rule else None,
        rule=rule.name if rule else "",
        source_session=found.source_session if found else None,
        quote=found.quote if found else "",
    )
