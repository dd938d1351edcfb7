"""Which items a comparison over budgets rests on: the denominators of Appendix D, an argument.

- ``own``: the items that an entrant was judged on at every budget it was run at, so that the
  columns of its row are computed on the same items (Appendix D).
- ``shared``: one set for all entrants, the items that each of them was judged on at every budget
  (Figure 8).
- ``separate``: at each budget whatever was judged there (Figure 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from voxmem.analyze.accuracy import Policy

if TYPE_CHECKING:  # the command line reads the names of pairings, and needs no numbers
    from voxmem.analyze.scores import Bools, Scores

Pairing = Literal["own", "shared", "separate"]
PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)


def denominators(scores: Scores, policy: Policy, pairing: Pairing) -> Bools:
    """``bool [entrants, budgets, questions]``: what is counted.

    A budget that an entrant was not run at takes nothing away from its others.
    """
    counted = scores.counted(policy)
    if pairing == "separate" or not counted.size:
        return counted
    run = counted.any(axis=2, keepdims=True)
    own = (counted | ~run).all(axis=1, keepdims=True)
    kept = own if pairing == "own" else own.all(axis=0, keepdims=True)
    return counted & kept
