"""Filling the room that a history has left with whole sessions.

As many sessions are taken, in their order, as would fill the room if all were of mean length. Then
single ones are exchanged, or where that does not help added or left out, until the sum is right.
Taking sessions as long as they fit would be simpler, and would tell a filler by its length: what is
left of the room at the end suits short ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

STEPS = 8
"""Exchanges before a choice is taken as it is."""
LOOK = 64
"""Sessions looked at for an exchange: more make no difference."""


def fill(tokens: Sequence[int], least: int, most: int) -> list[int]:
    """Which of some sessions to take, by number, so that their sum is from ``least`` to ``most``.

    Where no choice is found that is, the sum of the one returned is below, never above.

    Args:
        tokens: The length of each session, in the order of taking.
    """
    if not tokens or most <= 0:
        return []
    typical = sum(tokens) / len(tokens)
    count = min(len(tokens), max(0, round((least + most) / 2 / typical)))
    taken = list(range(count))
    held = sum(tokens[:count])
    for _ in range(STEPS):
        if least <= held <= most:
            break
        held, taken = _changed(taken, held, tokens, least, most)
    while held > most:
        held -= tokens[taken.pop()]
    return sorted(taken)


def _changed(
    taken: list[int], held: int, tokens: Sequence[int], least: int, most: int
) -> tuple[int, list[int]]:
    """The first change that ends within the bounds; if none does, the one that comes nearest."""
    nearest = (_outside(held, least, most), held, taken)
    for gone, new in _changes(taken, tokens):
        total = held + (tokens[new] if new is not None else 0)
        total -= tokens[gone] if gone is not None else 0
        distance = _outside(total, least, most)
        if distance < nearest[0]:
            kept = [at for at in taken if at != gone]
            nearest = (distance, total, kept if new is None else [*kept, new])
            if not distance:
                break
    return nearest[1:]


def _outside(total: int, least: int, most: int) -> int:
    return max(least - total, total - most, 0)


def _changes(
    taken: Sequence[int], tokens: Sequence[int]
) -> Iterator[tuple[int | None, int | None]]:
    """What is given up and what is taken instead: exchanges first."""
    rest = sorted(set(range(len(tokens))) - set(taken))[:LOOK]
    for gone in reversed(taken):
        for new in rest:
            yield gone, new
    for new in rest:
        yield None, new
    for gone in reversed(taken):
        yield gone, None
