"""Work that falls into independent pieces: results come in the order of the items."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import sleep

from voxmem.parallel import Mapper, serial


def _double(item: int) -> int:
    return 2 * item


def _slowest_first(item: int) -> int:
    sleep(0.02 / (item + 1))
    return item


def test_one_after_the_other() -> None:
    mapper: Mapper = serial
    assert list(mapper(_double, range(4))) == [0, 2, 4, 6]
    assert list(mapper(_double, [])) == []


def test_nothing_is_done_before_it_is_asked_for() -> None:
    done: list[int] = []

    def items() -> Iterator[int]:
        for item in range(3):
            done.append(item)
            yield item

    results = iter(serial(_double, items()))
    assert done == []
    assert next(results) == 0
    assert done == [0]


def test_a_pools_map_is_a_mapper() -> None:
    with ThreadPoolExecutor(4) as pool:
        mapper: Mapper = pool.map
        assert list(mapper(_slowest_first, range(8))) == list(range(8))
