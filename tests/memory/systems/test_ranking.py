"""Retrieval: values worked out by hand, and what the rankings are for."""

from __future__ import annotations

import pytest

from voxmem.memory.systems.bm25 import bm25
from voxmem.memory.systems.dense import similarities
from voxmem.memory.systems.ranking import best, fused, kept_of


def test_bm25_is_what_its_formula_says() -> None:
    texts = [["a", "b"], ["a", "c"], ["d"]]

    # N = 3, mean length 5/3. "a": n = 2, ln 1.6 · 2.2 / 2.38; "d": n = 1, ln 8/3 · 2.2 / 1.84
    assert bm25(texts, ["a"]) == pytest.approx([0.434457, 0.434457, 0.0], abs=1e-6)
    assert bm25(texts, ["d", "d", "unheard"]) == pytest.approx([0.0, 0.0, 1.172731], abs=1e-6)


def test_bm25_counts_repeats_less_and_less_and_long_texts_for_less() -> None:
    once, twice, long, _ = bm25([["a", "x"], ["a", "a"], ["a", "x", "y", "z"], ["w"]], ["a"])

    assert long < once < twice < 2 * once


def test_no_text_and_no_words_match_nothing() -> None:
    assert bm25([], ["a"]) == []
    assert bm25([[], []], ["a"]) == [0.0, 0.0]
    assert similarities(["", " "], "a lamp") == [0.0, 0.0]


def test_dense_retrieval_meets_other_forms_of_a_word_and_misheard_names() -> None:
    texts = ["we charged the batteries", "I am painting the shelf", "it rained all day", ""]

    assert max(similarities(texts, "when was the battery charging?")) == pytest.approx(
        similarities(texts, "when was the battery charging?")[0]
    )
    assert similarities(texts, texts[1])[1] == pytest.approx(1.0)
    assert similarities(["the webb shop opening", "the toll pass"], "the webshop opening")[0] > 0.3
    assert similarities(texts, texts[1])[3] == 0.0


def test_fusion_adds_reciprocal_ranks_and_equal_scores_share_one() -> None:
    # ranks 1, 2, 3 and 2, 1, 2
    assert fused([3.0, 2.0, 1.0], [0.0, 5.0, 0.0]) == pytest.approx(
        [1 / 61 + 1 / 62, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62]
    )


def test_a_score_that_tells_nothing_changes_no_ranking() -> None:
    scores = [0.1, 0.9, 0.4]

    assert best(fused(scores, [0.0] * 3), 2) == best(scores, 2) == [1, 2]


def test_what_is_kept_is_in_order_of_time_and_of_equals_the_latest() -> None:
    assert best([0.0, 7.0, 0.0, 0.0, 9.0], 3) == [1, 3, 4]


@pytest.mark.parametrize(("sessions", "kept"), [(0, 0), (1, 1), (4, 4), (5, 5), (16, 8), (250, 32)])
def test_what_is_kept_grows_slower_than_the_history(sessions: int, kept: int) -> None:
    assert kept_of(sessions) == kept
