"""Marks stand where their numbers are."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.analyze.figures import rows
from tests.analyze.figures.reading import drawn, table, words
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.lengths import dodge, place, spread
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.words import minus


def marks(axes: Any) -> list[tuple[list[float], list[float], str]]:
    """Every line with markers: x, y, marker."""
    return [
        (list(line.get_xdata()), list(line.get_ydata()), str(line.get_marker()))
        for line in axes.lines
        if line.get_marker() not in ("None", None)
    ]


def test_lines_over_length_are_log_scaled_with_their_intervals() -> None:
    of = table(
        "t",
        *(
            rows.scaling("speech_semantics", budget, value, value / 0.5)
            for budget, value in (("8K", 0.5), ("16K", 0.4), ("64K", 0.3))
        ),
        rows.scaling("all", "8K", 0.2, 1.0),
        rows.scaling("all", "64K", 0.3, 1.5),
    )
    found = drawn("scaling", of)
    left, right = found.figure.axes
    (x, y, first), (_, other, second) = marks(left)
    assert np.diff(x) == pytest.approx([1, 2])
    assert y == [0.5, 0.4, 0.3]
    assert other == [0.2, 0.3]
    assert first != second
    assert marks(right)[0][1] == pytest.approx([1, 0.8, 0.6])
    bars = [tuple(line.get_ydata()) for line in left.lines if line.get_marker() == "None"]
    assert bars[0] == pytest.approx((0.45, 0.55))
    said = words(found.svg)
    assert {"Speech semantics 30.0", "All items 30.0", "All items 150.0"} <= set(said)
    assert "Speech semantics at 16K: 40.0 (35.0 to 45.0), kept 80.0" in found.description


def test_labels_keep_apart_and_as_near_as_can_be() -> None:
    assert spread([0.5, 0.5], 0.1, 0, 1) == pytest.approx([0.45, 0.55])
    assert spread([0.2, 0.8], 0.1, 0, 1) == [0.2, 0.8]
    moved = spread([0.01, 0.02, 0.0], 0.1, 0, 1)
    assert min(moved) >= 0
    assert sorted(np.diff(sorted(moved))) == pytest.approx([0.1, 0.1])
    assert spread([], 0.1, 0, 1) == []


def test_places_are_doublings() -> None:
    assert place("64K") - place("8K") == 3
    assert [dodge(at, 2, 0.2) for at in (0, 1)] == pytest.approx([-0.05, 0.05])


def test_a_dumbbell_has_its_two_ends() -> None:
    found = drawn(
        "paired-change",
        table(
            "t", rows.change("all", "environmental", 0.2, 0.1), rows.change("m", "all", 0.4, 0.5)
        ),
    )
    (axes,) = found.figure.axes
    ends = [(x[0], y[0]) for x, y, _ in marks(axes)]
    # A free row parts means from models.
    assert ends == [(0.2, 0), (0.1, 0), (0.4, 2), (0.5, 2)]
    faces = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() == "o"]
    assert faces[:2] == [colours.evidence("environmental").light, colours.GROUND.light]
    assert {"10.0 [−1.0, 30.0]", "−10.0 [−1.0, 30.0]", "125.0"} <= set(words(found.svg))


def test_points_and_correlations_of_sensitivity() -> None:
    points = table(
        "p",
        rows.point("m", "speech_semantics", 500, 250),
        rows.point("m", "environmental", 100, 80),
        rows.point("z", "environmental", 0, 10),
    )
    found = drawn(
        "baseline-sensitivity",
        points,
        table(
            "c", rows.correlation("retention", 0.03, 0.84), rows.correlation("change", -0.77, 1e-9)
        ),
    )
    left, right = found.figure.axes
    assert [(x, y) for x, y, _ in marks(left)] == [([0.5], [0.5]), ([0.1], [0.8])]
    assert marks(right)[1][0] == [0.1, 0.0]
    assert marks(right)[1][1] == pytest.approx([-0.02, 0.01])
    assert "Spearman ρ = 0.03, p = 0.84, 40 points" in words(found.svg)
    assert "Spearman ρ = −0.77, p < 0.001, 40 points" in words(found.svg)
    lacking = table("c", rows.correlation("change", None, None))
    assert "Spearman ρ: –" in words(drawn("baseline-sensitivity", points, lacking).svg)


def test_the_forest_has_intervals_and_bands_of_ties() -> None:
    first, second = drawn("leaderboard", rows.leaderboard()).figure.axes
    assert [x[0] for x, _, _ in marks(first)] == [0.42, 0.4, 0.15, 0.99]
    whiskers = [list(one.get_xdata()) for one in first.lines if len(one.get_xdata()) == 2]
    assert whiskers[0] == pytest.approx([0.39, 0.46])
    (band,) = [one for one in first.patches if one.get_width() > 1]
    assert (band.get_y(), band.get_height()) == (-0.5, 2)
    assert [marker for _, _, marker in marks(first)] == ["o", "s", "v", "v"]
    assert [x[0] for x, _, _ in marks(second)] == [0.21]


def test_curves_run_through_their_ends_and_points_stand_on_their_budgets() -> None:
    fits = table(
        "d",
        rows.decay("linear", 0.5, 0.2, is_best=True, delta_aicc=0.0),
        rows.decay("knee", 0.4, 0.1, knee=16_000),
        rows.decay("linear", 0.9, 0.8, entrant="m"),
    )
    found = drawn("decay", fits, table("s", rows.scaling("all", "16K", 0.42, 0.9)))
    (axes,) = found.figure.axes
    best, knee = (line for line in axes.lines if len(line.get_xdata()) > 2)
    assert [best.get_ydata()[at] for at in (0, -1)] == pytest.approx([0.5, 0.2])
    # A third of the way in log L is a third of the way down.
    assert np.interp(place("16K"), best.get_xdata(), best.get_ydata()) == pytest.approx(0.4)
    assert np.interp(place("16K"), knee.get_xdata(), knee.get_ydata()) == pytest.approx(
        0.4, abs=0.01
    )
    assert best.get_linewidth() > knee.get_linewidth()
    assert axes.get_ylabel() == "Accuracy, %"
    assert "Best by AICc" in words(found.svg)
    assert found.svg.count("stroke-dasharray") == 2, "the knee and its sign in the legend"
    assert [(x, y) for x, y, _ in marks(axes)] == [([place("16K")], [0.42])]
    assert {"All items: linear", "−10.0 [−12.0, −8.0] points a doubling"} <= set(words(found.svg))
    with pytest.raises(NothingToDraw, match="three history lengths"):
        drawn("decay", table("d", fits.rows[2]), table("s", rows.scaling("all", "8K", 0.4, 1.0)))


def test_refusal_is_drawn_as_detection() -> None:
    found = drawn(
        "refusal-detection",
        table(
            "t",
            rows.detection("dull", "8K", 300, 300, 0.0),
            rows.detection("keen", "8K", 800, 100, 2.123),
            rows.detection("keen", "64K", 700, 100, None),
            rows.detection("keen (transcript)", "8K", 1000, 0, 9.0, arm="transcript"),
        ),
    )
    first, second = found.figure.axes
    assert marks(first)[0][:2] == ([0.3, 0.1], [0.3, 0.8])
    assert marks(second)[0][:2] == ([0.1], [0.7])
    even, one, *_ = (line for line in first.lines if len(line.get_xdata()) > 100)
    assert even.get_ydata() == pytest.approx(even.get_xdata())
    # d′ = 1: half the hits for 15.9 % false alarms.
    assert np.interp(0.158655, one.get_xdata(), one.get_ydata()) == pytest.approx(0.5, abs=2e-3)
    said = words(found.svg)
    assert {"1  keen", "2  dull", "2.12", "0.00", "–"} <= set(said)
    assert "keen (transcript)" not in found.description


def test_numbers_of_points_stand_apart() -> None:
    of = [rows.detection(f"m{at}", "8K", 500 + at, 200, 1.0 - at / 100) for at in range(8)]
    (axes,) = drawn("refusal-detection", table("t", *of)).figure.axes
    places = [one.get_position() for one in axes.texts if one.get_text().isdigit()]
    assert len(places) == 8
    gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(places, 2)]
    assert min(gaps) > 0.03


def test_points_on_one_place_have_one_sign() -> None:
    names, hits = [f"m{at}" for at in range(6)], [0, 0, 0, 500, 0, 500]
    of = [rows.detection(one, "8K", hit, 0, 0.0) for one, hit in zip(names, hits, strict=True)]
    (axes,) = drawn("refusal-detection", table("t", *of)).figure.axes
    assert {"1–3, 5", "4, 6"} <= {one.get_text() for one in axes.texts}


@pytest.mark.parametrize("name", ["scaling", "paired-change", "baseline-sensitivity"])
def test_what_needs_two_lengths_says_so(name: str) -> None:
    one = {
        "scaling": (table("t", rows.scaling("all", "8K", 0.2, 1.0)),),
        "paired-change": (table("t", of=type(rows.change("m", "all", 0.4, 0.5))),),
        "baseline-sensitivity": (
            table("p", of=type(rows.point("m", "all", 1, 1))),
            table("c", rows.correlation("change", None, None)),
        ),
    }
    with pytest.raises(NothingToDraw, match="history length"):
        drawn(name, *one[name])


@pytest.mark.parametrize(
    ("number", "shown"),
    [("-0.5", "−0.5"), ("-0.0", "0.0"), ("0.00", "0.00"), ("-10", "−10"), ("–", "–")],
)
def test_nothing_has_no_minus(number: str, shown: str) -> None:
    assert minus(number) == shown
