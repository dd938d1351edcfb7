"""Lines between a worker and us; the package says what they mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from voxmem.messages import AudioPart, Message, TextPart
from voxmem.models.entry import Decoding
from voxmem.records import Record, Usage

VERSION = 1
_MARK = b'{"voxmem"'


class BrokenProtocol(Exception):
    """A worker said what the protocol does not allow."""


class Hello(Record):
    """What a worker says of itself."""

    voxmem: int
    type: Literal["hello"]
    name: str
    revision: str | None = None
    sample_rate: int | None = Field(default=None, ge=8000, le=96_000)
    tokens_per_second: float | None = Field(default=None, gt=0)
    longest_clip_seconds: float | None = Field(default=None, gt=0)


class WorkerError(Record):
    """Why a worker has no answer."""

    code: str = "error"
    message: str = ""


class Answer(Record):
    """What a worker says to one request."""

    model_config = ConfigDict(hide_input_in_errors=True)

    voxmem: int
    type: Literal["answer"]
    id: str
    text: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    error: WorkerError | None = None


def read_line(line: bytes) -> Hello | Answer | None:
    """A message; ``None`` for a line that is none.

    A message may follow what a library printed without a line feed.

    Raises:
        BrokenProtocol: It is a message, of another version or shape.
    """
    at = line.find(_MARK)
    if at < 0:
        return None
    try:
        data = json.loads(line[at:])
    except (ValueError, RecursionError):
        raise BrokenProtocol("a line of it is no whole JSON") from None
    if data["voxmem"] != VERSION:
        raise BrokenProtocol(
            f"it speaks version {data['voxmem']!r} of the protocol, and we speak {VERSION}"
        )
    kind = Hello if data.get("type") == "hello" else Answer
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BrokenProtocol(f"{kind.__name__.lower()}: {where}: {first['msg']}") from None


def request_line(
    name: str,
    messages: Sequence[Message],
    files: Mapping[str, Sequence[tuple[Path, float]]],
    decoding: Decoding,
) -> bytes:
    """A request.

    Args:
        name: Its id.
        files: SHA-256 of a clip → its pieces, with the seconds of each.
    """
    turns: list[JsonValue] = [
        {
            "role": message.role,
            "parts": [shown for part in message.parts for shown in _part(part, files)],
        }
        for message in messages
    ]
    body = {
        "voxmem": VERSION,
        "type": "ask",
        "id": name,
        "messages": turns,
        "decoding": decoding.model_dump(mode="json"),
    }
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _part(
    part: TextPart | AudioPart, files: Mapping[str, Sequence[tuple[Path, float]]]
) -> list[JsonValue]:
    if isinstance(part, TextPart):
        return [{"text": part.text}]
    return [{"audio": str(path), "seconds": seconds} for path, seconds in files[part.sha256]]
