"""Which replies abstain, also where they should not have: marks alone do not say it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from voxmem.analyze.scores import Bools, Scores
from voxmem.judge.refusal import Kind, read_reply
from voxmem.records import Response

ABSTAINS: tuple[Kind, ...] = ("evidence_refusal", "bare_unknown")
"""The readings that abstain: for lack of evidence, or without a ground. A refusal by capability or
policy says nothing of the evidence, and one that guesses all the same is an answer."""


def abstentions(scores: Scores, responses: Iterable[Response]) -> Bools:
    """``bool [entrants, budgets, questions]``: the replies of a cube that abstain.

    Args:
        scores: The cube; of several responses to one item the first counts, as there.
        responses: Those that it was made of; a reply that failed does not abstain.
    """
    entrants = {(one.system, one.arm): at for at, one in enumerate(scores.entrants)}
    budgets = {name: at for at, name in enumerate(scores.budgets)}
    questions = {one.question_id: at for at, one in enumerate(scores.questions)}
    found = np.zeros(scores.marks.shape, dtype=bool)
    seen = np.zeros(scores.marks.shape, dtype=bool)
    for row in responses:
        who = entrants.get((row.system, row.arm))
        length, what = budgets.get(row.budget), questions.get(row.question_id)
        if who is None or length is None or what is None or seen[who, length, what]:
            continue
        seen[who, length, what] = True
        said = row.text if row.outcome in ("ok", "truncated") else None
        found[who, length, what] = said is not None and _abstains(said)
    return found


@lru_cache(maxsize=4096)
def _abstains(text: str) -> bool:
    return bool(text.strip()) and read_reply(text).kind in ABSTAINS
