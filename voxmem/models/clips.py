"""Clips as base64 text, ready to be streamed into a request body.

An hour of audio is 230 MB of base64: no body is ever joined in memory. A clip is decoded, put into
the container that the server takes and encoded once, before a request is sent; requests then read
the result from a mapped file.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import mmap
import zlib
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from voxmem.errors import InputError
from voxmem.models.audio import AudioFormat, ReadAudio, convert, is_format
from voxmem.store import files
from voxmem.store.cache import cache_folder

LIMIT = 20 << 30
"""Bytes of encoded clips that a machine keeps at most: 80 hours of WAV."""
VERSION = 1
"""Of the way from a stored clip to its text."""
_DECODERS = 4
_MAPS = 2048
"""Files that stay mapped: sessions recur in many histories."""


class Clips(Protocol):
    """Encoded clips, by the SHA-256 of what is stored."""

    def held(self, wanted: Collection[str], read: ReadAudio) -> AbstractAsyncContextManager[None]:
        """Makes clips ready, and keeps them so inside the block.

        Raises:
            InputError: A clip is missing or cannot be decoded.
        """
        ...

    def size(self, sha256: str) -> int:
        """Characters of a clip that is held."""
        ...

    def view(self, sha256: str) -> bytes | mmap.mmap:
        """The base64 text of a clip that is held."""
        ...


class GivenClips:
    """Clips that are already in the right container, kept in memory for one request."""

    def __init__(self, audio_format: AudioFormat) -> None:
        self._format: AudioFormat = audio_format
        self._held: dict[str, bytes] = {}

    @asynccontextmanager
    async def held(self, wanted: Collection[str], read: ReadAudio) -> AsyncIterator[None]:
        """See :meth:`Clips.held`."""
        for sha256 in dict.fromkeys(wanted):
            self._held[sha256] = await asyncio.to_thread(self._encoded, sha256, read)
        yield

    def size(self, sha256: str) -> int:
        """See :meth:`Clips.size`."""
        return len(self._held[sha256])

    def view(self, sha256: str) -> bytes:
        """See :meth:`Clips.view`."""
        return self._held[sha256]

    def _encoded(self, sha256: str, read: ReadAudio) -> bytes:
        data = read(sha256)
        if not is_format(data, self._format):
            raise InputError(
                f"the clip is not {self._format.upper()}",
                item=sha256,
                stage="evaluate",
                remedy="hand over clips in the endpoint's audio_format",
            )
        return base64.b64encode(data)


class _File(NamedTuple):
    """One encoded clip."""

    name: str
    """Its clip and the checksum of its text: another process may have been cut off, or a disk may
    lie, and what is sent is paid for."""
    size: int


class ClipCache:
    """Encoded clips as files of this machine's cache, the least recently used removed first.

    Use it inside one event loop. Other processes may share its folder: what one removes, another
    makes again. A file is compared with its checksum the first time that a process uses it.

    Args:
        audio_format: The container that the server takes.
        folder: Where the files are.
        limit: Bytes kept at most, besides the clips of requests that are being sent.
    """

    def __init__(
        self, audio_format: AudioFormat, *, folder: Path | None = None, limit: int = LIMIT
    ) -> None:
        self._format: AudioFormat = audio_format
        self._folder = (folder or cache_folder("clips")) / f"{audio_format}.base64-{VERSION}"
        self._limit = limit
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._checked: set[str] = set()
        self._maps: OrderedDict[str, mmap.mmap] = OrderedDict()
        self._total = 0
        self._users: Counter[str] = Counter()
        self._making: dict[str, asyncio.Task[None]] = {}
        self._decoders = ThreadPoolExecutor(_DECODERS, thread_name_prefix="voxmem-clips")
        for path in sorted(self._folder.glob("??/*"), key=lambda path: path.stat().st_mtime_ns):
            self._note(path.name.partition(".")[0], _File(path.name, path.stat().st_size))

    @asynccontextmanager
    async def held(self, wanted: Collection[str], read: ReadAudio) -> AsyncIterator[None]:
        """See :meth:`Clips.held`."""
        unique = list(dict.fromkeys(wanted))
        self._users.update(unique)
        try:
            missing = [sha256 for sha256 in unique if sha256 not in self._checked]
            made = await asyncio.gather(
                *(self._made(sha256, read) for sha256 in missing), return_exceptions=True
            )
            for fault in made:
                if fault is not None:
                    raise fault
            for sha256 in unique:
                self._files.move_to_end(sha256)
            yield
        finally:
            self._users.subtract(unique)
            self._users = +self._users
            self._evict()

    def size(self, sha256: str) -> int:
        """See :meth:`Clips.size`."""
        return self._files[sha256].size

    def view(self, sha256: str) -> mmap.mmap:
        """See :meth:`Clips.view`.

        Raises:
            InputError: Another process has removed the file: the request is to be made again.
        """
        found = self._maps.get(sha256)
        if found is not None:
            self._maps.move_to_end(sha256)
            return found
        try:
            mapped = _mapped(self._path(self._files[sha256].name))
        except (FileNotFoundError, ValueError):
            self._forget(sha256)
            raise InputError(
                "the encoded clip was removed while it was to be sent",
                item=sha256,
                stage="evaluate",
                remedy="run the same command again; a larger cache, or one of its own, avoids it",
            ) from None
        self._maps[sha256] = mapped
        if len(self._maps) > _MAPS:
            self._maps.popitem(last=False)
        return mapped

    async def _made(self, sha256: str, read: ReadAudio) -> None:
        """Makes a clip once, however many requests wait for it."""
        if sha256 not in self._making:
            task = asyncio.ensure_future(self._make(sha256, read))
            task.add_done_callback(_seen)
            self._making[sha256] = task
        # One that waits may be called off: the others still want the clip.
        await asyncio.shield(self._making[sha256])

    async def _make(self, sha256: str, read: ReadAudio) -> None:
        try:
            loop = asyncio.get_running_loop()
            file = await loop.run_in_executor(self._decoders, self._intact, sha256, read)
            self._forget(sha256)
            self._note(sha256, file)
            self._checked.add(sha256)
        finally:
            del self._making[sha256]

    def _intact(self, sha256: str, read: ReadAudio) -> _File:
        """The file that is there, if it is whole, or one that is made."""
        there = self._files.get(sha256)
        if there is not None:
            with contextlib.suppress(FileNotFoundError, ValueError):
                if _checksum(_mapped(self._path(there.name))) == there.name.partition(".")[2]:
                    return there
            with contextlib.suppress(OSError):
                self._path(there.name).unlink()
        data = base64.b64encode(convert(read(sha256), self._format))
        made = _File(f"{sha256}.{_checksum(data)}", len(data))
        files.write_whole(self._folder, self._path(made.name), data, durable=False)
        return made

    def _note(self, sha256: str, file: _File) -> None:
        self._files[sha256] = file
        self._total += file.size

    def _forget(self, sha256: str) -> None:
        self._checked.discard(sha256)
        self._maps.pop(sha256, None)
        file = self._files.pop(sha256, None)
        self._total -= file.size if file else 0

    def _evict(self) -> None:
        for sha256 in list(self._files):
            if self._total <= self._limit:
                return
            if sha256 not in self._users:
                path = self._path(self._files[sha256].name)
                self._forget(sha256)
                with contextlib.suppress(OSError):
                    path.unlink()

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _checksum(data: bytes | mmap.mmap) -> str:
    return f"{zlib.crc32(data):08x}"


def _seen(task: asyncio.Task[None]) -> None:
    """Whoever waited has been told; if nobody did, nobody minds."""
    if not task.cancelled():
        task.exception()
