"""Many items at a time, their results in order, and no item lost because of another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from voxmem.errors import VoxmemError
from voxmem.models.text.model import UnusableReply

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(
    work: Callable[[Item], Result], items: Iterable[Item], *, width: int
) -> list[Result]:
    """``work`` of every item, in the items' order, up to ``width`` at a time.

    An item without a usable reply does not keep the others from being done (and kept); any other
    error does, since it would meet them as well.

    Raises:
        UnusableReply: For one or more items, once all others are done; the first one is quoted.
    """
    unusable: dict[int, UnusableReply] = {}
    failed = Event()

    def one(at: int, item: Item) -> list[Result]:
        if failed.is_set():
            return []
        try:
            return [work(item)]
        except UnusableReply as error:
            unusable[at] = error
            return []
        except VoxmemError:
            failed.set()
            raise

    with ThreadPoolExecutor(max_workers=width) as pool:
        waiting = [pool.submit(one, at, item) for at, item in enumerate(items)]
        try:
            results = [result for each in waiting for result in each.result()]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    if unusable:
        raise _summary(unusable, len(waiting))
    return results


def _summary(unusable: dict[int, UnusableReply], of: int) -> UnusableReply:
    first = unusable[min(unusable)]
    if len(unusable) == 1:
        return first
    return UnusableReply(
        f"{first.message}; the same goes for {len(unusable) - 1} more of {of} items",
        item=first.item,
        stage=first.stage,
        remedy=first.remedy,
    )
