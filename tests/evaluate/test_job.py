"""Jobs: each run once, in the order of what was asked for."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job


def test_what_is_named_twice_is_run_once(rows: ReleaseRows) -> None:
    job = Job(systems=("abstain", "abstain"), budgets=("2K", "2K"), arms=("audio", "audio"))
    assert [run.name for run in job.runs(rows)] == ["abstain 2K"]


def test_every_combination_has_a_run(rows: ReleaseRows) -> None:
    job = Job(systems=("oracle", "abstain"), arms=("audio", "shuffled"))
    assert [run.name for run in job.runs(rows)] == [
        f"{system} {budget}{arm}"
        for system in ("oracle", "abstain")
        for arm in ("", " shuffled")
        for budget in ("2K", "4K")
    ]


def test_a_budget_that_a_subset_has_no_items_of_has_no_run(rows: ReleaseRows) -> None:
    item = rows.histories[0].item_id
    job = Job(systems=("abstain",), subset=(f"item:{item}",))
    assert [run.name for run in job.runs(rows)] == ["abstain 2K"]


def test_under_a_limit_every_first_part_is_a_stratified_sample(rows: ReleaseRows) -> None:
    job = Job(systems=("abstain",), limit_usd=1.0)
    order = job.questions(rows, "2K")
    assert sorted(order) == sorted(rows.asked)
    cells = [(rows.asked[name].operation, rows.asked[name].evidence_type) for name in order[:15]]
    assert len(set(cells)) == 15


def test_nothing_is_no_job() -> None:
    with pytest.raises(ValidationError):
        Job(systems=())


def test_a_prompt_folder_is_looked_for(rows: ReleaseRows) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        Job(systems=("abstain",), prompts="/nowhere").runs(rows)
