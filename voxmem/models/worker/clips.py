"""The clips of a run as files that workers read."""

from __future__ import annotations

import asyncio
import fcntl
import shutil
import tempfile
import wave
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from voxmem.messages import AudioPart
from voxmem.models.audio import ReadAudio
from voxmem.models.local.clips import cut, pieces_of, samples_of

Pieces = tuple[tuple[Path, float], ...]
"""The files of one clip, nearly always one, with the seconds of each."""

_PREFIX = "voxmem-worker-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end; so are those of processes that were killed."""
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        with (folder / "new").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "new").rename(folder / "lock")  # seen by others when it is held
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # No lock: it was made just now. Not ours to lock: its process lives, or it is another's.
        with suppress(OSError), (folder / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


class ClipFiles:
    """Writes each clip once. Use it inside one event loop.

    Args:
        folder: Where the files go.
        rate: Hz.
        longest_seconds: Longer clips are cut into equal pieces; ``None``: none are.
    """

    def __init__(self, folder: Path, rate: int, longest_seconds: float | None) -> None:
        self._folder = folder
        self._rate = rate
        self._longest = longest_seconds
        self._written: dict[str, asyncio.Task[Pieces]] = {}

    async def files(self, clips: Iterable[AudioPart], read: ReadAudio) -> dict[str, Pieces]:
        """The files of clips by the SHA-256 of what is stored.

        Raises:
            InputError: A clip cannot be decoded, is empty, or is not finite.
            MissingExtra: Clips have to be resampled, and soxr is not installed.
        """
        unique = {clip.sha256: clip for clip in clips}
        for sha256, clip in unique.items():
            if sha256 not in self._written:
                work = asyncio.to_thread(self._write, clip, read)
                self._written[sha256] = asyncio.create_task(work)
        try:
            return {sha256: await asyncio.shield(self._written[sha256]) for sha256 in unique}
        finally:
            failed = [name for name in unique if _has_failed(self._written[name])]
            for sha256 in failed:
                del self._written[sha256]

    def _write(self, clip: AudioPart, read: ReadAudio) -> Pieces:
        samples = samples_of(read(clip.sha256), self._rate, item=clip.sha256)
        parts = cut(samples, len(pieces_of(clip, self._longest)))
        files = []
        for number, part in enumerate(parts):
            path = self._folder / f"{clip.sha256}-{number}.wav"
            with wave.open(str(path), "wb") as out:
                out.setnchannels(1)
                out.setsampwidth(2)
                out.setframerate(self._rate)
                scaled = np.clip(np.rint(part * 32768.0), -32768, 32767)
                out.writeframes(scaled.astype("<i2").tobytes())
            files.append((path, len(part) / self._rate))
        return tuple(files)


def _has_failed(task: asyncio.Task[Pieces]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
