"""What a guess is worth, and when the gold in a blind reply is no luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from voxmem.records import Question
from voxmem.taxonomy import AnswerType

LUCK = 0.05
"""Where guessing succeeds more often than this, a guess that succeeds shows nothing."""


def chance_level(question: Question) -> float:
    """How often a guess from the question's answer space is the gold; 0 where it is open.

    Equal to that of a uniform draw: lists without repetition where that is possible, sets from all
    that are not empty.
    """
    space, options = question.space, len(question.space.options)
    match question.answer_type:
        case AnswerType.YES_NO:
            return 0.5
        case AnswerType.NUMBER:
            if space.low is None or space.high is None:
                return 0.0
            return 1 / (space.high - space.low + 1)
        case AnswerType.ORDERED_LIST:
            length = space.length or 1
            lists = math.perm(options, length) or options**length
            return 1 / lists if lists else 0.0
        case AnswerType.UNORDERED_SET:
            return 1 / (2**options - 1) if options else 0.0
        case _:
            return 1 / options if options else 0.0


@dataclass(frozen=True)
class Try:
    """One answer given without what should be needed for it."""

    hit: bool
    """Whether it is the gold."""
    claimed: bool
    """Whether the model says that it follows, rather than that it is a guess."""


def is_given_away(tries: Sequence[Try], chance: float) -> bool:
    """Whether blind tries show that the gold can be had.

    Most tries hit and say why; or all of them hit, where guessing would rarely do so. Tries of one
    model are one opinion held several times: that all agree with the gold has the probability
    ``chance``, not its power.
    """
    claimed = sum(each.hit and each.claimed for each in tries)
    return 2 * claimed > len(tries) or (chance <= LUCK and all(each.hit for each in tries))
