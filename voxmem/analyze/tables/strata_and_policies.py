"""What is in every denominator: both policies, both strata, and what became of the rest."""

from __future__ import annotations

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate, Table
from voxmem.analyze.tables.groups import (
    Rates,
    Stratum,
    counting_notes,
    lacking_notes,
    stratum_groups,
)
from voxmem.records import Record


class PolicyRow(Record):
    """One entrant at one budget under one policy. The marks add up to the items asked."""

    entrant: str
    arm: str
    budget: str
    policy: Policy
    stratum: Stratum
    accuracy: Rate
    coverage: float | None
    graded: int
    """Correct or incorrect, as a judge said."""
    failed: int
    unparsed: int
    judge_errors: int
    rejected: int
    out_of_set: int
    absent: int


def make(study: Study) -> Table[PolicyRow]:
    """Every entrant under every arm."""
    scores = study.scores
    strata = stratum_groups(scores)
    rates = {policy: Rates(scores, scores.counted(policy), strata) for policy in POLICIES}
    rows = []
    for at, who in enumerate(scores.entrants):
        for place, budget in enumerate(scores.budgets):
            for stratum, mask in strata.items():
                tally = np.bincount(scores.marks[at, place][mask], minlength=len(Mark))
                for policy in POLICIES:
                    found = rates[policy].at(at, place, stratum)
                    rows.append(
                        PolicyRow(
                            entrant=who.name,
                            arm=who.arm,
                            budget=budget,
                            policy=policy,
                            stratum=stratum,
                            accuracy=found,
                            coverage=found.coverage,
                            graded=int(tally[Mark.CORRECT] + tally[Mark.INCORRECT]),
                            failed=int(tally[Mark.FAILED]),
                            unparsed=int(tally[Mark.UNPARSED]),
                            judge_errors=int(tally[Mark.JUDGE_ERROR]),
                            rejected=int(tally[Mark.REJECTED]),
                            out_of_set=int(tally[Mark.OUT_OF_SET]),
                            absent=int(tally[Mark.ABSENT]),
                        )
                    )
    return Table(
        name="strata-and-policies",
        title="Every denominator: policies, strata, and what was not counted",
        model=PolicyRow,
        rows=tuple(rows),
        notes=(*counting_notes(study, "separate"), *scores.notes, *lacking_notes(scores)),
    )
