"""What every reply does, by its own words: marks do not say who abstained, nor why."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

import numpy as np

from voxmem.analyze.scores import Bools, Codes, Scores
from voxmem.judge.refusal import Kind, read_reply
from voxmem.records import Response

KINDS: tuple[Kind, ...] = get_args(Kind)
"""By their codes, from 1 on; 0 is no reply, or one that failed."""
ABSTAINS: tuple[Kind, ...] = ("evidence_refusal", "bare_unknown")
"""The readings that abstain: for lack of evidence, or without a ground. A refusal by capability or
policy says nothing of the evidence, and one that guesses all the same is an answer."""


def readings(scores: Scores, responses: Iterable[Response]) -> Codes:
    """``uint8 [entrants, budgets, questions]``: the codes of the replies of a cube.

    Args:
        scores: The cube; of several responses to one item the first counts, as there.
        responses: Those that it was made of.
    """
    entrants = {(one.system, one.arm): at for at, one in enumerate(scores.entrants)}
    budgets = {name: at for at, name in enumerate(scores.budgets)}
    questions = {one.question_id: at for at, one in enumerate(scores.questions)}
    found = np.zeros(scores.marks.shape, dtype=np.uint8)
    seen = np.zeros(scores.marks.shape, dtype=bool)
    for row in responses:
        who = entrants.get((row.system, row.arm))
        length, what = budgets.get(row.budget), questions.get(row.question_id)
        if who is None or length is None or what is None or seen[who, length, what]:
            continue
        seen[who, length, what] = True
        if row.text is not None and row.outcome in ("ok", "truncated"):
            found[who, length, what] = _code(row.text)
    return found


def read_as(codes: Codes, *kinds: Kind) -> Bools:
    """Which replies were read as one of some kinds."""
    return np.isin(codes, [_code_of(kind) for kind in kinds])


def abstained(codes: Codes) -> Bools:
    """Which replies abstain."""
    return read_as(codes, *ABSTAINS)


def _code_of(kind: Kind) -> int:
    return 1 + KINDS.index(kind)


@lru_cache(maxsize=1 << 16)
def _code(text: str) -> int:
    return _code_of(read_reply(text).kind if text.strip() else "empty")
