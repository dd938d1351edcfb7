"""Refusal as detection: does a model tell what cannot be answered from what can?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.readings import abstained
from voxmem.analyze.refusal_pairs import refusal_pairs
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.detection import detection
from voxmem.analyze.statistics.resample import Resampler, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Rate, Table, rate
from voxmem.analyze.tables.groups import counting_notes
from voxmem.records import Record


class RefusalDetectionRow(Record):
    """One entrant at one budget."""

    entrant: str
    group: str
    """Of Table 12."""
    system: str
    arm: str
    budget: str
    policy: Policy
    hits: Rate
    """Abstains on items that cannot be answered."""
    false_alarms: Rate
    """Abstains on items that can be answered."""
    d_prime: Interval
    """0 for one that cannot tell them apart."""
    criterion: Interval
    """Above 0 for one that rather answers, below for one that rather abstains."""
    both_right: Rate
    """Answers the source rightly and refuses its pair: of pairs that were both judged."""


def make(study: Study) -> Table[RefusalDetectionRow]:
    """Every entrant under every arm, at every budget."""
    return Table(
        name="refusal-detection",
        title="Refusal as detection",
        model=RefusalDetectionRow,
        rows=tuple(row for policy in POLICIES for row in _rows(study, policy)),
        notes=(*counting_notes(study), *abstention_notes(study), *_notes(study)),
    )


def abstention_notes(study: Study) -> tuple[str, ...]:
    """What an abstention is, and what is lacking to see one."""
    if study.readings is None:
        return ("The replies were not read: who abstains, and where, is not known.",)
    return (
        "An abstention is a reply that says, as our own rules read it, that the evidence does not "
        "give an answer, or that it does not know one. One that names its own means or a policy, "
        "or guesses all the same, is none.",
    )


def _notes(study: Study) -> Iterator[str]:
    scores = study.scores
    if not refusal_pairs(scores.questions):
        yield "There are no refusal items beside their sources."
    for stratum in ("answerable", "refusal"):
        if not scores.where(stratum=stratum).any():
            yield f"There are no {stratum} items: there is no d′."
    yield (
        "d′ and criterion by the log-linear correction: two items, one of them abstained on, are "
        "added, shared out as the strata are."
    )


def _rows(study: Study, policy: Policy) -> Iterator[RefusalDetectionRow]:
    scores, counted = study.scores, study.scores.counted(policy)
    says = np.zeros_like(counted) if study.readings is None else abstained(study.readings)
    read = np.zeros_like(counted) if study.readings is None else counted
    refusal, answerable = scores.where(stratum="refusal"), scores.where(stratum="answerable")
    for at, budget in enumerate(scores.budgets):
        asked = scores.asked[at]
        found = sensitivity(resampler(study), says[:, at], read[:, at], refusal)
        pairs = _pairs(study, policy, at)
        for who, one in enumerate(scores.entrants):
            here = read[who, at]
            d_prime, criterion = found[who]
            yield RefusalDetectionRow(
                entrant=one.name,
                group=one.group,
                system=one.system,
                arm=one.arm,
                budget=budget,
                policy=policy,
                hits=rate(says[who, at], here & refusal, asked & refusal),
                false_alarms=rate(says[who, at], here & answerable, asked & answerable),
                d_prime=d_prime,
                criterion=criterion,
                both_right=pairs[who],
            )


def sensitivity(
    one: Resampler, says: Bools, read: Bools, refusal: Bools
) -> list[tuple[Interval, Interval]]:
    """d′ and criterion of each entrant.

    Args:
        one: Over the questions.
        says: ``bool [entrants, questions]``: who abstains.
        read: ``bool [entrants, questions]``: whose reply was read.
        refusal: ``bool [questions]``: what cannot be answered.
    """
    masks = (read & says & refusal, read & refusal, read & says & ~refusal, read & ~refusal)
    columns = np.concatenate(masks).T
    seen = detection(*np.split(columns.sum(axis=0), 4))
    drawn = detection(*np.split(one.sums(columns), 4, axis=1))
    return [
        (
            one.interval(seen.d_prime[who], drawn.d_prime[:, who]),
            one.interval(seen.criterion[who], drawn.criterion[:, who]),
        )
        for who in range(len(read))
    ]


def _pairs(study: Study, policy: Policy, budget: int) -> list[Rate]:
    """Each entrant's share of the pairs that it gets right at both ends."""
    scores, counted = study.scores, study.scores.counted(policy)[:, budget]
    pairs = np.array(refusal_pairs(scores.questions), dtype=np.intp).reshape(-1, 2)
    right, asked = scores.right[:, budget], scores.asked[budget]
    return [
        rate(*(mask[pairs].all(axis=1) for mask in (right[who], counted[who], asked)))
        for who in range(len(scores.entrants))
    ]
