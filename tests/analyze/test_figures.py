"""Figures: well-formed, complete, and true to their numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from voxmem.analyze.accuracy import Accuracy
from voxmem.analyze.figures import Series, heat_map, key_mark, scaling_panel, standalone
from voxmem.analyze.figures.palette import MARKERS, SERIES, heat
from voxmem.taxonomy import CELLS, EvidenceType, Operation

SVG = "{http://www.w3.org/2000/svg}"


def share(correct: int, n: int, *group: str) -> Accuracy:
    return Accuracy(
        group=group, policy="paper", responses=n, n=n, correct=correct, failed=0, unparsed=0
    )


def texts(svg: str, kind: str) -> list[str]:
    found = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return [node.text or "" for node in found if kind in node.attrib["class"].split()]


def test_the_heat_map_shows_every_valid_cell() -> None:
    values = {cell: share(at, 20) for at, cell in enumerate(CELLS)}
    svg = heat_map(values, "A & B")
    assert texts(svg, "fig-value") == [f"{5 * at:.1f}" for at in range(15)]
    assert len(re.findall("fig-void", svg)) == 1
    root = ElementTree.fromstring(svg)
    assert root.findtext(f"{SVG}title") == "A & B"
    description = root.findtext(f"{SVG}desc") or ""
    assert "Answer refusal over environmental: 70.0 per cent of 20" in description


def test_cells_without_a_number_are_dashes() -> None:
    values = {CELLS[0]: share(0, 0)}
    svg = heat_map(values, "empty")
    assert texts(svg, "fig-value") == []
    assert texts(svg, "fig-muted") == ["–"] * 15
    assert len(re.findall("fig-void", svg)) == len(Operation) * len(EvidenceType)


def test_heat_runs_from_light_to_dark() -> None:
    light = [sum(bytes.fromhex(heat(at / 10)[1:])) for at in range(11)]
    assert light == sorted(light, reverse=True)
    assert len(set(light)) == 11


def points(svg: str) -> list[tuple[float, float]]:
    return [
        (float(node.attrib["cx"]), float(node.attrib["cy"]))
        for node in ElementTree.fromstring(svg).iter(f"{SVG}circle")
    ]


def test_a_line_is_log_scaled_and_goes_up_with_accuracy() -> None:
    line = Series("one", {"2K": share(0, 4), "4K": share(2, 4), "16K": share(4, 4)})
    (x0, y0), (x1, y1), (x2, y2) = points(scaling_panel([line], ["2K", "4K", "16K"], "title"))
    assert (x2 - x0) / (x1 - x0) == pytest.approx(3, rel=0.01)
    assert y0 > y1 > y2
    assert y0 - y1 == pytest.approx(y1 - y2)


def test_missing_points_leave_a_gap_and_no_zero() -> None:
    line = Series("one", {"2K": share(1, 4), "4K": share(0, 0)})
    svg = scaling_panel([line, Series("none", {})], ["2K", "4K", "8K"], "title")
    assert len(points(svg)) == 1
    assert "– at 4K" in svg


def test_one_budget_is_a_figure_too() -> None:
    svg = scaling_panel([Series("a", {"8K": share(1, 2)})], ["8K"], "title", {"8K": 0.25})
    assert len(points(svg)) == 1
    assert texts(svg, "fig-tick")[-1] == "8K"


def test_the_reference_stands_at_its_height() -> None:
    line = Series("same", {"2K": share(1, 4), "4K": share(1, 4)})
    svg = scaling_panel([line], ["2K", "4K"], "title", {"2K": 0.25, "4K": 0.25})
    path = re.search(r'd="(M[^"]*)" class="fig-reference"', svg)
    assert path is not None
    heights = {float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path[1])}
    assert heights == {round(y, 1) for _, y in points(svg)}


def test_names_are_text() -> None:
    line = Series("<b>&amp;", {"2K": share(1, 4)})
    ElementTree.fromstring(scaling_panel([line], ["2K"], "<script>"))


def test_series_differ_by_colour_or_shape() -> None:
    marks = [key_mark(at) for at in range(len(SERIES) * len(MARKERS))]
    assert len(set(marks)) == len(marks)


def test_a_standalone_figure_brings_its_style() -> None:
    root = ElementTree.fromstring(standalone(heat_map({}, "t")).split("\n", 1)[1])
    style = root.findtext(f"{SVG}style") or ""
    assert ".fig-heat" in style
    assert "prefers-color-scheme: dark" in style
