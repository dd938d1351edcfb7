"""Pieces of work over a Dask cluster, as :mod:`tasks.processes` spreads them over one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from tasks import processes
from voxmem.errors import EngineError
from voxmem.parallel import Mapper

if TYPE_CHECKING:
    from distributed import Client

A = TypeVar("A")
B = TypeVar("B")


def client(address: str) -> Client:
    """A connection to the scheduler at an address; a context manager.

    Raises:
        OSError: None answers there.
        ValueError: It is no address.
    """
    from distributed import Client

    return Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]


def mapper(workers: int, address: str | None) -> Mapper:
    """Spreads pieces over the cluster of a scheduler; over processes of this machine if there is
    none."""
    if address is None:
        return processes.mapper(workers)

    def spread(function: Callable[[A], B], items: Iterable[A], /) -> Iterable[B]:
        from distributed import KilledWorker

        with client(address) as cluster:
            try:
                for future in cluster.map(function, list(items), pure=False):
                    yield future.result()
            except KilledWorker as error:
                raise EngineError(
                    "workers of the Dask cluster were ended from outside",
                    item=address,
                    remedy="see their logs; if memory is short, give it fewer workers",
                ) from error

    return spread
