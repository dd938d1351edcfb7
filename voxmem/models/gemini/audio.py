"""How the clips of one conversation travel: inside the request, or by way of the Files API."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from voxmem.messages import AudioPart, Message, TextPart
from voxmem.models.audio import ReadAudio
from voxmem.models.gemini.container import mime_type
from voxmem.models.gemini.files import ServiceFile
from voxmem.models.gemini.uploads import Uploads
from voxmem.models.outcome import Failure

_FRAME = 200
"""Bytes that a part of a request needs besides its content, generously."""


@dataclass(frozen=True)
class Parts:
    """The clips of one conversation, ready to be sent."""

    by_hash: dict[str, Any]
    """The library's ``Part`` of each clip, by its SHA-256."""
    bytes: int
    """What they add to the request, about."""
    files: tuple[ServiceFile, ...] = ()
    """What they name, unless they are inside."""


class Clips:
    """Makes the parts of clips.

    Args:
        types: The client library's module of request types.
        uploads: For requests that are too large.
        inline_bytes: The largest body of a request that carries its clips.
    """

    def __init__(self, types: Any, uploads: Uploads, inline_bytes: int) -> None:
        self._types = types
        self._uploads = uploads
        self._inline_bytes = inline_bytes
        self._lengths: dict[str, int] = {}

    async def parts(self, messages: Sequence[Message], read: ReadAudio) -> Parts | Failure:
        """The parts of all clips.

        Raises:
            InputError: A clip is nothing that the service takes, or cannot be read.
        """
        size = await asyncio.to_thread(self._size, messages, read)
        if size is not None:
            return Parts(await asyncio.to_thread(self._inline, messages, read), size)
        hashes = dict.fromkeys(part.sha256 for part in _audio(messages))
        files = await asyncio.gather(*(self._uploads.file(sha256, read) for sha256 in hashes))
        failed = [file for file in files if isinstance(file, Failure)]
        if failed:
            return failed[0]
        ready = tuple(file for file in files if isinstance(file, ServiceFile))
        return Parts({file.sha256: self._named(file) for file in ready}, _FRAME * len(ready), ready)

    def _size(self, messages: Sequence[Message], read: ReadAudio) -> int | None:
        """Bytes of the request with all clips inside; ``None``: too many."""
        size = 0
        for message in messages:
            for part in message.parts:
                if isinstance(part, TextPart):
                    size += len(part.text.encode())
                else:
                    size += -(-self._length(part.sha256, read) // 3) * 4
                size += _FRAME
                if size > self._inline_bytes:
                    return None
        return size

    def _length(self, sha256: str, read: ReadAudio) -> int:
        if sha256 not in self._lengths:
            self._lengths[sha256] = len(read(sha256))
        return self._lengths[sha256]

    def _inline(self, messages: Sequence[Message], read: ReadAudio) -> dict[str, Any]:
        return {part.sha256: self._blob(part.sha256, read) for part in _audio(messages)}

    def _blob(self, sha256: str, read: ReadAudio) -> Any:
        data = read(sha256)
        return self._types.Part.from_bytes(data=data, mime_type=mime_type(data, sha256))

    def _named(self, file: ServiceFile) -> Any:
        return self._types.Part.from_uri(file_uri=file.uri, mime_type=file.mime_type)


def _audio(messages: Sequence[Message]) -> list[AudioPart]:
    return [part for message in messages for part in message.clips]
