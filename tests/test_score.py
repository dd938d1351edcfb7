"""The evaluation road: systems, verdicts and the report, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_build import rows_of
from voxmem import reporting, score
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job, budgets
from voxmem.evaluate.runner import evaluate
from voxmem.judge import make_judge
from voxmem.store.release import load
from voxmem.store.root import open_root

EVERY = score.EMBEDDED
SYSTEMS = EVERY.systems
RULE = make_judge("rule")


def job(*systems: str) -> Job:
    return Job(systems=systems)


def opened(root: Path) -> ReleaseRows:
    return rows_of(root, load(open_root(root), "demo"))


def written(root: Path) -> dict[str, int]:
    return {
        str(path.relative_to(root)): path.stat().st_mtime_ns
        for path in root.rglob("*")
        if path.is_file()
    }


def test_budgets_are_in_ascending_order(finished_demo: Path) -> None:
    assert budgets(opened(finished_demo)) == ["2K", "4K"]


def test_controls_are_right_exactly_where_they_must_be(finished_demo: Path) -> None:
    rows = score.scored(opened(finished_demo), EVERY, "rule")
    assert len(rows) == 15 * 2 * len(SYSTEMS)
    for row in rows:
        refusal = row.question.gold is None
        semantic = row.question.evidence_type == "speech_semantics"
        expected = {
            "abstain": refusal,
            "oracle": True,
            "oracle-transcript": refusal or semantic,
        }.get(row.response.system)
        assert expected is None or (row.verdict.status == "correct") is expected


def test_a_second_time_computes_nothing(own_demo: Path) -> None:
    before, rows = written(own_demo), opened(own_demo)
    for run in job("oracle").runs(rows):
        assert [row.outcome for row in evaluate(run)] == ["ok"] * 15
        assert score.judge_responses(run, RULE).statuses == {"correct": 15}
    reporting.write_report(rows, EVERY, reporting.Wanted(), own_demo / "report")
    assert written(own_demo) == before


def test_scored_only_if_every_run_is_judged(own_demo: Path) -> None:
    rows = opened(own_demo)
    assert score.is_scored(rows, EVERY, "rule")
    run = job("oracle").runs(rows)[0]
    rows.root.tables.path("responses", run.part).unlink()
    assert not score.is_scored(rows, EVERY, "rule")
    assert score.is_scored(rows, job("abstain"), "rule")
    with pytest.raises(InputError, match=r"oracle 2K.*run voxmem evaluate"):
        score.scored(rows, EVERY, "rule")


def test_judging_needs_responses(own_demo: Path) -> None:
    rows = opened(own_demo)
    runs = job("chance").runs(rows)
    for run in runs:
        rows.root.tables.path("responses", run.part).unlink()
    with pytest.raises(InputError, match=r"chance 4K.*evaluate it first"):
        score.judge_responses(runs[1], RULE)


def test_unknown_names(own_demo: Path) -> None:
    rows = opened(own_demo)
    with pytest.raises(UsageError, match="nobody"):
        job("nobody").runs(rows)
    with pytest.raises(UsageError, match="nobody"):
        score.judge_of(job("oracle"), "nobody")
