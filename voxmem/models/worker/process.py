"""One worker process: started, asked, ended."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections import deque
from contextlib import suppress

from voxmem.models.worker.protocol import Answer, BrokenProtocol, Hello, read_line
from voxmem.models.worker.settings import WorkerSettings

log = logging.getLogger(__name__)

_LONGEST_LINE = 1 << 24
_KEPT_LINES = 40
_SHOWN = 400
"""Characters of last words."""
_GRACE = 3.0
"""Seconds in which a worker whose input has ended, ends."""


class WorkerFailed(Exception):
    """A worker ended, did not answer in time, or broke the protocol; it runs no more."""

    def __init__(self, what: str, *, hung: bool = False) -> None:
        super().__init__(what)
        self.hung = hung
        """It took too long: the same request would again."""


class WorkerProcess:
    """A worker, which may be started again after a failure. Use it inside one event loop."""

    def __init__(self, settings: WorkerSettings) -> None:
        self.hello: Hello | None = None
        """``None``: it does not run."""
        self._settings = settings
        self._process: Process | None = None
        self._aside: deque[str] = deque(maxlen=_KEPT_LINES)
        self._listener: asyncio.Task[None] | None = None

    async def start(self) -> Hello:
        """Starts it and waits until its model is loaded.

        Raises:
            WorkerFailed: It could not be started.
        """
        self._aside.clear()
        settings = self._settings
        try:
            self._process = await asyncio.create_subprocess_exec(
                *settings.command,
                cwd=settings.cwd,
                env={**os.environ, **settings.env},
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                limit=_LONGEST_LINE,
                start_new_session=True,  # so that what it starts ends with it
            )
        except (OSError, ValueError) as error:
            raise WorkerFailed(f"it cannot be started: {error}") from None
        self._listener = asyncio.create_task(self._listen(self._process))
        said = await self._heard("its model was not loaded", settings.startup_seconds)
        if not isinstance(said, Hello):
            raise await self._failed("it answered before it was asked")
        self.hello = said
        return said

    async def ask(self, line: bytes, name: str) -> Answer:
        """Its answer to the request ``name``.

        Raises:
            WorkerFailed: There is none, and the worker was ended.
        """
        assert self._process
        assert self._process.stdin
        with suppress(ConnectionError):  # it has ended: what is heard says so
            self._process.stdin.write(line)
        said = await self._heard("there was no answer", self._settings.item_seconds)
        if not (isinstance(said, Answer) and said.id == name):
            raise await self._failed("it did not answer what it was asked")
        return said

    async def end(self, *, grace: float = _GRACE) -> None:
        """Ends it: first by the end of its input, then by force."""
        process, self._process, self.hello = self._process, None, None
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await process.wait()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if self._listener:
            # A process that it started may hold the pipe.
            await asyncio.wait([self._listener], timeout=1.0)
            self._listener.cancel()

    async def _heard(self, otherwise: str, seconds: float) -> Hello | Answer:
        """The next message. Whatever else happens ends the worker."""
        whole = False
        try:
            async with asyncio.timeout(seconds):
                said = await self._message()
            whole = True
            return said
        except TimeoutError:
            raise await self._failed(f"{otherwise} within {seconds:g} s", hung=True) from None
        except BrokenProtocol as error:
            raise await self._failed(str(error)) from None
        except (EOFError, ValueError) as error:
            raise await self._failed(str(error)) from None
        finally:
            # An item that is given up leaves an answer behind, which is no other item's.
            if not whole and self._process:
                await asyncio.shield(self.end(grace=0.0))

    async def _message(self) -> Hello | Answer:
        assert self._process
        assert self._process.stdout
        while True:
            line = await self._process.stdout.readline()
            if not line.endswith(b"\n"):  # the end, perhaps in the middle of a line
                self._keep(line)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), _GRACE)
                raise EOFError(_end(self._process.returncode))
            said = read_line(line)
            if said:
                return said
            self._keep(line)

    async def _failed(self, what: str, *, hung: bool = False) -> WorkerFailed:
        await self.end(grace=0.0)
        words = " | ".join(list(self._aside)[-4:])
        words = words if len(words) <= _SHOWN else f"…{words[-_SHOWN:]}"
        said = f"{what}; its last words: {words}" if words else what
        return WorkerFailed(said, hung=hung)

    async def _listen(self, process: Process) -> None:
        """Keeps what it writes to standard error."""
        assert process.stderr
        with suppress(ValueError):  # a line beyond all measure
            while line := await process.stderr.readline():
                self._keep(line)

    def _keep(self, line: bytes) -> None:
        text = line.decode(errors="replace").strip()
        if text:
            log.debug("worker: %s", text)
            self._aside.append(text)


def _end(code: int | None) -> str:
    if code is None:
        return "it closed its output"
    if code < 0:
        return f"it was ended by {signal.Signals(-code).name}"
    return f"it ended with exit code {code}"
