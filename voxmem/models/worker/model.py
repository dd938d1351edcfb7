"""A model behind worker processes as a system under test."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Literal

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.models.entry import ModelEntry
from voxmem.models.outcome import Completion, Reply, of_completion
from voxmem.models.settings import read_settings
from voxmem.models.told import Told
from voxmem.models.worker.clips import ClipFiles, Pieces, temporary_folder
from voxmem.models.worker.process import WorkerFailed, WorkerProcess
from voxmem.models.worker.protocol import Answer, Hello, request_line
from voxmem.models.worker.settings import WorkerSettings
from voxmem.records import Call, Outcome

VERSION = 1
"""Raise it when the same entry and conversation lead to another request."""

_TRIES = 2
"""Of one item: it may be what ends the worker."""
_HEARD = 0.9
"""Share of the audio tokens that are to be expected, below which audio was cut."""
_CODES: dict[str, Outcome] = {
    "context_overflow": "context_overflow",
    "unsupported": "unsupported",
    "rejected": "rejected",
}


class WorkerModel:
    """A model behind worker processes.

    Args:
        entry: Of the catalogue.

    Raises:
        UsageError: A setting is missing or wrong; it is named.
    """

    kind: Literal["model"] = "model"
    adapter = f"worker {VERSION}"

    def __init__(self, entry: ModelEntry) -> None:
        self.name = entry.name
        self._entry = entry
        self._settings = read_settings(WorkerSettings, entry.settings, name=entry.name)

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        entry, settings = self._entry, self._settings
        return keys.key(
            "worker", VERSION, entry.name, entry.model, entry.revision, entry.delivery,
            entry.decoding, list(settings.command), settings.rate, entry.clips.longest_seconds,
        )  # fmt: skip

    @property
    def concurrency(self) -> int:
        return self._settings.workers

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[AskedWorkers]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        workers = [WorkerProcess(self._settings) for _ in range(self._settings.workers)]
        try:
            hello = await self._start(workers)
            with temporary_folder() as folder:
                files = ClipFiles(folder, self._rate(hello), self._longest(hello))
                yield AskedWorkers(self._entry, workers, files)
        finally:
            await asyncio.gather(*(one.end() for one in workers))

    async def _start(self, workers: list[WorkerProcess]) -> Hello:
        starting = (started(one, self._entry) for one in workers)
        hellos = await asyncio.gather(*starting, return_exceptions=True)
        for hello in hellos:
            if isinstance(hello, BaseException):
                raise hello
        [first, *_] = [hello for hello in hellos if isinstance(hello, Hello)]
        return first

    def _rate(self, hello: Hello) -> int:
        rate = self._settings.rate or hello.sample_rate
        if rate is None:
            raise UsageError(
                "neither the entry nor its worker names the rate of clips",
                item=self.name,
                stage="evaluate",
                remedy="set rate, in Hz, in the settings of the entry",
            )
        return rate

    def _longest(self, hello: Hello) -> float | None:
        limits = [self._entry.clips.longest_seconds, hello.longest_clip_seconds]
        return min((limit for limit in limits if limit is not None), default=None)


class AskedWorkers:
    """Running workers, each of which takes one item at a time."""

    def __init__(self, entry: ModelEntry, workers: list[WorkerProcess], files: ClipFiles) -> None:
        self._entry = entry
        self._files = files
        self._idle: asyncio.Queue[WorkerProcess] = asyncio.Queue()
        self._asked = 0
        for worker in workers:
            self._idle.put_nowait(worker)

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        clips = told.conversation.clips
        messages = told.conversation.messages(self._entry.delivery)
        files = await self._files.files(clips, told.read_audio)
        self._asked += 1
        name = f"{self._asked}"
        line = request_line(name, messages, files, self._entry.decoding)
        notes = [f"{len(cut)} clips cut into pieces"] if (cut := _cut(files)) else []
        began = time.monotonic()
        worker = await self._idle.get()
        try:
            reply = await self._ask(worker, line, name, notes, sum(clip.seconds for clip in clips))
        finally:
            self._idle.put_nowait(worker)
        call = reply.call.model_copy(
            update={
                "delivery": self._entry.delivery,
                "audio_format": "wav",
                "seconds": round(time.monotonic() - began, 3),
                "bytes_sent": len(line),
                "notes": tuple(notes),
            }
        )
        return reply.model_copy(update={"call": call})

    async def _ask(
        self, worker: WorkerProcess, line: bytes, name: str, notes: list[str], seconds: float
    ) -> Reply:
        tries = 0
        while True:
            hello = worker.hello or await started(worker, self._entry)
            tries += 1
            try:
                answer = await worker.ask(line, name)
            except WorkerFailed as failure:
                if not failure.hung and tries < _TRIES:
                    notes.append(f"tried again: {failure}")
                    continue
                return Reply(
                    outcome="error", error=f"the worker: {failure}", call=Call(attempts=tries)
                )
            notes.append(f"worker {hello.name}{f' {hello.revision}' if hello.revision else ''}")
            notes.extend(_unheard(answer, hello, seconds))
            return _reply(answer, tries)


async def started(worker: WorkerProcess, entry: ModelEntry) -> Hello:
    """Starts a worker.

    Raises:
        UsageError: It does not start, or serves another revision than the entry says.
    """
    try:
        hello = await worker.start()
    except WorkerFailed as failure:
        raise UsageError(
            f"the worker did not start: {failure}",
            item=entry.name,
            stage="evaluate",
            remedy="correct command, cwd, env or startup_seconds of the entry's settings",
        ) from None
    if entry.revision and hello.revision != entry.revision:
        raise UsageError(
            f"the worker serves revision {hello.revision}, and the entry says {entry.revision}",
            item=entry.name,
            stage="evaluate",
            remedy="correct the revision of the entry, or what its command loads",
        )
    return hello


def _reply(answer: Answer, tries: int) -> Reply:
    call = Call(attempts=tries)
    if answer.error:
        said = f"{answer.error.code}: {answer.error.message}"
        return Reply(
            outcome=_CODES.get(answer.error.code, "error"),
            error=said,
            usage=answer.usage,
            call=call,
        )
    completion = Completion(answer.text or "", answer.finish_reason, answer.usage)
    return Reply(
        outcome=of_completion(completion),
        text=answer.text if answer.text and answer.text.strip() else None,
        finish_reason=answer.finish_reason,
        usage=answer.usage,
        call=call,
    )


def _cut(files: Mapping[str, Pieces]) -> list[str]:
    return [name for name, pieces in files.items() if len(pieces) > 1]


def _unheard(answer: Answer, hello: Hello, seconds: float) -> list[str]:
    """A note where the model took in less audio than there is: cut by it, in silence."""
    heard, rate = answer.usage.audio_tokens, hello.tokens_per_second
    if heard is None or rate is None or heard >= _HEARD * rate * seconds:
        return []
    return [f"audio was cut: {heard} tokens of {rate * seconds:.0f}"]


def open_model(entry: ModelEntry) -> WorkerModel:
    """The candidate of an entry.

    Raises:
        UsageError: A setting is missing or wrong; it is named.
    """
    return WorkerModel(entry)
