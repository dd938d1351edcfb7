"""Where the evidence of every item is in its history."""

from __future__ import annotations

import math
from collections.abc import Iterable

from voxmem.records import History


def evidence_positions(histories: Iterable[History]) -> dict[tuple[str, str], float]:
    """(question id, budget) → the mean relative position of the evidence sessions, 0 to 1.

    Sessions are counted in order of time; the middle of the k-th of n is at (k - 1/2) / n, so that
    a history of one session has it at 1/2. Items whose history holds no evidence, such as refusal
    items whose evidence was removed, are left out.
    """
    found = {}
    for history in histories:
        count = len(history.placements)
        places = [
            (at + 0.5) / count
            for at, place in enumerate(history.placements)
            if place.role == "evidence"
        ]
        if places:
            found[history.question_id, history.budget] = math.fsum(places) / len(places)
    return found
