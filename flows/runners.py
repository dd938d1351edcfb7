"""Who runs the tasks of a construction side by side: threads of this process, or a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.address import check_scheduler
from flows.params import ConstructParams
from tasks.dask import client
from voxmem.errors import EngineError, MissingExtra

ADDRESS = "VOXMEM_DASK_ADDRESS"
"""Environment variable with the address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``."""

P = TypeVar("P", bound=ConstructParams)


@contextmanager
def clustered(params: P) -> Iterator[P]:
    """The parameters with the address of the Dask scheduler, where Dask is wanted. One is started
    on this machine, for the block, where none is named.

    Raises:
        MissingExtra: Dask is not installed.
        UsageError: There is a login in the address.
        EngineError: No scheduler answers at the address.
    """
    if params.runner != "dask":
        yield params
        return
    _check_installed()
    address = params.dask_address or os.environ.get(ADDRESS)
    check_scheduler(address)
    if address:
        _check_reachable(address)
        yield params.model_copy(update={"dask_address": address})
        return
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=params.workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,  # a model that listens is not ended for its size
    ) as cluster:
        yield params.model_copy(update={"dask_address": cluster.scheduler_address})


def task_runner(params: ConstructParams) -> TaskRunner[Any]:
    """What submits the tasks of a flow, several at a time. With Dask, inside :func:`clustered`."""
    if params.runner != "dask":
        return ThreadPoolTaskRunner(max_workers=params.workers)
    from prefect_dask.task_runners import DaskTaskRunner

    return DaskTaskRunner(address=params.dask_address)


def _check_installed() -> None:
    if find_spec("prefect_dask") is None:
        raise MissingExtra(
            "tasks are to run on Dask, which is not installed",
            item="prefect-dask",
            stage="engine",
            remedy="pip install 'voxmem[dask]', or choose the runner threads",
        )


def _check_reachable(address: str) -> None:
    try:
        with client(address):
            pass
    except (OSError, ValueError) as error:
        raise EngineError(
            f"no Dask scheduler answers at {address}",
            stage="engine",
            remedy=f"start one with `dask scheduler`, or unset {ADDRESS} for one on this machine",
        ) from error
