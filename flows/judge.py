"""Verdicts on what the systems said."""

from __future__ import annotations

from flows.job import job
from flows.params import JudgeParams
from flows.reading import read
from tasks import evaluate as stage
from voxmem.judge.runner import Judged


@job("judge", "judge-{params.label}")
def judge(params: JudgeParams) -> list[Judged]:
    """Has every judge judge the responses of every run, within the limit in dollars."""
    return read(judge, "judge", params, params.judges, stage.judge)
