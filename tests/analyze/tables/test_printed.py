"""The paper's tables and prose from rows, to the printed digit.

The cube is of :mod:`tests.analyze.paper_cube`: one set of marks that has all of it at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.analyze.paper import BUDGETS, COMPLETE, EVIDENCE, MODELS, PAPER, shown
from tests.analyze.paper_cube import cube
from voxmem.analyze.labels import percent
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables import (
    accuracy_by_evidence,
    answerable_vs_refusal,
    baseline_sensitivity,
    leaderboard,
    operation_by_evidence,
    paired_change,
    refusal_by_source,
    scaling,
)

COLUMNS = (*EVIDENCE, "all")


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(cube(), Choices(resamples=2000))


def test_overall_of_all_models_at_all_budgets(study: Study) -> None:
    table = accuracy_by_evidence.make(study)
    for model, row in PAPER["overall"].items():
        for budget, wanted in zip(BUDGETS, row, strict=True):
            if wanted is not None:
                found = one(table, entrant=shown(model), budget=budget, evidence="all")
                assert percent(found.accuracy.value) == str(wanted)


def test_table_15_and_its_group_means(study: Study) -> None:
    table, means = accuracy_by_evidence.make(study), accuracy_by_evidence.group_means(study)
    for model in COMPLETE:
        found = [one(table, entrant=shown(model), budget="64K", evidence=e) for e in COLUMNS]
        assert [percent(row.accuracy.value) for row in found] == texts("table_15", model)
        assert [row.accuracy.n for row in found] == [232, 147, 264, 156, 799]
        assert sum(row.accuracy.correct for row in found[:4]) == found[4].accuracy.correct
    for group, name, n in (
        ("proprietary", "mean_proprietary_3", 3),
        ("open-weight", "mean_open_weight_7", 7),
        ("all", "mean_all_10", 10),
    ):
        rows = [one(means, group=group, budget="64K", evidence=e) for e in COLUMNS]
        assert [percent(row.accuracy.value) for row in rows] == texts("table_15", name)
        assert {row.accuracy.entrants for row in rows} == {n}
    split = [one(means, group=g, budget="64K", evidence="all") for g in GROUPS]
    assert [row.accuracy.entrants for row in split] == [4, 3]
    assert any("phi-4-multimodal" in note for note in means.notes)


GROUPS = ("audio-specialist", "omni-modal")


def test_the_means_of_section_4(study: Study) -> None:
    means = accuracy_by_evidence.group_means(study)
    for group, budgets in PAPER["section_4_prose"].items():
        for budget, row in budgets.items():
            for evidence, wanted in row.items():
                found = one(means, group=group, budget=budget, evidence=evidence)
                assert percent(found.accuracy.value) == str(wanted)
                assert found.accuracy.entrants == {"proprietary": 5, "open-weight": 10}[group]


def test_figure_5(study: Study) -> None:
    table = operation_by_evidence.make(study)
    for operation, row in PAPER["figure_5"].items():
        for evidence, wanted in row.items():
            found = one(table, budget="32K", operation=operation, evidence=evidence)
            assert percent(found.accuracy.value) == str(wanted)
            assert found.accuracy.entrants == 15
            assert found.n == PAPER["counts"]["cells"][operation][evidence]


def test_the_prose_of_figure_8(study: Study) -> None:
    table = operation_by_evidence.same_models(study)
    for budget, cells in PAPER["figure_8_prose"].items():
        for operation, row in cells.items():
            for evidence, wanted in row.items():
                found = one(table, budget=budget, operation=operation, evidence=evidence)
                assert percent(found.accuracy.value) == str(wanted)
                assert found.accuracy.entrants == 10


def test_table_16_its_correlation_and_what_it_is_the_parts_of(study: Study) -> None:
    table = answerable_vs_refusal.make(study)
    for model in COMPLETE:
        row = one(table, entrant=shown(model), budget="64K")
        assert (row.answerable.n, row.refusal.n) == (669, 130)
        values = [percent(row.answerable.value), percent(row.refusal.value)]
        assert values == texts("table_16", model)
        pooled = (669 * row.answerable.value + 130 * row.refusal.value) / 799
        assert row.overall.value == pytest.approx(pooled)
        assert percent(pooled) == str(PAPER["table_15"][model][-1])
    found = one(answerable_vs_refusal.correlation(study), budget="64K")
    assert (found.entrants, f"{found.spearman:.2f}") == (10, str(PAPER["spearman_d3"]))


def test_table_17(study: Study) -> None:
    table = refusal_by_source.make(study)
    columns = PAPER["table_17"]["columns"]
    for budget in BUDGETS:
        rows = [one(table, budget=budget, value=value) for value in columns]
        assert [percent(row.accuracy.value) for row in rows] == texts("table_17", budget)
        assert [row.n for row in rows] == PAPER["table_17"]["n"]
        assert {row.accuracy.entrants for row in rows} == {PAPER["table_17"]["models"][budget]}


def test_table_18(study: Study) -> None:
    table = paired_change.make(study)
    for evidence in COLUMNS:
        n, *wanted = PAPER["table_18_by_evidence"][evidence]
        row = one(table, entrant="all", evidence=evidence)
        assert (row.n, row.entrants, row.shortest, row.longest) == (n, 10, "8K", "64K")
        check_change(row, wanted, near=0.01)
    for model in COMPLETE:
        row = one(table, entrant=shown(model))
        check_change(row, PAPER["table_18_by_model"][model], near=0.005)
        assert bounds(row.drop)[0] > 0  # as the paper says of every interval
    assert len(table.rows) == 2 * (len(COLUMNS) + len(COMPLETE))


def check_change(row: Any, wanted: list[float], near: float) -> None:
    """Values to the digit. Intervals depend on items that are not published: those of the cube
    have as many discordant items a model as the paper's, and are as hard for all in part."""
    before, after, drop, low, high, retention, least, most = wanted
    assert (percent(row.before), percent(row.after)) == (str(before), str(after))
    assert percent(row.drop.value) == str(drop)
    assert f"{row.retention.value:.3f}" == f"{retention:.3f}"
    assert bounds(row.drop) == pytest.approx((low / 100, high / 100), abs=near)
    assert bounds(row.retention) == pytest.approx((least, most), abs=4 * near)


