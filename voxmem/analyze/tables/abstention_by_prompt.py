"""Whether models abstain because they are asked to: the same with and without that sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.readings import abstained
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.resample import Shares, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Rate, Table, rate
from voxmem.analyze.tables.groups import counting_notes
from voxmem.analyze.tables.refusal_detection import abstention_notes
from voxmem.records import Record

ASKED_TO = {"audio": "no-abstention", "transcript": "transcript-no-abstention"}
"""An arm whose prompt asks to abstain where the evidence is lacking → the same without it."""


class AbstentionByPromptRow(Record):
    """One system at one budget, on the items that were judged under both prompts."""

    system: str
    arm: str
    """Which asks to abstain."""
    budget: str
    policy: Policy
    stratum: Literal["answerable", "refusal"]
    abstains_asked: Rate
    """With the sentence that asks to."""
    abstains_unasked: Rate
    change: Interval
    """The first less the second, paired."""


def make(study: Study) -> Table[AbstentionByPromptRow]:
    """Every system that was run with and without the sentence."""
    pairs = _pairs(study)
    notes = [*counting_notes(study), *abstention_notes(study)]
    if not pairs:
        notes.append("No system was run both with and without the sentence that asks to abstain.")
    return Table(
        name="abstention-by-prompt",
        title="Abstention with and without being asked to",
        model=AbstentionByPromptRow,
        rows=tuple(
            row
            for policy in POLICIES
            for asked, unasked in pairs
            for row in _rows(study, policy, asked, unasked)
        ),
        notes=tuple(notes),
    )


def _pairs(study: Study) -> list[tuple[int, int]]:
    """Places of the same system under an arm that asks to abstain and under its counterpart."""
    if study.readings is None:
        return []
    at = {(one.system, one.arm): place for place, one in enumerate(study.scores.entrants)}
    return [
        (place, at[system, ASKED_TO[arm]])
        for (system, arm), place in at.items()
        if arm in ASKED_TO and (system, ASKED_TO[arm]) in at
    ]


def _rows(
    study: Study, policy: Policy, asked: int, unasked: int
) -> Iterator[AbstentionByPromptRow]:
    scores, counted = study.scores, study.scores.counted(policy)
    says = np.zeros_like(counted) if study.readings is None else abstained(study.readings)
    strata: dict[Literal["answerable", "refusal"], Bools] = {
        "answerable": scores.where(stratum="answerable"),
        "refusal": scores.where(stratum="refusal"),
    }
    for at, budget in enumerate(scores.budgets):
        both = counted[asked, at] & counted[unasked, at]
        for stratum, mask in strata.items():
            first, second = says[asked, at], says[unasked, at]
            here, all_of_them = both & mask, scores.asked[at] & mask
            yield AbstentionByPromptRow(
                system=scores.entrants[asked].system,
                arm=scores.entrants[asked].arm,
                budget=budget,
                policy=policy,
                stratum=stratum,
                abstains_asked=rate(first, here, all_of_them),
                abstains_unasked=rate(second, here, all_of_them),
                change=resampler(study).difference(Shares(first, here), Shares(second, here)),
            )
