"""What a chat server sent back, whole or as a stream, read into a completion or a failure.

Nothing a server sends raises an exception here: an unexpected shape is a failure ``malformed``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from voxmem.models.outcome import Completion, Failure
from voxmem.records import Usage

_MOST_TOKENS = 10**9
_INNER_STATUS = re.compile(r"[45][0-9]{2}")


def read_body(body: bytes) -> Completion | Failure:
    """The body of a response with status 200 to a request without ``stream``."""
    data = _json(body)
    if isinstance(data, Failure):
        return data
    if _error_of(data):
        return read_error(200, body)
    choice = _first_choice(data)
    if choice is None:
        return _malformed("the response holds no choices")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return _malformed("the first choice holds no message")
    # A refusal field is the model's own words, and is judged like them.
    text = _text(message.get("content")) or _text(message.get("refusal"))
    return Completion(text, _string(choice.get("finish_reason")), _usage(data.get("usage")))


def read_error(status: int, body: bytes, retry_after: float | None = None) -> Failure:
    """The body of a response that reports an error, in whatever shape."""
    data = _json(body)
    if isinstance(data, Failure):
        # A proxy's page says nothing that its status does not.
        return Failure("", status, retry_after=retry_after)
    error = _error_of(data) or data
    code = _string(error.get("code")) or _string(error.get("type")) or ""
    inner = _INNER_STATUS.fullmatch(str(error.get("code")))
    if status == 200 and inner:
        # Some servers answer 200 and put the status of what failed inside.
        status = int(inner[0])
    message = _string(error.get("message")) or _string(data.get("detail")) or ""
    return Failure(message, status, code, _string(error.get("param")), retry_after)


class StreamReader:
    """Assembles a server-sent stream of chunks. Feed it bytes as they come, then ask the result."""

    def __init__(self) -> None:
        self._pending = b""
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._finish_reason: str | None = None
        self._usage = Usage()
        self._failure: Failure | None = None
        self._done = False

    def feed(self, data: bytes) -> None:
        """Takes the next bytes of the stream, cut anywhere."""
        # Only line feeds end a line here: text may hold other line separators unescaped.
        *lines, self._pending = (self._pending + data).split(b"\n")
        self._read(lines)

    def result(self) -> Completion | Failure:
        """What was said, or ``malformed`` if the stream broke off before its end."""
        self._read([self._pending])
        self._pending = b""
        if self._failure:
            return self._failure
        if not (self._done or self._finish_reason):
            return _malformed("the stream ended without a finish reason")
        text = "".join(self._texts) or "".join(self._refusals)
        return Completion(text, self._finish_reason, self._usage)

    def _read(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            if line.startswith(b"data:") and not self._failure:
                self._event(line.removeprefix(b"data:").strip())

    def _event(self, payload: bytes) -> None:
        if payload == b"[DONE]":
            self._done = True
            return
        data = _json(payload)
        if isinstance(data, Failure):
            self._failure = data
        elif _error_of(data):
            self._failure = read_error(200, payload)
        else:
            self._chunk(data)

    def _chunk(self, data: Mapping[str, Any]) -> None:
        if data.get("usage"):
            self._usage = _usage(data["usage"])
        choice = _first_choice(data)
        if choice is None:
            return  # the chunk that closes the stream carries usage alone
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            self._texts.append(_text(delta.get("content")))
            self._refusals.append(_text(delta.get("refusal")))
        self._finish_reason = _string(choice.get("finish_reason")) or self._finish_reason


def _json(body: bytes) -> Mapping[str, Any] | Failure:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return _malformed("the response is not JSON")
    return data if isinstance(data, dict) else _malformed("the response is no JSON object")


def _malformed(what: str) -> Failure:
    return Failure(what, 200, "malformed")


def _error_of(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    error = data.get("error")
    if isinstance(error, str) and error:
        return {"message": error}
    return error if isinstance(error, dict) and error else None


def _first_choice(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    choices = data.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    return None


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _usage(raw: object) -> Usage:
    if not isinstance(raw, dict):
        return Usage()
    read, written = (
        _details(raw.get(f"{name}_tokens_details")) for name in ("prompt", "completion")
    )
    return Usage(
        input_tokens=_count(raw.get("prompt_tokens")),
        output_tokens=_count(raw.get("completion_tokens")),
        thinking_tokens=_count(written.get("reasoning_tokens")),
        audio_tokens=_count(read.get("audio_tokens")),
        cached_tokens=_count(read.get("cached_tokens")),
    )


def _details(raw: object) -> Mapping[str, Any]:
    return raw if isinstance(raw, dict) else {}


def _count(value: object) -> int | None:
    """A number of tokens, if it can be one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None
