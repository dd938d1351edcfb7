"""Messages as the body of a chat request, in each dialect."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from voxmem.errors import InputError
from voxmem.messages import AudioPart, Message, TextPart
from voxmem.models.audio import ReadAudio, is_format
from voxmem.models.endpoint import ChatEndpoint


def request_body(
    endpoint: ChatEndpoint, messages: Sequence[Message], audio: ReadAudio
) -> dict[str, Any]:
    """The request as a JSON-able mapping; ``audio`` gives clips in the endpoint's format.

    Raises:
        InputError: A clip is not in that format.
    """
    return {
        "model": endpoint.model,
        "messages": [_message(endpoint, message, audio) for message in messages],
        **parameters(endpoint),
    }


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


def encode(body: dict[str, Any]) -> bytes:
    """The body as it is sent."""
    return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()


def _message(endpoint: ChatEndpoint, message: Message, audio: ReadAudio) -> dict[str, Any]:
    if message.role != "user":
        # A plain string: some chat templates print the list of parts of a system turn.
        return {"role": message.role, "content": message.text}
    return {
        "role": "user",
        "content": [
            {"type": "text", "text": part.text}
            if isinstance(part, TextPart)
            else _audio_part(endpoint, part, audio(part.sha256))
            for part in message.parts
        ],
    }


def _audio_part(endpoint: ChatEndpoint, part: AudioPart, data: bytes) -> dict[str, Any]:
    if not is_format(data, endpoint.audio_format):
        raise InputError(
            f"the clip is not {endpoint.audio_format.upper()}",
            item=part.sha256,
            stage="evaluate",
            remedy="hand over clips in the endpoint's audio_format",
        )
    prefix = "data:;base64," if endpoint.dialect == "dashscope" else ""
    content: dict[str, Any] = {
        "type": "input_audio",
        "input_audio": {
            "data": prefix + base64.b64encode(data).decode("ascii"),
            "format": endpoint.audio_format,
        },
    }
    if endpoint.dialect == "vllm":
        # The server's media cache goes by this id; a content hash cannot mix up two clips.
        content["uuid"] = part.sha256
    return content
