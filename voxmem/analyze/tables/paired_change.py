"""From the shortest to the longest budget, on the same items (VoxMem, Table 18)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.resample import resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import ALL, counting_notes, evidence_groups, lacking_notes
from voxmem.analyze.tables.span import Span, span, span_notes
from voxmem.records import Record


class PairedChangeRow(Record):
    """What a longer history costs one model, or the models on average."""

    entrant: str
    """"all": the unweighted mean."""
    entrants: int
    """How many the numbers are of."""
    evidence: str
    policy: Policy
    shortest: str
    """A budget."""
    longest: str
    n: int
    """Questions that any of the entrants was judged on at both budgets."""
    before: float | None
    """Accuracy at the shortest budget."""
    after: float | None
    drop: Interval
    """Before less after."""
    retention: Interval
    """After over before."""


def make(study: Study, *, pairing: Pairing | None = None) -> Table[PairedChangeRow]:
    """The mean over the models by evidence type, then each model on everything.

    Args:
        study: What was judged.
        pairing: Which items count; the study's choice where it is ``None``.
    """
    pairing = pairing or study.choices.pairing
    spans = {policy: span(study, policy, pairing) for policy in POLICIES}
    rows = (
        row
        for policy, of in spans.items()
        if of is not None and not of.is_one_budget
        for row in _rows(study, policy, of)
    )
    return Table(
        name="paired-change",
        title="Paired change from the shortest to the longest history",
        model=PairedChangeRow,
        rows=tuple(rows),
        source="VoxMem, Table 18",
        notes=(
            *counting_notes(study, pairing),
            *span_notes(spans[study.choices.policy]),
            *lacking_notes(study.scores),
        ),
    )


def _rows(study: Study, policy: Policy, of: Span) -> Iterator[PairedChangeRow]:
    evidence = evidence_groups(of.scores)
    for name, where in evidence.items():
        yield _row(study, policy, of, None, name, where)
    for at in range(len(of.scores.entrants)):
        yield _row(study, policy, of, at, ALL, evidence[ALL])


def _row(
    study: Study, policy: Policy, of: Span, entrant: int | None, evidence: str, where: Bools
) -> PairedChangeRow:
    change = resampler(study).change(
        of.shares(of.shortest, where, entrant), of.shares(of.longest, where, entrant)
    )
    return PairedChangeRow(
        entrant=ALL if entrant is None else of.scores.entrants[entrant].name,
        entrants=of.pairs(where, entrant),
        evidence=evidence,
        policy=policy,
        shortest=of.budget(of.shortest),
        longest=of.budget(of.longest),
        n=of.n(where, entrant),
        before=change.short,
        after=change.long,
        drop=change.drop,
        retention=change.retention,
    )
