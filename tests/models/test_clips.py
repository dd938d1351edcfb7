"""Encoded clips: made once, kept while they are sent, the oldest removed first."""

from __future__ import annotations

import asyncio
import base64
import threading
from pathlib import Path
from typing import Any

import pytest

from voxmem.errors import InputError
from voxmem.models.audio import convert
from voxmem.models.clips import ClipCache


@pytest.fixture
def shas(shelf: Any) -> list[str]:
    return [shelf.speak(f"clip {n}", 1000 + n).sha256 for n in range(4)]


def held(cache: ClipCache, shas: list[str], shelf: Any) -> list[bytes]:
    async def run() -> list[bytes]:
        async with cache.held(shas, shelf.read):
            return [bytes(cache.view(sha)) for sha in shas]

    return asyncio.run(run())


def kept(folder: Path) -> set[str]:
    return {path.name.partition(".")[0] for path in files(folder)}


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("wav.base64-*/??/*"))


def test_what_is_sent_is_the_same_sound(tmp_path: Path, shas: list[str], shelf: Any) -> None:
    cache = ClipCache("wav", folder=tmp_path)
    found = held(cache, shas, shelf)
    for sha, text in zip(shas, found, strict=True):
        assert base64.b64decode(text, validate=True) == convert(shelf.bytes[sha], "wav")
        assert cache.size(sha) == len(text)


def test_a_clip_is_decoded_once_for_all_that_wait_for_it_and_for_later_processes(
    tmp_path: Path, shas: list[str], shelf: Any
) -> None:
    async def many() -> None:
        cache = ClipCache("wav", folder=tmp_path)

        async def one() -> None:
            async with cache.held(shas * 2, shelf.read):
                pass

        await asyncio.gather(*(one() for _ in range(20)))

    asyncio.run(many())
    assert sorted(shelf.reads) == sorted(shas)
    held(ClipCache("wav", folder=tmp_path), shas, shelf)
    assert len(shelf.reads) == len(shas)


def test_the_cache_is_bounded_but_for_what_is_being_sent(
    tmp_path: Path, shas: list[str], shelf: Any
) -> None:
    size = len(base64.b64encode(convert(shelf.bytes[shas[3]], "wav")))
    cache = ClipCache("wav", folder=tmp_path, limit=2 * size)

    async def run() -> None:
        async with cache.held(shas, shelf.read):
            assert kept(tmp_path) == set(shas), "all are in use"
            async with cache.held(shas[:1], shelf.read):
                pass
            assert kept(tmp_path) == set(shas)
        assert kept(tmp_path) == {shas[3], shas[0]}, "the least recently used go first"

    asyncio.run(run())


def test_a_clip_that_cannot_be_decoded_fails_its_request_alone(
    tmp_path: Path, shas: list[str], shelf: Any
) -> None:
    shelf.bytes[shas[1]] = b"fLaC and then nothing"
    cache = ClipCache("wav", folder=tmp_path)
    with pytest.raises(InputError, match="cannot be decoded"):
        held(cache, shas[:2], shelf)
    assert len(held(cache, [shas[0], shas[2]], shelf)) == 2
    assert shas[1] not in kept(tmp_path)


def test_a_file_that_another_process_removed_is_one_clear_error(
    tmp_path: Path, shas: list[str], shelf: Any
) -> None:
    cache = ClipCache("wav", folder=tmp_path)

    async def run() -> None:
        async with cache.held(shas, shelf.read):
            [path] = [path for path in files(tmp_path) if path.name.startswith(shas[0])]
            path.unlink()
            with pytest.raises(InputError, match="removed") as caught:
                cache.view(shas[0])
            assert caught.value.item == shas[0]
            assert cache.view(shas[1])

    asyncio.run(run())
    assert len(held(cache, shas, shelf)) == 4, "it is made again"


def test_decoding_leaves_the_event_loop_free(tmp_path: Path, shas: list[str], shelf: Any) -> None:
    threads = set()

    def read(sha: str) -> bytes:
        threads.add(threading.get_ident())
        return bytes(shelf.read(sha))

    async def run() -> None:
        async with ClipCache("wav", folder=tmp_path).held(shas, read):
            pass

    asyncio.run(run())
    assert threading.get_ident() not in threads


def test_one_that_gives_up_waiting_takes_no_other_with_it(
    tmp_path: Path, shas: list[str], shelf: Any
) -> None:
    go = threading.Event()

    def read(sha: str) -> bytes:
        go.wait(5)
        return bytes(shelf.read(sha))

    async def run() -> list[bytes]:
        cache = ClipCache("wav", folder=tmp_path)

        async def one(seconds: float) -> bytes:
            async with asyncio.timeout(seconds), cache.held(shas[:1], read):
                return bytes(cache.view(shas[0]))

        tasks = [asyncio.ensure_future(one(0.05)), asyncio.ensure_future(one(5))]
        await asyncio.sleep(0.2)
        go.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(found[0], TimeoutError)
        assert not isinstance(found[1], BaseException)
        return [found[1]]

    assert asyncio.run(run())[0].startswith(b"UklGR")


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_file_of_the_cache_is_never_sent(
    tmp_path: Path, shas: list[str], shelf: Any, damage: bytes | None
) -> None:
    right = held(ClipCache("wav", folder=tmp_path), shas, shelf)
    for path in files(tmp_path):
        path.write_bytes(b"A" * path.stat().st_size if damage is None else damage)
    assert held(ClipCache("wav", folder=tmp_path), shas, shelf) == right
    assert len(files(tmp_path)) == len(shas)
