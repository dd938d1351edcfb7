"""Two runs, item by item: what flipped, and who abstains where."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.analyze.comparison.both import A, B, Both
from voxmem.analyze.comparison.records import AbstentionRow, Flip
from voxmem.analyze.statistics.paired import mcnemar


def flips(both: Both) -> Iterator[Flip]:
    """The items that are right on one side alone, where the paper's policy counts both."""
    for at, budget in enumerate(both.budgets):
        right = both.scores.right[:, at]
        for place in np.flatnonzero(both.counted("paper")[at] & (right[A] != right[B])).tolist():
            question = both.questions[place]
            yield Flip(
                item_id=both.item_ids[question.question_id, budget],
                question_id=question.question_id,
                budget=budget,
                cell=f"{question.operation}/{question.evidence_type}",
                right="a" if right[A, place] else "b",
                a=both.word(A, at, place),
                b=both.word(B, at, place),
            )


def abstention(both: Both) -> Iterator[AbstentionRow]:
    """How often each abstains, where both replied."""
    every = np.ones_like(both.refused)
    strata = {"answerable": ~both.refused, "refusal": both.refused, "all": every}
    for at, budget in enumerate(both.budgets):
        for stratum, mask in strata.items():
            there = both.replied[:, at].all(axis=0) & mask
            a, b = both.abstained[:, at] & there
            a_only, b_only = int((a & ~b).sum()), int((b & ~a).sum())
            yield AbstentionRow(
                budget=budget,
                stratum=stratum,
                n=int(there.sum()),
                a=int(a.sum()),
                b=int(b.sum()),
                a_only=a_only,
                b_only=b_only,
                p_mcnemar=mcnemar(a_only, b_only) if there.any() else None,
            )
