"""What a report is made of, and when it is made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_score import EVERY, job, opened
from voxmem import reporting, score
from voxmem.analyze.study import Choices
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.evaluate.job import Job
from voxmem.evaluate.runner import evaluate
from voxmem.judge import kept as verdicts

WANTED = reporting.Wanted()


def test_a_report_is_written_again_only_for_other_verdicts(own_demo: Path) -> None:
    rows, out = opened(own_demo), own_demo / "report"
    page = reporting.write_report(rows, job("oracle"), WANTED, out)
    first = page.stat().st_mtime_ns
    assert page == out / "index.html"
    assert reporting.write_report(rows, job("oracle"), WANTED, out) == page
    assert page.stat().st_mtime_ns == first
    one, two = (reporting.report_key(rows, each, WANTED) for each in (job("oracle"), EVERY))
    assert one != two
    reporting.write_report(rows, EVERY, WANTED, out)
    assert (out / ".report-key").read_text() == two


def test_a_report_that_was_cut_short_is_written_again(own_demo: Path) -> None:
    rows, out = opened(own_demo), own_demo / "report"
    (out / ".report-key").unlink()
    (out / "data/items.js").unlink()
    reporting.write_report(rows, EVERY, WANTED, out)
    assert (out / "data/items.js").is_file()


def test_a_report_folder_that_is_a_file_is_one_clear_error(own_demo: Path) -> None:
    (own_demo / "file").write_text("in the way")
    with pytest.raises(StoreError, match="choose a folder"):
        reporting.write_report(opened(own_demo), EVERY, WANTED, own_demo / "file")


def test_other_rows_are_another_report(own_demo: Path) -> None:
    rows = opened(own_demo)
    before = reporting.report_key(rows, EVERY, WANTED)
    assert reporting.report_key(rows, EVERY, WANTED) == before
    run = job("oracle").runs(rows)[0]
    judge = score.judge_of(EVERY, "rule")
    part = rows.root.tables.path("verdicts", verdicts.part_of(run, judge))
    kept = verdicts.kept(run, judge)
    first = next(iter(kept.values()))
    changed = first.model_copy(update={"status": "incorrect", "detail": "on second thoughts"})
    verdicts.keep(run, judge, {first.response_id: changed})
    assert reporting.report_key(rows, EVERY, WANTED) != before
    part.unlink()
    assert reporting.report_key(rows, EVERY, WANTED) != before
    assert reporting.report_key(
        rows, EVERY, reporting.Wanted(choices=Choices(policy="code"))
    ) != reporting.report_key(rows, EVERY, WANTED)


def test_what_was_not_evaluated_or_judged_is_noted(own_demo: Path) -> None:
    rows = opened(own_demo)
    runs = job("oracle", "chance").runs(rows)
    rows.root.tables.path("responses", runs[0].part).unlink()
    judge = score.judge_of(EVERY, "rule")
    rows.root.tables.path("verdicts", verdicts.part_of(runs[2], judge)).unlink()
    found = reporting.gathered(rows, job("oracle", "chance"), WANTED)
    assert found.study.scores.notes == (
        "oracle 2K: not evaluated",
        "chance 2K: 15 responses not judged",
    )
    assert len(found.scored["rule-1"]) == 30
    with pytest.raises(InputError, match="no responses that rule has judged"):
        reporting.gathered(rows, Job(systems=("chance",), budgets=("2K",)), WANTED)
    with pytest.raises(UsageError, match="nobody"):
        reporting.gathered(rows, job("oracle"), reporting.Wanted(judges=("nobody",)))


def test_everything_is_what_left_responses(own_demo: Path) -> None:
    rows = opened(own_demo)
    evaluate(Job(systems=("oracle",), arms=("transcript",)).runs(rows)[0])
    found = reporting.everything(rows, job("oracle"), systems=True, arms=True)
    assert set(found.systems) == set(EVERY.systems)
    assert found.arms == ("audio", "transcript")
    found = reporting.everything(rows, job("oracle"), systems=False, arms=True)
    assert found.systems == ("oracle",)
