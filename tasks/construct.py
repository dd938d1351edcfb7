"""The stages of construction as tasks. What is done is kept in the store, not by Prefect: a task
that runs again finds its part and returns."""

from __future__ import annotations

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks import builds, processes
from tasks.builds import build
from voxmem import construct
from voxmem.config import BuildConfig


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="plan")
def plan(root: str, config: BuildConfig, workers: int) -> int:
    """Questions and evidence, validated; returns the number of plans."""
    return construct.plan(build(root, config), processes.mapper(workers))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="write")
def write(root: str, config: BuildConfig, workers: int) -> int:
    """Dialogues, both sides; returns the number of sessions."""
    return construct.write(build(root, config), processes.mapper(workers))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="allocate")
def allocate(root: str, config: BuildConfig) -> int:
    """Cast, order and timestamps of every history; returns their number."""
    return construct.allocate_histories(build(root, config))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="cut")
def cut(root: str, config: BuildConfig) -> int:
    """The number of chunks to speak; none of a text-only build."""
    return len(build(root, config).chunks)


@task(
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=1,
    retry_delay_seconds=2,
    task_run_name="speak-{chunk}",
)
def speak(root: str, config: BuildConfig, chunk: int, workers: int) -> int:
    """Speaks and checks one chunk; returns the number of clips."""
    opened = build(root, config)
    wanted = opened.chunks[chunk]
    if not construct.is_spoken(opened, wanted):
        processes.call(workers, builds.speak, root, config, wanted)
    return len(wanted.specs)


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="fit")
def fit(root: str, config: BuildConfig) -> int:
    """Nested histories by measured length; returns their number."""
    return construct.fit_histories(build(root, config))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="gate families")
def gate_families(root: str, config: BuildConfig, workers: int) -> int:
    """Every consequence at every budget; returns the number of admitted questions."""
    return construct.gate_families(build(root, config), processes.mapper(workers))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="probe")
def probe(root: str, config: BuildConfig, workers: int) -> int:
    """Small classifiers try to cheat; returns their number."""
    return construct.probe(build(root, config), processes.mapper(workers))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="publish")
def publish(root: str, config: BuildConfig) -> str:
    """Freezes the release; returns its id."""
    return construct.publish(build(root, config)).release_id
