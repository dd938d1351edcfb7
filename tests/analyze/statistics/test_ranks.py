"""Ranks, their intervals and ties."""

from __future__ import annotations

import numpy as np

from voxmem.analyze.statistics.ranks import order, rank_intervals
from voxmem.analyze.statistics.resample import Resampler, Shares


def test_entrants_whose_difference_holds_zero_are_tied() -> None:
    at = np.arange(200)
    right = np.column_stack([at < 20, at < 120, (at < 118) | (at >= 199), at < 121, at < 0])
    counted = np.ones((200, 5), dtype=bool)
    counted[:, 4] = False
    found = rank_intervals(Resampler(200, key=1), Shares(right, counted))
    assert [one.rank.value for one in found] == [4, 2, 3, 1, None]
    assert [one.printed for one in found] == ["4", "1–3", "1–3", "1–3", "–"]
    assert (found[0].rank.low, found[0].rank.high) == (4, 4)
    assert (found[2].rank.low, found[2].rank.high) == (1, 3)
    assert order(found) == (3, 1, 2, 0, 4)


def test_ties_need_not_be_groups() -> None:
    """The middle one is tied with both, and they are not with each other."""
    at = np.arange(100)
    right = np.column_stack([at < 60, at < 57, at < 54])
    found = rank_intervals(Resampler(100, key=2), Shares(right, np.ones((100, 3))))
    assert [one.printed for one in found] == ["1–2", "1–3", "2–3"]


def test_equals_share_a_rank_and_nobody_has_none() -> None:
    right = np.array([[1, 1, 0]] * 4 + [[0, 0, 0]] * 4)
    found = rank_intervals(Resampler(8, key=3), Shares(right, np.ones((8, 3))))
    assert [one.rank.value for one in found] == [1, 1, 3]
    assert rank_intervals(Resampler(8, key=3), Shares(np.ones((8, 0)), np.ones((8, 0)))) == ()
    alone = rank_intervals(Resampler(1, key=3), Shares([[1, 0]], [[1, 1]]))
    assert [one.printed for one in alone] == ["1–2", "1–2"]  # one item decides nothing
