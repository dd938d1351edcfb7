"""Matrices of shares: every number in its place, its colour with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.analyze.figures import rows
from tests.analyze.figures.reading import drawn, table, words
from voxmem.analyze.figures import colours
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.registry import FIGURES
from voxmem.analyze.tables.accuracy_by_evidence import AccuracyRow, GroupMeanRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALUES = [at / 40 for at in range(15)]


def numbers(figure: Figure) -> dict[str, tuple[float, float, str]]:
    """What is written in cells → where, and the colour of the cell there."""
    found: dict[str, tuple[float, float, str]] = {}
    for axes in figure.axes:
        for text in axes.texts:
            x, y = text.get_position()
            cell = next(
                (one for one in axes.patches if one.contains_point(_seen(axes, x, y))), None
            )
            if cell is not None:
                found[text.get_text()] = (x, y, _hex(cell))
    return found


def _seen(axes: Any, x: float, y: float) -> Any:
    return axes.transData.transform((x, y))


def _hex(cell: Any) -> str:
    from matplotlib.colors import to_hex

    return to_hex(cell.get_facecolor())


def test_a_cell_has_its_number_its_count_and_its_colour() -> None:
    figure = drawn("operation-by-evidence", table("t", *rows.cells("8K", VALUES))).figure
    seen = numbers(figure)
    for at, value in enumerate(VALUES):
        # The scale ends at 40 %, the next full tenth.
        assert seen[f"{100 * value:.1f}"][2] == colours.heat(value / 0.4)
        assert f"n = {10 + at}" in seen
    # The first operation lacks speech semantics: its cells are columns 2 to 4 of row 1.
    (x0, y0, _), (x3, y3, _) = seen["0.0"], seen["7.5"]
    assert x0 > x3
    assert y0 < y3


def test_the_budget_that_most_models_got_through_is_shown() -> None:
    at = {"8K": 5, "16K": 5, "32K": 2}
    of = [row for budget, n in at.items() for row in rows.cells(budget, VALUES, n)]
    assert "16K, mean of 5 models" in words(drawn("operation-by-evidence", table("t", *of)).svg)


def test_panels_over_lengths_share_one_scale() -> None:
    low = [value / 2 for value in VALUES]
    of = table("t", *rows.cells("8K", VALUES), *rows.cells("64K", low))
    found = drawn("operation-by-evidence-over-lengths", of)
    assert numbers(found.figure)["17.5"][2] == colours.heat(0.175 / 0.4)
    assert {"8K, mean of 3 models", "64K, mean of 3 models"} <= set(words(found.svg))
    with pytest.raises(NothingToDraw, match="one history length only, 8K"):
        drawn("operation-by-evidence-over-lengths", table("t", *rows.cells("8K", VALUES)))


def test_no_number_is_a_dash_and_no_model_is_no_figure() -> None:
    of = [None, *VALUES[1:]]
    said = words(drawn("operation-by-evidence", table("t", *rows.cells("8K", of))).svg)
    assert said.count("–") == 1
    with pytest.raises(NothingToDraw, match="no model has a full run"):
        drawn("operation-by-evidence", table("t", *rows.cells("8K", [None] * 15)))


def test_models_stand_in_their_groups_best_first_above_the_means() -> None:
    models = table(
        "m",
        rows.accuracy("weak", "8K", 100, group="proprietary"),
        rows.accuracy("strong", "8K", 300, group="proprietary"),
        rows.accuracy("strong", "64K", None, group="proprietary"),
        rows.accuracy("open", "8K", 200, group="omni-modal"),
        rows.accuracy("strange", "8K", 900, group="unheard-of"),
        rows.accuracy("never run", "8K", None, group="omni-modal"),
        rows.accuracy("strong", "8K", 999, group="proprietary", stratum="refusal"),
        rows.accuracy("strong", "8K", 998, group="proprietary", policy="code"),
    )
    found = drawn(
        "accuracy-by-evidence", models, table("g", rows.mean("proprietary", "8K", 0.2, 2))
    )
    said = words(found.svg)
    names = ["Proprietary", "strong", "weak", "Omni-modal", "open", "Unheard of", "strange"]
    order = [*names, "Means of full runs", "Proprietary"]
    assert [each for each in said if each in order] == order
    assert {"30.0", "10.0", "20.0", "90.0"} <= set(said)
    assert not {"99.9", "99.8", "never run"} & set(said)
    assert "strong: all items 30.0 at 8K, all items – at 64K" in found.description


def test_nobody_with_a_number_is_no_figure() -> None:
    empty = table("g", of=GroupMeanRow)
    for models in (table("m", of=AccuracyRow), table("m", rows.accuracy("a", "8K", None))):
        with pytest.raises(NothingToDraw, match="no entrant has a number"):
            drawn("accuracy-by-evidence", models, empty)


def test_where_the_evidence_is() -> None:
    of = [rows.position(budget, at / 5, at / 10) for budget in ("8K", "64K") for at in range(5)]
    found = drawn("positions", table("t", *of, rows.position("8K", 0.0, 0.99, "m")))
    seen = numbers(found.figure)
    assert seen["40.0"][2] == colours.heat(0.4 / 0.5)
    said = words(found.svg)
    assert {"0–20 %", "80–100 %", "n = 7", "n = 87", "8K", "64K"} <= set(said)
    assert "99.0" not in said
    with pytest.raises(NothingToDraw, match="not known where the evidence is"):
        drawn("positions", table("t", of=type(of[0])))
    with pytest.raises(NothingToDraw, match="no model has a number"):
        drawn("positions", table("t", rows.position("8K", 0.0, None)))


def test_the_policy_that_leads_is_shown_and_said() -> None:
    of = {
        "accuracy-by-evidence": table(
            "m",
            rows.accuracy("a", "8K", 400, policy="paper"),
            rows.accuracy("a", "8K", 571, policy="code"),
        ),
        "group-means": table("g", of=GroupMeanRow),
    }
    plot = FIGURES["accuracy-by-evidence"]
    paper, code = plot.on(of, "paper"), plot.on(of, "code")
    assert ("40.0" in words(paper.svg), "57.1" in words(paper.svg)) == (True, False)
    assert ("40.0" in words(code.svg), "57.1" in words(code.svg)) == (False, True)
    assert "count as wrong" in paper.description
    assert "are left out" in code.description
