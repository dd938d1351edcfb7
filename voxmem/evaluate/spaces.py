"""What a question may be answered: inside its answer space or not."""

from __future__ import annotations

from voxmem.records import AnswerSpace, Gold


def holds(space: AnswerSpace, gold: Gold) -> bool:
    """Whether an answer is in the space. What the space does not say, it does not forbid: an
    imported question has an empty one."""
    if isinstance(gold, tuple):
        offered = not space.options or set(gold) <= set(space.options)
        return offered and space.length in (None, len(gold))
    if space.options:
        return str(gold) in space.options
    if isinstance(gold, int):
        low, high = space.low, space.high
        return (low is None or low <= gold) and (high is None or gold <= high)
    return space.low is None and space.high is None


def is_unsaid(space: AnswerSpace) -> bool:
    """Whether nothing is known of the answers, as of an imported question."""
    return not space.options and space.low is None and space.high is None
