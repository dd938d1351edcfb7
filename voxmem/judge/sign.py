"""What a clause contributes to the reading of a reply."""

from __future__ import annotations


class Sign:
    """Plain bits, because they are combined often."""

    NONE = 0
    LACK = 1 << 0
    """The evidence does not suffice."""
    GAP = 1 << 1
    """Something was not stated, or was not found."""
    UNKNOWN = 1 << 2
    """There is no answer; no ground is given in this clause."""
    SUFFICES = 1 << 3
    """The evidence does suffice: a lack denied."""
    CAPABILITY = 1 << 4
    """The system speaks of what it can perceive or keep."""
    POLICY = 1 << 5
    """The system declines by will or by rule."""
    GUESS = 1 << 6
    """A hedged answer."""
    TALK = 1 << 7
    """Speaks about the conversation, the question or the speaker; answers nothing by itself."""
    POLARITY = 1 << 8
    """Opens with yes or no."""

    REFUSING = LACK | GAP | UNKNOWN | CAPABILITY | POLICY
    """Any way of giving no answer."""
