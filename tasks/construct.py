"""The stages of construction as tasks. What is done is kept in the store, not by Prefect: a task
that runs again finds its part and returns. ``on`` is the address of a Dask scheduler, whose cluster
then does what ``workers`` processes of this machine do otherwise."""

from __future__ import annotations

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks import builds, dask, processes
from tasks.builds import build
from voxmem import construct
from voxmem.config import BuildConfig
from voxmem.turns import turn


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="plan")
def plan(root: str, config: BuildConfig, workers: int, on: str | None = None) -> int:
    """Questions and evidence, validated; returns the number of plans."""
    return construct.plan(build(root, config), dask.mapper(workers, on))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="write")
def write(root: str, config: BuildConfig, workers: int, on: str | None = None) -> int:
    """Dialogues, both sides; returns the number of sessions."""
    return construct.write(build(root, config), dask.mapper(workers, on))


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
def speak(
    root: str, config: BuildConfig, chunk: int, workers: int, patience: float = 0.0
) -> int | None:
    """Speaks and checks one chunk; returns the number of clips. ``None``: another process is at it.

    Args:
        patience: Seconds to wait for such a process.
    """
    opened = build(root, config)
    wanted = opened.chunks[chunk]
    with turn(opened.root, f"speak-{wanted.part}", patience) as mine:
        if not construct.is_spoken(opened, wanted):
            if not mine:
                return None
            processes.call(workers, builds.speak, root, config, wanted)
    return len(wanted.specs)


def spoken(root: str, config: BuildConfig, chunk: int) -> int:
    """The number of clips of a chunk that nothing is left to do for; 0 if something is. No task."""
    opened = build(root, config)
    wanted = opened.chunks[chunk]
    return len(wanted.specs) if construct.is_spoken(opened, wanted) else 0


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="fit")
def fit(root: str, config: BuildConfig) -> int:
    """Nested histories by measured length; returns their number."""
    return construct.fit_histories(build(root, config))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="gate families")
def gate_families(root: str, config: BuildConfig, workers: int, on: str | None = None) -> int:
    """Every consequence at every budget; returns the number of admitted questions."""
    return construct.gate_families(build(root, config), dask.mapper(workers, on))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="probe")
def probe(root: str, config: BuildConfig, workers: int, on: str | None = None) -> int:
    """Small classifiers try to cheat; returns their number."""
    return construct.probe(build(root, config), dask.mapper(workers, on))


@task(cache_policy=NO_CACHE, persist_result=False, task_run_name="publish")
def publish(root: str, config: BuildConfig) -> str:
    """Freezes the release; returns its id."""
    return construct.publish(build(root, config)).release_id
