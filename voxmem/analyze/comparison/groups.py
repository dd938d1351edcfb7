"""Two runs, group by group: paired differences with their intervals and tests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.comparison.both import A, B, Both
from voxmem.analyze.comparison.records import Grouping, GroupRow
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.paired import Paired, holm, paired
from voxmem.analyze.statistics.resample import Resampler
from voxmem.analyze.table import rate
from voxmem.records import AskedQuestion
from voxmem.taxonomy import CELLS, EvidenceType, Operation


class _Wanted(NamedTuple):
    """One row that is to be made."""

    policy: Policy
    budget: int
    grouping: Grouping
    group: str
    mask: Bools


def group_rows(both: Both, resamples: int, groupings: Collection[Grouping]) -> tuple[GroupRow, ...]:
    """A row a policy, budget and group that has items."""
    wanted = [
        _Wanted(policy, at, *group)
        for policy in POLICIES
        for at in range(len(both.budgets))
        for group in _groups(both.questions)
        if group[0] in groupings and (both.asked[at] & group[2]).any()
    ]
    if not wanted:
        return ()
    kept = [both.counted(one.policy)[one.budget] & one.mask for one in wanted]
    right = [both.scores.right[side, one.budget] for one in wanted for side in (A, B)]
    series = np.stack(right, axis=1), np.repeat(np.stack(kept, axis=1), 2, axis=1)
    over = Resampler(len(both.questions), key="comparison", resamples=resamples)
    found = paired(over, *series, [(2 * at, 2 * at + 1) for at in range(len(wanted))])
    adjusted = _adjusted([(one.policy, one.grouping) for one in wanted], found)
    return tuple(
        GroupRow(
            budget=both.budgets[one.budget],
            policy=one.policy,
            grouping=one.grouping,
            group=one.group,
            a=rate(both.scores.right[A, one.budget], there, both.asked[one.budget] & one.mask),
            b=rate(both.scores.right[B, one.budget], there, both.asked[one.budget] & one.mask),
            difference=each.difference,
            a_only=each.a_only,
            b_only=each.b_only,
            p_mcnemar=each.mcnemar,
            p_holm=p,
        )
        for one, there, each, p in zip(wanted, kept, found, adjusted, strict=True)
    )


def _adjusted(
    families: Sequence[tuple[Policy, Grouping]], found: Sequence[Paired]
) -> list[float | None]:
    """By Holm, each policy and grouping by itself."""
    adjusted: list[float | None] = [None] * len(found)
    for family in dict.fromkeys(families):
        members = [at for at, one in enumerate(families) if one == family]
        values = holm([found[at].mcnemar for at in members])
        for at, value in zip(members, values, strict=True):
            adjusted[at] = value
    return adjusted


def _groups(questions: Sequence[AskedQuestion]) -> Iterator[tuple[Grouping, str, Bools]]:
    """Grouping, group, and its questions: ``bool [questions]``."""
    refused = _mask(one.gold is None for one in questions)
    yield "all", "all", np.ones(len(questions), dtype=bool)
    yield "stratum", "answerable", ~refused
    yield "stratum", "refusal", refused
    evidence = {
        kind: _mask(one.evidence_type is kind for one in questions) for kind in EvidenceType
    }
    operation = {kind: _mask(one.operation is kind for one in questions) for kind in Operation}
    for kind, mask in evidence.items():
        yield "evidence", kind.value, mask
    for name, mask in operation.items():
        yield "operation", name.value, mask
    for cell in CELLS:
        mask = operation[cell.operation] & evidence[cell.evidence]
        yield "cell", f"{cell.operation}/{cell.evidence}", mask


def _mask(of: Iterator[bool]) -> Bools:
    return np.fromiter(of, dtype=bool)
