"""An event loop for other threads: nobody waits for ever."""

from __future__ import annotations

import asyncio

import pytest

from voxmem.models.loop import Loop


@pytest.mark.timeout(10)
@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
def test_what_ends_a_program_is_told_and_others_go_on(kind: type[BaseException]) -> None:
    """As a library does that finds nobody to read what it prints."""

    async def ends() -> None:
        raise kind

    async def in_a_group() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(ends())
            group.create_task(asyncio.sleep(60))

    loop = Loop()
    other = loop.start(asyncio.sleep(0.05, "done"))
    for each in (ends, in_a_group):
        with pytest.raises(kind):
            loop.run(each())
    assert loop.result(other) == "done"
    loop.close()
