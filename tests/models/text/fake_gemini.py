"""A server on this machine that speaks Gemini's ``generateContent`` over real sockets, by script.

As strict as the real one about path, method, key and body; the steps are those of the other fake.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.models.fake_openai import FakeOpenAI, Request, Step, answers

USAGE = {
    "promptTokenCount": 700,
    "candidatesTokenCount": 21,
    "thoughtsTokenCount": 5,
    "totalTokenCount": 726,
}

_PATH = re.compile(r"/v1(?:beta)?/models/[\w.-]+:generateContent")
_FIELDS = {"contents", "systemInstruction", "generationConfig"}
_SETTINGS = {"temperature", "seed", "responseMimeType", "responseJsonSchema"}


def says(text: str | None, finish_reason: str = "STOP", *, thought: str = "") -> Step:
    """A whole response, with a thought before the text if one is given."""
    parts: list[dict[str, Any]] = [{"text": thought, "thought": True}] if thought else []
    parts += [] if text is None else [{"text": text}]
    candidate = {
        "content": {"role": "model", **({"parts": parts} if parts else {})},
        "finishReason": finish_reason,
        "index": 0,
    }
    return answers({"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "scripted"})


def blocks(reason: str = "PROHIBITED_CONTENT") -> Step:
    """A prompt that is refused before anything is generated."""
    return answers({"promptFeedback": {"blockReason": reason}, "usageMetadata": USAGE})


def fails(
    status: int,
    message: str = "it went wrong",
    *,
    code: str = "INTERNAL",
    wait: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Step:
    """An error in the protocol's shape; ``wait`` as in "3s"."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": wait}]
    error = {"code": status, "message": message, "status": code}
    body = {"error": error | ({"details": details} if wait else {})}
    return replace(answers(body), status=status, headers=headers or {})


class FakeGemini(FakeOpenAI):
    """The server; ``url`` is what the client library takes for its base URL."""

    @property
    def url(self) -> str:
        return super().url.removesuffix("/v1")

    def _take(self, headers: Mapping[str, str], path: str, raw: bytes) -> Step:
        if not _PATH.fullmatch(path):
            return fails(404, f"no route {path}", code="NOT_FOUND")
        key = headers.get("x-goog-api-key")
        if self._key is not None and key != self._key:
            return fails(
                400, f"API key not valid: {key}. Pass a valid API key.", code="INVALID_ARGUMENT"
            )
        try:
            body = json.loads(raw)
            check_request(body)
        except ValueError as error:
            return fails(400, f"Invalid JSON payload received: {error}", code="INVALID_ARGUMENT")
        with self._lock:
            request = Request(headers, body)
            self.requests.append(request)
            number = len(self.requests) - 1
        if callable(self._script):
            return self._script(request)
        return self._script[number] if number < len(self._script) else fails(500, "script ended")


def check_request(body: Any) -> None:
    """Raises ValueError if the body is not what the API takes."""
    if unknown := set(body) - _FIELDS:
        raise ValueError(f"unknown names {sorted(unknown)}")
    if unknown := set(body.get("generationConfig", {})) - _SETTINGS:
        raise ValueError(f"unknown names {sorted(unknown)} at generation_config")
    seed = body["generationConfig"].get("seed", 0)
    if not -(2**31) <= seed < 2**31:
        raise ValueError("seed is no int32")
    roles = [content["role"] for content in body["contents"]]
    if roles != ["user", "model"] * (len(roles) // 2) + ["user"]:
        raise ValueError(f"roles do not alternate: {roles}")
    for content in (*body["contents"], body["systemInstruction"]):
        if [set(part) for part in content["parts"]] != [{"text"}]:
            raise ValueError("a part is no text")
