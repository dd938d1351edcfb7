"""Chunks in processes of their own: two threads of one process speak no faster than one.

The processes hold no state that matters and end with the one that started them, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from voxmem.errors import EngineError
from voxmem.parallel import Mapper, serial

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")

_lock = threading.Lock()
_pools: dict[int, ProcessPoolExecutor] = {}


def call(workers: int, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What ``function`` returns in one of ``workers`` processes; in this one if there is but one.

    Args:
        function: A function of a module that is quick to import; it and its arguments are pickled.

    Raises:
        EngineError: The process was ended from outside.
    """
    if workers == 1:
        return function(*args, **kwargs)
    try:
        return _pool(workers).submit(function, *args, **kwargs).result()
    except BrokenProcessPool as error:
        raise _ended(workers) from error


def _ended(workers: int) -> EngineError:
    with _lock:
        _pools.pop(workers, None)
    return EngineError(
        "a process of this command was ended from outside",
        remedy="if memory is short, run it again with --workers 1",
    )


def mapper(workers: int) -> Mapper:
    """Spreads pieces over ``workers`` processes; none is started for one worker."""
    if workers == 1:
        return serial

    def spread(function: Callable[[A], B], items: Iterable[A], /) -> Iterable[B]:
        try:
            yield from _pool(workers).map(function, items)
        except BrokenProcessPool as error:
            raise _ended(workers) from error

    return spread


def close() -> None:
    """End the processes; the next call starts new ones."""
    with _lock:
        while _pools:
            _pools.popitem()[1].shutdown()


def _pool(workers: int) -> ProcessPoolExecutor:
    with _lock:
        if workers not in _pools:
            # A fork would copy the locks of the threads that run at this moment.
            context = multiprocessing.get_context("spawn")
            _pools[workers] = ProcessPoolExecutor(workers, context, initializer=_begin)
        return _pools[workers]


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends us
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