def test_the_curves_of_figure_6_are_those_of_table_18(study: Study) -> None:
    table = scaling.make(study)
    for evidence in COLUMNS:
        _, before, after, *_, retention, least, most = PAPER["table_18_by_evidence"][evidence]
        first, last = (one(table, evidence=evidence, budget=b) for b in ("8K", "64K"))
        assert percent(first.accuracy.value) == str(before)
        assert percent(last.accuracy.value) == str(after)
        assert bounds(first.retention) == (1, 1)
        assert f"{last.retention.value:.3f}" == f"{retention:.3f}"
        assert bounds(last.retention) == pytest.approx((least, most), abs=0.04)
    assert {row.entrants for row in table.rows} == {10}


def test_baseline_against_sensitivity_has_a_point_a_model_and_evidence_type(study: Study) -> None:
    """The items of its 40 points are not printed: the correlations are checked by hand."""
    points = [row for row in baseline_sensitivity.make(study).rows if row.policy == "paper"]
    assert len(points) == 40
    for point in points:
        assert point.retention == pytest.approx(point.after.correct / point.before.correct)
        assert point.change == pytest.approx(point.after.value - point.before.value)
    table = baseline_sensitivity.correlation(study)
    before = [point.before.value for point in points]
    for measure in ("retention", "change"):
        values = [getattr(point, measure) for point in points]
        by_hand = float(np.corrcoef(ranks(before), ranks(values))[0, 1])
        found = one(table, measure=measure)
        assert (found.points, found.spearman) == (40, pytest.approx(by_hand))
    assert one(table, measure="change").spearman < -0.5


def test_the_leaderboard_orders_and_ties(study: Study) -> None:
    table = leaderboard.make(study)
    at_64k = [row for row in table.rows if (row.budget, row.policy) == ("64K", "paper")]
    ranked = [row.entrant for row in at_64k if row.first is not None]
    assert ranked[:7] == [shown(name) for name in list(PAPER["table_15"])[:7]]
    assert sorted(ranked) == sorted(map(shown, COMPLETE))
    assert not any(row.is_full for row in at_64k if row.first is None)
    top = [row for row in table.rows if (row.budget, row.policy) == ("8K", "paper")][:3]
    assert {shown(name) for name in MODELS[:3]} == {row.entrant for row in top}
    assert all(row.first == 1 and row.last is not None and row.last >= 3 for row in top)
    assert any(str(PAPER["always_abstain"]) in note for note in table.notes)


def test_partial_runs_are_ranked_if_asked(study: Study) -> None:
    asked = Study(study.scores, Choices(resamples=200, partial=True))
    found = one(leaderboard.make(asked), entrant="phi-4-multimodal", budget="64K")
    assert (found.first, found.is_full) == (1, False)
    assert found.coverage == pytest.approx(100 / 799)


def one(table: Table[Any], **where: object) -> Any:
    """The row under the paper's policy; of the whole, if the table has strata."""
    where = {"policy": "paper"} | where
    rows = [
        row
        for row in table.rows
        if all(getattr(row, name) == value for name, value in where.items())
        and getattr(row, "stratum", "all") == "all"
    ]
    assert len(rows) == 1, f"{len(rows)} rows of {where}"
    return rows[0]


def texts(table: str, row: str) -> list[str]:
    return [str(value) for value in PAPER[table][row]]


def bounds(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def ranks(values: list[float]) -> list[float]:
    """Ranks with ties shared, by counting."""
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]
