"""Evaluating, judging and analysing as tasks: one task a system and budget."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from voxmem import score
from voxmem.evaluate.items import ReleaseRows
from voxmem.store.release import load
from voxmem.store.root import open_root


@lru_cache(maxsize=2)
def release_rows(root: str, release: str) -> ReleaseRows:
    """A release's tables, read once per process."""
    opened = open_root(root)
    return ReleaseRows(opened, load(opened, release))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="evaluate-{system}-{budget}")
def evaluate(root: str, release: str, system: str, budget: str) -> dict[str, int]:
    """Runs one system at one budget; returns how many responses had which outcome."""
    return score.evaluate_system(release_rows(root, release), system, budget)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="judge-{system}-{budget}")
def judge(root: str, release: str, system: str, budget: str, name: str) -> dict[str, int]:
    """Judges one system's responses at one budget; returns how many had which status."""
    return score.judge_system(release_rows(root, release), system, budget, name)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="report")
def report(root: str, release: str, systems: list[str], name: str, out: str) -> str:
    """Writes the report; returns its first page."""
    return str(score.write_report(release_rows(root, release), systems, name, Path(out)))
