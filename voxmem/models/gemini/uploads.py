"""Clips on their way into the Files API: each once, however many items ask for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from voxmem.models.again import Again
from voxmem.models.audio import ReadAudio
from voxmem.models.gemini.container import mime_type
from voxmem.models.gemini.files import ServiceFile, ServiceFiles
from voxmem.models.gemini.reading import name_of
from voxmem.models.gemini.service import GeminiService, counting_context
from voxmem.models.gemini.settings import GeminiSettings
from voxmem.models.outcome import Failure

KEPT = timedelta(hours=48)
"""How long the service keeps a file, unless it says otherwise."""

_UNUSABLE = frozenset({3, 11, 12})
"""Codes of google.rpc: invalid argument, out of range, unimplemented. Others may pass."""


class Uploads:
    """The clips of one service. Use it inside one event loop.

    Args:
        service: Takes the files.
        files: Remembers them.
        settings: How many at a time, and how long a file may take.
        again: Tries an upload again.
        clock: Unix seconds; replaced in tests.
    """

    def __init__(
        self,
        service: GeminiService,
        files: ServiceFiles,
        settings: GeminiSettings,
        again: Again,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._service = service
        self._files = files
        self._settings = settings
        self._again = again
        self._clock = clock
        self._slots = asyncio.Semaphore(settings.uploads)
        self._running: dict[str, asyncio.Task[ServiceFile | Failure]] = {}

    async def file(self, sha256: str, read: ReadAudio) -> ServiceFile | Failure:
        """The file of a clip, uploaded if need be.

        Raises:
            InputError: The clip's bytes are no audio that the service takes.
            StoreError: What was uploaded cannot be written down.
        """
        known = self._files.get(sha256)
        if known:
            return known
        if sha256 not in self._running:
            task = asyncio.create_task(self._upload(sha256, read), context=counting_context())
            self._running[sha256] = task
            task.add_done_callback(lambda _: self._running.pop(sha256, None))
        # An item that is given up takes no upload with it that another one waits for.
        return await asyncio.shield(self._running[sha256])

    async def drop_missing(self, files: Sequence[ServiceFile], said: str) -> None:
        """Forgets which of some files the service no longer has.

        Args:
            files: Those of a request that it refused because one is missing.
            said: Its words, in which it names one, if any: so it is asked about all others.
        """
        gone = [file for file in files if file.name.removeprefix("files/") in said]
        rest = [file for file in files if file not in gone]
        lives = await asyncio.gather(*(self._lives(file) for file in rest))
        gone += [file for file, alive in zip(rest, lives, strict=True) if not alive]
        for file in gone or files:
            self._files.forget(file)

    async def _lives(self, file: ServiceFile) -> bool:
        async with self._slots:
            found, _ = await self._again(
                lambda: self._service.file(file.name), f"state {file.sha256}"
            )
        return not (isinstance(found, Failure) and found.status in (403, 404))

    async def aclose(self) -> None:
        """Gives up what is under way."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _upload(self, sha256: str, read: ReadAudio) -> ServiceFile | Failure:
        async with self._slots:
            data = await asyncio.to_thread(read, sha256)
            kind = mime_type(data, sha256)
            result, _ = await self._again(
                lambda: self._service.upload(data, kind), f"upload {sha256}", sent=len(data)
            )
            result = await self._ready(result, sha256, kind)
        if isinstance(result, ServiceFile):
            self._files.put(result)
        return result

    async def _ready(self, file: Any, sha256: str, kind: str) -> ServiceFile | Failure:
        """Waits until the service has looked at the file."""
        waited = 0.0
        while not isinstance(file, Failure):
            name, state = file.name, name_of(file.state)
            if state == "FAILED":
                return _failed(file, sha256)
            if not (name and file.uri):
                return Failure("the service names no file", 200, "malformed")
            if state == "ACTIVE":
                return self._noted(file, sha256, kind)
            if waited >= self._settings.active_seconds:
                return Failure(f"{name} was not ready within {waited:g} s", code="timeout")
            await self._again.sleep(self._settings.poll_seconds)
            waited += self._settings.poll_seconds
            file, _ = await self._again(partial(self._service.file, name), f"state {sha256}")
        return file

    def _noted(self, file: Any, sha256: str, kind: str) -> ServiceFile:
        # Both times are the service's: its clock need not agree with ours.
        told = file.expiration_time and file.create_time
        kept = file.expiration_time - file.create_time if told else KEPT
        return ServiceFile(
            sha256=sha256,
            name=file.name,
            uri=file.uri,
            mime_type=file.mime_type or kind,
            expires=self._clock() + kept.total_seconds(),
        )


def _failed(file: Any, sha256: str) -> Failure:
    said = (file.error and file.error.message) or "no reason given"
    if file.error and file.error.code in _UNUSABLE:
        return Failure(f"unsupported audio, clip {sha256[:12]}: {said}", 200, "file_failed")
    return Failure(f"clip {sha256[:12]} was not processed: {said}", 200, "file_failed")
