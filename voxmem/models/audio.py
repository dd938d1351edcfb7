"""Stored clips in the container that a protocol wants."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal

from voxmem.errors import InputError

AudioFormat = Literal["wav", "flac"]

ReadAudio = Callable[[str], bytes]
"""SHA-256 → the bytes of a clip. Called from worker threads."""

_MAGIC: dict[AudioFormat, bytes] = {"wav": b"RIFF", "flac": b"fLaC"}


def is_format(data: bytes, audio_format: AudioFormat) -> bool:
    """Whether the bytes start like a file of that format."""
    return data.startswith(_MAGIC[audio_format])


def convert(data: bytes, audio_format: AudioFormat) -> bytes:
    """The same samples, 16-bit, as WAV or FLAC; bytes already in that format stay as they are.

    Raises:
        InputError: ``data`` is no audio that can be read.
    """
    if is_format(data, audio_format):
        return data
    import soundfile  # loads a shared library: not before it is needed

    target = io.BytesIO()
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="int16")
        soundfile.write(target, samples, rate, format=audio_format.upper(), subtype="PCM_16")
    except soundfile.LibsndfileError as error:
        raise InputError(
            f"the clip cannot be decoded ({error.error_string})",
            stage="evaluate",
            remedy="speak or import the clip again",
        ) from error
    return target.getvalue()


class AudioCache:
    """Converts a clip once for as long as it stays among the most recently used.

    Args:
        audio_format: What to convert to.
        limit: Bytes kept at most. Safe to use from several threads.
    """

    def __init__(self, audio_format: AudioFormat, *, limit: int = 128 << 20) -> None:
        self._format: AudioFormat = audio_format
        self._limit = limit
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def over(self, read: ReadAudio) -> ReadAudio:
        """A reader of converted clips on top of a reader of stored ones."""
        return lambda sha256: self._get(sha256, read)

    def _get(self, sha256: str, read: ReadAudio) -> bytes:
        with self._lock:
            if sha256 in self._kept:
                self._kept.move_to_end(sha256)
                return self._kept[sha256]
        data = convert(read(sha256), self._format)
        with self._lock:
            if sha256 not in self._kept:
                self._kept[sha256] = data
                self._size += len(data)
            while self._size > self._limit:
                _, dropped = self._kept.popitem(last=False)
                self._size -= len(dropped)
        return data
