"""Messages as the body of a chat request, in each dialect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from voxmem.messages import AudioPart, Message, TextPart
from voxmem.models.clips import Clips
from voxmem.models.endpoint import ChatEndpoint

_CHUNK = 1 << 18
"""Bytes that are handed to the connection at a time, about: a clip of five seconds."""


class Body:
    """A request body that is made while it is sent.

    Args:
        endpoint: Its dialect, and the fields beside the messages.
        messages: The conversation.
        clips: Holds the clips of the messages as long as the body is in use.
    """

    def __init__(self, endpoint: ChatEndpoint, messages: Sequence[Message], clips: Clips) -> None:
        self._clips = clips
        self._parts = _parts(endpoint, messages)
        self.size = sum(
            len(part) if isinstance(part, bytes) else clips.size(part.sha256)
            for part in self._parts
        )

    def chunks(self) -> Iterator[bytes]:
        """The body from its start, in pieces of a few clips at most."""
        held: list[Any] = []
        size = 0
        for part in self._parts:
            held.append(part if isinstance(part, bytes) else self._clips.view(part.sha256))
            size += len(held[-1])
            if size >= _CHUNK:
                yield b"".join(held)
                held, size = [], 0
        if held:
            yield b"".join(held)

    def __bytes__(self) -> bytes:
        return b"".join(self.chunks())


def parameters(endpoint: ChatEndpoint) -> dict[str, Any]:
    """The fields beside model and messages: those that are sent, and no others."""
    fields: dict[str, Any] = {endpoint.max_output_tokens_field: endpoint.max_output_tokens}
    if endpoint.temperature is not None:
        fields["temperature"] = endpoint.temperature
    if endpoint.seed is not None:
        fields["seed"] = endpoint.seed
    if endpoint.modalities:
        fields["modalities"] = list(endpoint.modalities)
    if endpoint.stream:
        fields["stream"] = True
        fields["stream_options"] = {"include_usage": True}
    return fields | endpoint.extra_body


def encode(body: Any) -> bytes:
    """JSON as it is sent."""
    return _json(body).encode()


_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _parts(endpoint: ChatEndpoint, messages: Sequence[Message]) -> list[bytes | AudioPart]:
    """The body in order: JSON, and the clips in its midst."""
    parts: list[bytes | AudioPart] = []
    text: list[str] = [_json({"model": endpoint.model, **parameters(endpoint)})[:-1]]
    opening = ',"messages":['
    for message in messages:
        text.append(opening)
        opening = ","
        if message.role != "user":
            # A plain string: some chat templates print the list of parts of a system turn.
            text.append(_json({"role": message.role, "content": message.text}))
            continue
        text.append('{"role":"user","content":[')
        for number, part in enumerate(message.parts):
            text.append("," if number else "")
            if isinstance(part, TextPart):
                text.append(_json({"type": "text", "text": part.text}))
                continue
            before, after = _around(endpoint, part)
            parts += ["".join([*text, before]).encode(), part]
            text = [after]
        text.append("]}")
    text.append("]}")
    return [*parts, "".join(text).encode()]


def _around(endpoint: ChatEndpoint, part: AudioPart) -> tuple[str, str]:
    """What stands before and after the base64 text of a clip."""
    # The server's media cache goes by this id; a content hash cannot mix up two clips.
    uuid = f'"uuid":"{part.sha256}",' if endpoint.dialect == "vllm" else ""
    prefix = "data:;base64," if endpoint.dialect == "dashscope" else ""
    head = f'{{"type":"input_audio",{uuid}"input_audio":{{"format":"{endpoint.audio_format}",'
    return f'{head}"data":"{prefix}', '"}}'
