"""Compositions: each part as wide as its share, with a colour and a hatch of its own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from tests.analyze.figures import rows
from tests.analyze.figures.reading import drawn, table, words
from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.analyze.figures import arm_split, colours, error_profiles
from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.figures.missing import NothingToDraw


def widths(found: Drawn, panel: int) -> list[list[tuple[float, str]]]:
    """Of every bar of a panel: the width and the colour of each part."""
    axes = found.figure.axes[panel]
    bars: dict[float, list[tuple[float, str]]] = {}
    for patch in axes.patches:
        assert isinstance(patch, Rectangle)
        bar = bars.setdefault(round(patch.get_y(), 3), [])
        bar.append((patch.get_width(), to_hex(patch.get_facecolor())))
    return [bars[y] for y in sorted(bars)]


def test_an_error_profile_has_its_shares_in_the_colours_of_the_classes() -> None:
    of = table(
        "t",
        *rows.profile("one", "operation", "multi_session_reasoning", 0.5, 0.25, 0.0, 0.2, 0.05),
        *rows.profile("one", "evidence", "environmental", 0.1, 0.2, 0.3, 0.4, 0.0),
        *rows.profile("one", "subtype", "counting", *[0.2] * 5),
        *rows.profile("one", "subtype", "matching", *[None] * 5),
    )
    found = drawn("error-profiles", of)
    (bar,) = widths(found, 0)
    assert [share for share, _ in bar] == pytest.approx([0.5, 0.25, 0.2, 0.05])
    used = ("recognition", "binding", "unsupported", "not_attributable")
    assert [colour for _, colour in bar] == [colours.ERRORS[name].light for name in used]
    said = words(found.svg)
    assert {"50", "25", "20", "By operation", "By evidence type", "Environmental"} <= set(said)
    assert "20 errors, 3 cells" in said
    subtypes = drawn("error-profiles-by-subtype", of)
    assert len(widths(subtypes, 0)) == 1
    assert "–  20 errors, 0 cells" in words(subtypes.svg)
    assert "one, by subtype, Counting (20 errors, 3 cells): recognition 20.0" in (
        subtypes.description
    )


def test_two_auditors_are_told_apart() -> None:
    groups = [rows.profile(who, "operation", "all", *[0.2] * 5) for who in ("one", "two")]
    said = words(drawn("error-profiles", table("t", *groups[0], *groups[1])).svg)
    assert {"By operation, auditor one", "By operation, auditor two"} <= set(said)


@pytest.mark.parametrize("parts", [error_profiles.PARTS, arm_split.PARTS])
def test_neighbours_differ_by_more_than_their_colour(parts: tuple[arm_split.Part, ...]) -> None:
    assert len({(part.colour, part.hatch) for part in parts}) == len(parts)
    for left, right in pairwise(error_profiles.PARTS):
        assert left.hatch != right.hatch


def test_a_stage_that_is_a_class_has_its_colour() -> None:
    assert [part.colour for part in error_profiles.PARTS] == [
        colours.ERRORS[name] for name in ERROR_CLASSES
    ]
    shown = {part.name: part.colour for part in arm_split.PARTS}
    assert shown["Binding"] is colours.ERRORS["binding"]
    assert shown["Operation"] is colours.ERRORS["operation"]


def test_the_split_by_arms() -> None:
    of = table(
        "t",
        *rows.stages("b", "64K", "all", 4, 3, 0, 2, 1, 0),
        *rows.stages("b", "8K", "all", 0, 0, 0, 0, 0, 0),
        *rows.stages("a", "8K", "all", 0, 0, 0, 0, 0, 8),
    )
    found = drawn("arm-split", of)
    first, second = widths(found, 0)
    assert [share for share, _ in first] == [1.0]
    assert [share for share, _ in second] == pytest.approx([0.4, 0.3, 0.2, 0.1])
    said = words(found.svg)
    assert [each for each in said if each[:2] in ("a ", "b ")] == ["a 8K", "b 8K", "b 64K"]
    assert "–  0 answers" in said
    assert "Location or binding" not in said


@pytest.mark.parametrize(
    ("name", "of", "why"),
    [
        ("error-profiles", [], "no errors were attributed"),
        ("error-profiles", [None] * 5, "no cell has enough attributed errors"),
        ("arm-split", [0] * 6, "no wrong answer was asked again in another arm"),
    ],
)
def test_why_there_is_no_figure(name: str, of: list[None], why: str) -> None:
    if name == "arm-split":
        given = table("t", *rows.stages("b", "8K", "all", *[0] * 6))
    else:
        made = rows.profile("one", "operation", "all", *of) if of else ()
        given = table("t", *made, of=rows.ErrorProfileRow)
    with pytest.raises(NothingToDraw, match=why):
        drawn(name, given)
