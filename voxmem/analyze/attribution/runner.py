"""Audits the wrong responses of one run, and says what came of it. Resumable like evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.attribution.audit import AuditRecord
from voxmem.analyze.attribution.auditors import Auditor, Finder
from voxmem.analyze.attribution.kept import (
    ALL_EVIDENCE,
    attributions,
    committed,
    keep,
    kept,
    part_of,
    wrong,
)
from voxmem.analyze.attribution.model import ModelAuditor
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.calls import Calls, Wanted
from voxmem.evaluate.quote.most import most_dollars
from voxmem.evaluate.run import Run
from voxmem.evaluate.runner import items_of
from voxmem.evaluate.spending import Spending
from voxmem.judge.judges import Judge
from voxmem.judge.kept import verdicts
from voxmem.models.catalogue import entry_of
from voxmem.models.item import Item
from voxmem.records import Call, Record, Usage
from voxmem.taxonomy import EvidenceType

LEDGER = "audit"
Heard = Callable[[int, int], None]
"""Called with how many responses were audited, and of how many."""


class Attributed(Record):
    """What came of attributing the errors of one run."""

    run: str
    auditor: str
    wrong: int
    excluded: dict[str, int]
    """Exclusion → responses."""
    classes: dict[str, int]
    """Error class → responses."""
    open: int
    """Responses that still wait for a record that can be read."""
    dollars: float
    """Of all records that are kept."""
    attempts: int = 0
    """Requests that were made for them."""
    input_tokens: int = 0
    output_tokens: int = 0
    new_dollars: float = 0.0
    """What was paid just now, also for replies that cannot be read; where there is a limit, with
    what is set aside where that is not known."""
    stopped: str | None = None
    """Why responses were left; ``None`` as long as none was."""

    def __str__(self) -> str:
        counted = {**self.classes, **{f"excluded: {name}": n for name, n in self.excluded.items()}}
        nothing = "nothing classed" if self.wrong else "nothing wrong"
        parts = [", ".join(f"{n} {name}" for name, n in sorted(counted.items())) or nothing]
        if self.dollars:
            parts.append(f"${self.dollars:.2f}")
        if self.open:
            parts.append(f"{self.open} of {self.wrong} not classed yet")
        if self.stopped:
            parts.append(f"stopped: {self.stopped}")
        return "; ".join(parts)


@dataclass(frozen=True)
class _End:
    """How an audit ended."""

    stopped: str | None = None
    spent: float = 0.0


def attribute(
    run: Run,
    judge: Judge,
    auditor: Auditor,
    evidence: Collection[EvidenceType] = ALL_EVIDENCE,
    *,
    limit_usd: float | None = None,
    heard: Heard | None = None,
) -> Attributed:
    """Audits what has no readable record yet.

    Whatever ends it, the records that came are kept, and the next call goes on from there.

    Args:
        run: Evaluated and judged.
        judge: Whose verdicts say what is wrong.
        auditor: See :func:`voxmem.analyze.attribution.auditors.make_auditor`.
        evidence: The evidence types of the population; the paper takes the audio-native three.
        limit_usd: What may be spent; ``None``: no limit.
        heard: For progress.

    Raises:
        InputError: The run is not judged.
        UsageError: The release was imported and the auditor needs annotations, the auditor's
            settings are wrong, another process is at it, or a limit is wanted and the price is not
            known.
    """
    if verdicts(run, judge) is None:
        raise InputError(
            "is not judged",
            item=run.name,
            stage="attribute",
            remedy=f"run voxmem judge --judge {judge.name} with the same --root first",
        )
    left = waiting(run, judge, auditor, evidence)
    end = _End()
    if left:
        whole = f"{run.name} by {auditor.name}"
        with run.rows.root.locked(part_of(run, auditor), item=whole, stage="attribute"):
            if isinstance(auditor, ModelAuditor):
                end = _by_model(run, auditor, left, limit_usd, heard)
            else:
                _by_rules(run, cast(Finder, auditor), left)
    came = standing(run, judge, auditor, evidence)
    return came.model_copy(update={"stopped": end.stopped, "new_dollars": end.spent})


def waiting(
    run: Run,
    judge: Judge,
    auditor: Auditor,
    evidence: Collection[EvidenceType] = ALL_EVIDENCE,
) -> list[Scored]:
    """The wrong responses that have no readable record; those that never had one come first."""
    records = kept(run, auditor)
    left = [
        row
        for row in committed(wrong(run, judge, evidence))
        if (record := records.get(row.response.response_id)) is None or record.finding is None
    ]
    return sorted(left, key=lambda row: row.response.response_id in records)


def standing(
    run: Run,
    judge: Judge,
    auditor: Auditor,
    evidence: Collection[EvidenceType] = ALL_EVIDENCE,
) -> Attributed:
    """How far an auditor has come with a run. Nothing is asked."""
    rows = attributions(run, judge, auditor, evidence)
    records = list(kept(run, auditor).values())
    return Attributed(
        run=run.name,
        auditor=auditor.identity,
        wrong=len(rows),
        excluded=dict(Counter(row.excluded for row in rows if row.excluded)),
        classes=dict(Counter(row.error_class for row in rows if row.error_class)),
        open=sum(row.excluded is None and row.error_class is None for row in rows),
        dollars=_dollars(records),
        attempts=sum(each.call.attempts for each in records),
        input_tokens=sum(each.usage.input_tokens or 0 for each in records),
        output_tokens=sum(each.usage.output_tokens or 0 for each in records),
    )


def _dollars(records: Iterable[AuditRecord]) -> float:
    return sum(each.call.dollars or 0.0 for each in records)


def _by_rules(run: Run, auditor: Finder, left: Sequence[Scored]) -> None:
    if run.rows.is_imported:
        raise UsageError(
            "this release was imported: it carries no annotations",
            item=run.rows.release.release_id,
            stage="attribute",
            remedy="let a model audit it: --auditor MODEL",
        )
    items = _items(run, left)
    found = {
        row.response.response_id: AuditRecord(
            response_id=row.response.response_id,
            item_id=row.response.item_id,
            auditor=auditor.identity,
            finding=auditor.audit(items[row.response.item_id], row.response),
        )
        for row in left
    }
    keep(run, auditor, found)


def _by_model(
    run: Run,
    auditor: ModelAuditor,
    left: Sequence[Scored],
    limit: float | None,
    heard: Heard | None,
) -> _End:
    """Asks for each."""
    items = _items(run, left)
    found: dict[str, AuditRecord] = {}

    by_item = {row.response.item_id: row.response.response_id for row in left}

    def take(asked: Wanted[AuditRecord], record: AuditRecord) -> None:
        name = by_item[asked.name]
        found[name] = _adopted(record, name)
        if heard is not None:
            heard(len(found), len(left))

    ledger = run.rows.root.ledger(LEDGER)
    wanted = [_wanted(auditor, items[row.response.item_id], row) for row in left]
    spending = None if limit is None else _spending(auditor, items, left, limit)

    def end(stopped: str | None) -> _End:
        return _End(stopped, spending.spent if spending else _dollars(found.values()))

    try:
        with Calls(auditor.candidate, ledger, AuditRecord, _is_final, spending) as calls:
            # The first is asked alone: if that fails, so would the others, and none is sent.
            first, *_ = calls.rows(wanted[:1], take)
            if first is not None and first.reply is None and len(wanted) > 1:
                return end(f"the first call failed: {first.error}")
            calls.rows(wanted[1:], take)
        return end(calls.stopped)
    finally:
        keep(run, auditor, found)


def _adopted(record: AuditRecord, name: str) -> AuditRecord:
    """A record as that of a response. The ledger may have it from another system that gave the
    same answer: only the response that was paid for carries what it cost."""
    if record.response_id == name:
        return record
    call = Call(attempts=0, dollars=0.0, notes=("audited before: the same reply",))
    return record.model_copy(update={"response_id": name, "usage": Usage(), "call": call})


def _wanted(auditor: ModelAuditor, item: Item, row: Scored) -> Wanted[AuditRecord]:
    response = row.response
    return Wanted(
        key=auditor.key(item, response),
        name=response.item_id,
        tell=lambda: auditor.told(item, response),
        row=lambda told, reply: auditor.read(item, response, reply),
    )


def _spending(
    auditor: ModelAuditor, items: dict[str, Item], left: Sequence[Scored], limit: float
) -> Spending:
    entry = entry_of(auditor.candidate.name)
    told = {
        row.response.item_id: auditor.told(items[row.response.item_id], row.response)
        for row in left
    }
    most = {name: most_dollars(entry, each, stage="attribute") for name, each in told.items()}
    return Spending(limit, most)


def _is_final(record: AuditRecord) -> bool:
    return record.finding is not None


def _items(run: Run, left: Sequence[Scored]) -> dict[str, Item]:
    wanted = [row.question.question_id for row in left]
    return {item.item_id: item for item in items_of(run, wanted)}
