"""The responses that two judges scored: what all tables of two judges are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.alignment import aligned
from voxmem.analyze.scores import COUNTED, Bools, Scores
from voxmem.analyze.study import Study


@dataclass(frozen=True)
class Twice:
    """Two judges at one budget under one policy; ``bool [entrants, questions]`` each."""

    a: Scores
    """Of the judge that leads."""
    b: Scores
    budget: str
    policy: Policy
    right_a: Bools
    right_b: Bools
    counted: Bools
    """By both."""


def judged_twice(study: Study) -> Iterator[Twice]:
    """The leading judge with each of the others, at every budget: the models on audio, or whoever
    was run on audio if there is no model."""
    for other in study.others:
        a, b = aligned(_shown(study.scores), other)
        for at, budget in enumerate(a.budgets):
            for policy in POLICIES:
                counted = a.counted(policy)[:, at] & b.counted(policy)[:, at]
                right_a, right_b = a.right[:, at] & counted, b.right[:, at] & counted
                yield Twice(a, b, budget, policy, right_a, right_b, counted)


def _shown(scores: Scores) -> Scores:
    return scores.models if scores.models.entrants else scores.protocol


def judge_notes(study: Study) -> tuple[str, ...]:
    """Which judges are compared, and over what."""
    if not study.others:
        return ("There is one judge only.",)
    who = "the models" if study.scores.models.entrants else "everybody (there is no model)"
    names = ", ".join(one.judge for one in study.others)
    notes = [f"{study.scores.judge} beside {names}: {who} on audio, responses that both scored."]
    for other in study.others:
        if not np.isin(other.marks, COUNTED["code"]).any():
            notes.append(f"{other.judge} has no verdict.")
    return tuple(notes)
