"""Where answers fail, measured: which other way of telling an item makes a wrong answer right.

The arms take one difficulty away after the other. The first in this order that makes an answer
right says what was too hard:

- ``evidence-last``: the evidence stands next to the query. It was not *located* so far back.
- ``evidence-only``: nothing else is told. It was not told apart from what is like it: *binding*.
- ``transcript+cues``: voices, deliveries and sounds are written down. They were not *perceived*.
- none of them: what is to be done with the evidence failed, the *operation*.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.entrants import PROTOCOL, Entrant
from voxmem.analyze.scores import Bools, Codes, Mark, Scores
from voxmem.analyze.study import Study
from voxmem.analyze.table import Rate, Table
from voxmem.analyze.tables.groups import evidence_groups
from voxmem.records import Record

Stage = Literal[
    "location", "binding", "location_or_binding", "perception", "operation", "undetermined"
]
STAGES: tuple[Stage, ...] = get_args(Stage)
NEAR, ALONE, WRITTEN = "evidence-last", "evidence-only", "transcript+cues"
HELPS = (NEAR, ALONE, WRITTEN)


class ArmSplitRow(Record):
    """The share of one stage in the wrong answers of one entrant."""

    entrant: str
    budget: str
    policy: Policy
    evidence: str
    stage: Stage
    share: Rate
    """Of the wrong answers to answerable items of the protocol's arm."""


def make(study: Study) -> Table[ArmSplitRow]:
    """Every entrant that was run as the benchmark is defined, and in another arm."""
    scores = study.scores
    rows: list[ArmSplitRow] = []
    notes: list[str] = []
    for at, who in enumerate(scores.entrants):
        arms = _arms(scores, who)
        if who.arm != PROTOCOL or who.kind == "control" or not arms:
            continue
        missing = [name for name in HELPS if name not in arms]
        if missing:
            notes.append(f"{who.name} was not run with: {', '.join(missing)}.")
        for policy in POLICIES:
            rows += _rows(scores, at, arms, policy)
    if not rows:
        notes.append(f"No model was run on audio and with one of: {', '.join(HELPS)}.")
    return Table(
        name="arm-split",
        title="Where answers fail, by the arm that makes them right",
        model=ArmSplitRow,
        rows=tuple(rows),
        notes=(
            f"Judge: {scores.judge}.",
            f"The first of {', '.join(HELPS)} that makes a wrong answer right decides: location, "
            "binding, perception; none: operation, or several at once. Undetermined: an arm that "
            "could have decided has no verdict on the item.",
            *notes,
        ),
    )


def _arms(scores: Scores, who: Entrant) -> dict[str, int]:
    """Arm → the place of the same system with it."""
    return {
        one.arm: at
        for at, one in enumerate(scores.entrants)
        if one.system == who.system and one.arm in HELPS
    }


def _rows(scores: Scores, at: int, arms: dict[str, int], policy: Policy) -> list[ArmSplitRow]:
    answerable = scores.where(stratum="answerable")
    rows = []
    for place, budget in enumerate(scores.budgets):
        wrong = scores.counted(policy)[at, place] & ~scores.right[at, place] & answerable
        stages = _stages({arm: scores.marks[one, place] for arm, one in arms.items()}, wrong)
        for evidence, mask in evidence_groups(scores).items():
            n = int(np.count_nonzero(wrong & mask))
            rows += [
                ArmSplitRow(
                    entrant=scores.entrants[at].name,
                    budget=budget,
                    policy=policy,
                    evidence=evidence,
                    stage=stage,
                    share=Rate(correct=int(np.count_nonzero(found & mask)), n=n, expected=n),
                )
                for stage, found in stages.items()
            ]
    return rows


def _stages(marks: dict[str, Codes], wrong: Bools) -> dict[Stage, Bools]:
    """Stage → ``bool [questions]``: a partition of the wrong answers."""
    nothing = np.zeros_like(wrong)
    right = {arm: marks[arm] == Mark.CORRECT if arm in marks else nothing for arm in HELPS}
    known = {
        arm: np.isin(marks[arm], (Mark.CORRECT, Mark.INCORRECT)) if arm in marks else nothing
        for arm in HELPS
    }
    near, alone, written = (right[arm] for arm in HELPS)
    sure = known[NEAR]  # that it is not the distance alone
    found: dict[Stage, Bools] = {
        "location": near,
        "binding": ~near & alone & sure,
        "location_or_binding": ~near & alone & ~sure,
        "perception": ~near & ~alone & written & known[ALONE],
        "operation": ~near & ~alone & ~written & known[ALONE] & known[WRITTEN],
    }
    decided = np.logical_or.reduce(list(found.values()))
    return {stage: wrong & found.get(stage, ~decided) for stage in STAGES}
