"""Phrases are found as they sound."""

from __future__ import annotations

import pytest

from voxmem.memory.parse.search import Finder

FINDER = Finder(("checkers duel", "orchid repotting", "star", "car wash", "group presentation"))


def found(text, least=0.7):
    return [(one.phrase, one.start, one.end) for one in FINDER.find(text.split(), least)]


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("notes on the checkers do will go here", ("checkers duel", 3, 5)),
        ("a mind map for the orchid re potting", ("orchid repotting", 5, 8)),
        ("it is about the great presentation", ("group presentation", 4, 6)),
        ("the carwash is next", ("car wash", 1, 2)),
    ],
)
def test_slips_of_a_recogniser_are_forgiven(text, mention):
    assert mention in found(text)


def test_what_is_heard_exactly_scores_one_and_a_slip_costs_its_share():
    (exact,) = FINDER.find("the group presentation".split(), 0.7)
    (slip,) = FINDER.find("the grub presentation".split(), 0.7)
    assert exact.score == pytest.approx(1.0)
    assert 0.8 < slip.score < 0.98


def test_short_phrases_must_be_heard_exactly():
    assert found("a star on it") == [("star", 1, 2)]
    assert found("a stir on it") == []
    assert found("please start it") == []


def test_of_mentions_that_overlap_the_best_is_kept():
    finder = Finder(("second interview", "interview"))
    assert [one.phrase for one in finder.find("my second interview".split(), 0.7)] == [
        "second interview"
    ]


def test_nothing_is_found_in_nothing():
    assert FINDER.find([], 0.5) == []
    assert Finder(()).find(["star"], 0.5) == []
