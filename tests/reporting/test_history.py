"""Editions of a report: kept for those that were scheduled, and compared with the one before."""

from __future__ import annotations

from pathlib import Path

from tests.test_score import job, opened
from voxmem import reporting, score
from voxmem.judge import kept as verdicts
from voxmem.reporting.history import history

WANTED = reporting.Wanted()


def written(root: Path, day: str | None, *systems: str) -> str:
    """The leaderboard of a report on some systems."""
    page = reporting.publish_report(opened(root), job(*systems), WANTED, day=day)
    return Path(page).with_name("leaderboard.html").read_text()


def test_a_scheduled_report_says_what_is_new_since_the_one_before(own_demo: Path) -> None:
    rows = opened(own_demo)
    first = written(own_demo, "2026-12-01", "oracle", "chance")
    assert "Since the report" not in first
    run = job("chance").runs(rows)[0]
    judge = score.judge_of(job("chance"), "rule")
    [one, *_] = [row for row in verdicts.kept(run, judge).values() if row.status == "incorrect"]
    verdicts.keep(run, judge, {one.response_id: one.model_copy(update={"status": "correct"})})
    second = written(own_demo, "2026-12-02", "oracle", "chance", "majority")
    said = "Since the report of 2026-12-01: new: majority (2K, 4K); other numbers: chance (2K)."
    assert said in second
    assert second.count("<mark>new</mark>") == 2
    assert "+6.7 points" in second, "one of 15"
    assert [one.day for one in history(rows)] == ["2026-12-01", "2026-12-02"]


def test_the_same_rows_are_the_same_page_and_one_edition(own_demo: Path) -> None:
    written(own_demo, "2026-12-01", "oracle")
    second = written(own_demo, "2026-12-02", "oracle", "chance")
    page = own_demo / "report/leaderboard.html"
    before = page.stat().st_mtime_ns
    assert written(own_demo, "2026-12-03", "oracle", "chance") == second
    assert page.stat().st_mtime_ns == before
    (own_demo / "report/.report-key").unlink()
    assert written(own_demo, "2026-12-03", "oracle", "chance") == second
    assert [one.day for one in history(opened(own_demo))] == ["2026-12-01", "2026-12-02"]


def test_a_report_by_hand_is_no_edition_and_is_made_anew_after_one(own_demo: Path) -> None:
    rows = opened(own_demo)
    written(own_demo, None, "oracle", "chance")
    assert history(rows) == ()
    by_hand = reporting.report_key(rows, job("oracle", "chance"), WANTED)
    written(own_demo, "2026-12-01", "oracle")
    assert reporting.report_key(rows, job("oracle", "chance"), WANTED) != by_hand
    assert "new: chance (2K, 4K)" in written(own_demo, None, "oracle", "chance")
    assert len(history(rows)) == 1
