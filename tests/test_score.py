"""The evaluation road: systems, verdicts and the report, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_build import rows_of
from voxmem import score
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.store.release import load
from voxmem.store.root import open_root

SYSTEMS = score.EMBEDDED_SYSTEMS


def opened(root: Path) -> ReleaseRows:
    return rows_of(root, load(open_root(root), "demo"))


def written(root: Path) -> dict[str, int]:
    return {
        str(path.relative_to(root)): path.stat().st_mtime_ns
        for path in root.rglob("*")
        if path.is_file()
    }


def test_budgets_are_in_ascending_order(finished_demo: Path) -> None:
    assert score.budgets(opened(finished_demo)) == ["2K", "4K"]


def test_controls_are_right_exactly_where_they_must_be(finished_demo: Path) -> None:
    rows = score.scored(opened(finished_demo), SYSTEMS, "rule")
    assert len(rows) == 15 * 2 * len(SYSTEMS)
    for row in rows:
        refusal = row.question.gold is None
        semantic = row.question.evidence_type == "speech_semantics"
        expected = {
            "abstain": refusal,
            "oracle": True,
            "oracle-transcript": refusal or semantic,
            "chance": None,
        }[row.response.system]
        assert expected is None or (row.verdict.status == "correct") is expected


def test_a_second_time_computes_nothing(own_demo: Path) -> None:
    before, rows = written(own_demo), opened(own_demo)
    for budget in score.budgets(rows):
        assert score.evaluate_system(rows, "oracle", budget) == {"ok": 15}
        assert score.judge_system(rows, "oracle", budget, "rule") == {"correct": 15}
    score.write_report(rows, SYSTEMS, "rule", own_demo / "report")
    assert written(own_demo) == before


def test_scored_only_if_every_run_is_judged(own_demo: Path) -> None:
    rows = opened(own_demo)
    assert score.is_scored(rows, SYSTEMS, "rule")
    run = score.runs(rows, ["oracle"])[0]
    rows.root.tables.path("responses", run.part).unlink()
    assert not score.is_scored(rows, SYSTEMS, "rule")
    assert score.is_scored(rows, ["abstain"], "rule")
    with pytest.raises(InputError, match=r"oracle at 2K.*run voxmem evaluate"):
        score.scored(rows, SYSTEMS, "rule")


def test_judging_needs_responses(own_demo: Path) -> None:
    rows = opened(own_demo)
    for run in score.runs(rows, ["chance"]):
        rows.root.tables.path("responses", run.part).unlink()
    with pytest.raises(InputError, match=r"chance at 4K.*evaluate it first"):
        score.judge_system(rows, "chance", "4K", "rule")


def test_a_report_is_written_again_only_for_other_verdicts(own_demo: Path) -> None:
    rows, out = opened(own_demo), own_demo / "report"
    page = score.write_report(rows, ["oracle"], "rule", out)
    first = page.stat().st_mtime_ns
    assert page == out / "index.html"
    assert score.write_report(rows, ["oracle"], "rule", out) == page
    assert page.stat().st_mtime_ns == first
    one, two = (score.report_key(rows, names, "rule") for names in (["oracle"], list(SYSTEMS)))
    assert one != two
    score.write_report(rows, SYSTEMS, "rule", out)
    assert (out / ".report-key").read_text() == two


def test_a_report_that_was_cut_short_is_written_again(own_demo: Path) -> None:
    rows, out = opened(own_demo), own_demo / "report"
    (out / ".report-key").unlink()
    (out / "data/items.js").unlink()
    score.write_report(rows, SYSTEMS, "rule", out)
    assert (out / "data/items.js").is_file()


def test_a_report_folder_that_is_a_file_is_one_clear_error(own_demo: Path) -> None:
    (own_demo / "file").write_text("in the way")
    with pytest.raises(StoreError, match="choose a folder"):
        score.write_report(opened(own_demo), SYSTEMS, "rule", own_demo / "file")


def test_unknown_names(own_demo: Path) -> None:
    rows = opened(own_demo)
    with pytest.raises(UsageError, match="nobody"):
        score.evaluate_system(rows, "nobody", "2K")
    with pytest.raises(UsageError, match="nobody"):
        score.judge_system(rows, "oracle", "2K", "nobody")
