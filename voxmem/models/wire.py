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
        self._parts = list(_merged(_parts(endpoint, messages)))
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
    return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()


def _parts(endpoint: ChatEndpoint, messages: Sequence[Message]) -> Iterator[bytes | AudioPart]:
    head = encode({"model": endpoint.model, **parameters(endpoint)})
    yield head[:-1] + b',"messages":['
    for number, message in enumerate(messages):
        yield b"," if number else b""
        yield from _message(endpoint, message)
    yield b"]}"


def _message(endpoint: ChatEndpoint, message: Message) -> Iterator[bytes | AudioPart]:
    if message.role != "user":
        # A plain string: some chat templates print the list of parts of a system turn.
        yield encode({"role": message.role, "content": message.text})
        return
    yield b'{"role":"user","content":['
    for number, part in enumerate(message.parts):
        yield b"," if number else b""
        if isinstance(part, TextPart):
            yield encode({"type": "text", "text": part.text})
        else:
            yield from _audio(endpoint, part)
    yield b"]}"


def _audio(endpoint: ChatEndpoint, part: AudioPart) -> Iterator[bytes | AudioPart]:
    yield b'{"type":"input_audio",'
    if endpoint.dialect == "vllm":
        # The server's media cache goes by this id; a content hash cannot mix up two clips.
        yield b'"uuid":"' + part.sha256.encode() + b'",'
    prefix = b"data:;base64," if endpoint.dialect == "dashscope" else b""
    yield b'"input_audio":{"format":"' + endpoint.audio_format.encode() + b'","data":"' + prefix
    yield part
    yield b'"}}'


def _merged(parts: Iterator[bytes | AudioPart]) -> Iterator[bytes | AudioPart]:
    """The same, with neighbouring bytes as one."""
    held: list[bytes] = []
    for part in parts:
        if isinstance(part, bytes):
            held.append(part)
            continue
        yield b"".join(held)
        held = []
        yield part
    yield b"".join(held)
