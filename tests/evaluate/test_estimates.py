"""A run that was asked a part of its items says what it knows of the whole, and how surely."""

from __future__ import annotations

from voxmem import score
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import keep
from voxmem.evaluate.runner import evaluate, items_of
from voxmem.judge import make_judge


def judged(rows: ReleaseRows, job: Job) -> None:
    for run in job.runs(rows):
        evaluate(run, items_of(run, job.questions(rows, run.budget)))
        score.judge_responses(run, make_judge("rule"))


def test_a_drawn_subset_speaks_of_the_release(fresh: ReleaseRows) -> None:
    job = Job(systems=("abstain",), budgets=("2K",), subset=("stratified:20",))
    judged(fresh, job)
    [estimate] = score.estimates(fresh, job, "rule").values()
    refusals = sum(each.gold is None for each in fresh.asked.values()) / len(fresh.asked)
    assert estimate.value == refusals, "every stratum is all right or all wrong"
    assert (estimate.asked, estimate.population) == (20, 30)
    assert estimate.standard_error is not None
    assert 0.02 < estimate.standard_error < 0.15
    refused = {each.question_id for each in fresh.asked.values() if each.gold is None}
    right = len(refused & set(job.questions(fresh, "2K")))
    [found] = score.judged(fresh, job, ["rule"]) or ()
    assert found.statuses == {"correct": right, "incorrect": 20 - right}


def test_a_whole_run_is_no_estimate(fresh: ReleaseRows) -> None:
    job = Job(systems=("abstain",), budgets=("2K",))
    judged(fresh, job)
    assert score.estimates(fresh, job, "rule") == {}


def test_what_a_limit_paid_for_names_the_strata_it_lacks(fresh: ReleaseRows) -> None:
    job = Job(systems=("abstain",), budgets=("2K",), limit_usd=1.0)
    [run] = job.runs(fresh)
    items = items_of(run, job.questions(fresh, "2K"))
    rows = evaluate(run, items)
    fresh.root.tables.path("responses", run.part).unlink()
    keep(run, rows[:10])
    score.judge_responses(run, make_judge("rule"))
    [estimate] = score.estimates(fresh, job, "rule").values()
    assert (estimate.asked, estimate.population) == (10, 30)
    assert len(estimate.lacking) == 5, "ten of fifteen strata, one of each"
