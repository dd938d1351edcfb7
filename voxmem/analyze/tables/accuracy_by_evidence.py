"""Accuracy by evidence type (VoxMem, Figure 4 and Table 15): every model, and means."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.pairing import Pairing, denominators
from voxmem.analyze.study import Study
from voxmem.analyze.table import Mean, Rate, Table, mean
from voxmem.analyze.tables.groups import (
    MEAN_GROUPS,
    Rates,
    Stratum,
    belongs,
    counting_notes,
    evidence_groups,
    full_runs,
    lacking_notes,
    partial_notes,
    stratum_groups,
)
from voxmem.records import Record


class AccuracyRow(Record):
    """One entrant on one evidence type."""

    entrant: str
    group: str
    """Of Table 12."""
    budget: str
    policy: Policy
    stratum: Stratum
    evidence: str
    """An evidence type, or "all"."""
    accuracy: Rate


class GroupMeanRow(Record):
    """The unweighted mean of a group of models."""

    group: str
    """One of :data:`voxmem.analyze.tables.groups.MEAN_GROUPS`."""
    budget: str
    policy: Policy
    stratum: Stratum
    evidence: str
    accuracy: Mean


def make(study: Study, *, pairing: Pairing = "separate") -> Table[AccuracyRow]:
    """Every entrant that was run on audio, controls too."""
    scores = study.scores.protocol
    rows = (
        AccuracyRow(
            entrant=who.name,
            group=who.group,
            budget=budget,
            policy=policy,
            stratum=stratum,
            evidence=evidence,
            accuracy=rates.at(at, place, (stratum, evidence)),
        )
        for policy, rates in _rates(study, pairing, models=False)
        for at, who in enumerate(scores.entrants)
        for place, budget in enumerate(scores.budgets)
        for stratum in stratum_groups(scores)
        for evidence in evidence_groups(scores)
    )
    return Table(
        name="accuracy-by-evidence",
        title="Accuracy by evidence type",
        model=AccuracyRow,
        rows=tuple(rows),
        source="VoxMem, Figure 4 and Table 15",
        notes=(*counting_notes(study, pairing), *lacking_notes(scores)),
    )


def group_means(study: Study, *, pairing: Pairing = "separate") -> Table[GroupMeanRow]:
    """The mean of each group of models over its full runs; a group that nobody is in has none."""
    scores = study.scores.models
    rows = []
    there = [one for one in MEAN_GROUPS if any(belongs(who, one) for who in scores.entrants)]
    for policy, rates in _rates(study, pairing, models=True):
        for place, budget in enumerate(scores.budgets):
            full = full_runs(study, budget, policy)
            for group in there:
                members = [at for at in full if belongs(scores.entrants[at], group)]
                rows += [
                    GroupMeanRow(
                        group=group,
                        budget=budget,
                        policy=policy,
                        stratum=stratum,
                        evidence=evidence,
                        accuracy=mean(rates.values(members, place, (stratum, evidence))),
                    )
                    for stratum in stratum_groups(scores)
                    for evidence in evidence_groups(scores)
                ]
    return Table(
        name="group-means",
        title="Accuracy by evidence type, means over models",
        model=GroupMeanRow,
        rows=tuple(rows),
        source="VoxMem, Figure 4 and Table 15",
        notes=(
            "The number below a mean is how many full runs it is over.",
            *counting_notes(study, pairing),
            *partial_notes(study),
            *lacking_notes(scores),
            *_lacking(there),
        ),
    )


def _lacking(there: Collection[str]) -> tuple[str, ...]:
    groups = [one for one in MEAN_GROUPS if one not in there]
    return (f"Nobody is in these groups: {', '.join(groups)}.",) if groups else ()


def _rates(
    study: Study, pairing: Pairing, *, models: bool
) -> Iterator[tuple[Policy, Rates[tuple[Stratum, str]]]]:
    """Each policy's shares by stratum and evidence type."""
    scores = study.scores.models if models else study.scores.protocol
    groups = {
        (stratum, evidence): of_stratum & of_evidence
        for stratum, of_stratum in stratum_groups(scores).items()
        for evidence, of_evidence in evidence_groups(scores).items()
    }
    for policy in POLICIES:
        yield policy, Rates(scores, denominators(scores, policy, pairing), groups)
