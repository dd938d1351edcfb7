"""Answerable against refusal items (VoxMem, Table 16), and how little one says of the other."""

from __future__ import annotations

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.statistics.agreement import spearman
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate, Table
from voxmem.analyze.tables.groups import (
    Rates,
    counting_notes,
    full_runs,
    lacking_notes,
    partial_notes,
    stratum_groups,
)
from voxmem.records import Record


class StrataRow(Record):
    """One entrant on both strata; the pooled share is their mean, weighted by items."""

    entrant: str
    group: str
    budget: str
    policy: Policy
    answerable: Rate
    refusal: Rate
    overall: Rate


class StrataCorrelationRow(Record):
    """Whether those who answer well refuse well: Spearman's, over the full runs."""

    budget: str
    policy: Policy
    entrants: int
    spearman: float | None
    """``None``: fewer than three entrants, or all the same on one side."""
    p: float | None
    """Two-sided."""


def make(study: Study, *, pairing: Pairing = "separate") -> Table[StrataRow]:
    """Every entrant that was run on audio, controls too."""
    scores = study.scores.protocol
    rows = []
    for policy in POLICIES:
        rates = Rates(scores, denominators(scores, policy, pairing), stratum_groups(scores))
        rows += [
            StrataRow(
                entrant=who.name,
                group=who.group,
                budget=budget,
                policy=policy,
                answerable=rates.at(at, place, "answerable"),
                refusal=rates.at(at, place, "refusal"),
                overall=rates.at(at, place, "all"),
            )
            for at, who in enumerate(scores.entrants)
            for place, budget in enumerate(scores.budgets)
        ]
    return Table(
        name="answerable-vs-refusal",
        title="Accuracy on answerable and on answer-refusal items",
        model=StrataRow,
        rows=tuple(rows),
        source="VoxMem, Table 16",
        notes=(*counting_notes(study, pairing), *lacking_notes(scores)),
    )


def correlation(study: Study, *, pairing: Pairing = "separate") -> Table[StrataCorrelationRow]:
    """One row a budget and policy."""
    scores = study.scores.models
    rows = []
    for policy in POLICIES:
        rates = Rates(scores, denominators(scores, policy, pairing), stratum_groups(scores))
        for place, budget in enumerate(scores.budgets):
            full = full_runs(study, budget, policy)
            found = spearman(
                rates.values(full, place, "answerable"), rates.values(full, place, "refusal")
            )
            rows.append(
                StrataCorrelationRow(
                    budget=budget,
                    policy=policy,
                    entrants=found.n,
                    spearman=found.rho,
                    p=found.p,
                )
            )
    return Table(
        name="answerable-vs-refusal-correlation",
        title="Rank correlation of accuracy on answerable and on refusal items",
        model=StrataCorrelationRow,
        rows=tuple(rows),
        source="VoxMem, Appendix D.3",
        notes=(*counting_notes(study, pairing), *partial_notes(study), *lacking_notes(scores)),
    )
