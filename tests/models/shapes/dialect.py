"""What the two strict servers of these tests have in common: a chat server that refuses what its
real counterpart refuses, in that one's words, and otherwise answers by script."""

from __future__ import annotations

import base64
import binascii
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import soundfile

from tests.models.fake_openai import FakeOpenAI, Request, Step, answers

Body = dict[str, Any]


class Refused(Exception):
    """A request that the server does not take."""

    def __init__(self, step: Step) -> None:
        super().__init__(step.body.decode())
        self.step = step


@dataclass(frozen=True)
class Sound:
    """A clip as it came."""

    data: bytes
    seconds: float
    uuid: str | None = None


class DialectServer(FakeOpenAI):
    """The server.

    Args:
        steps: What valid requests are answered, one after the other.
        key: The only key that is let in; ``None`` asks for none.
        model: The one that it serves.
    """

    path = "/v1/chat/completions"
    fields: frozenset[str] = frozenset()
    """Those that a request may have."""

    def __init__(self, *steps: Step, key: str | None, model: str) -> None:
        super().__init__(script=self._answer, key=key, strict=False)
        self.valid: list[Body] = []
        self.sounds: list[list[Sound]] = []
        """Of each valid request, in order."""
        self.refused: list[str] = []
        self._steps = list(steps)
        self._model = model

    @property
    def url(self) -> str:
        root = super().url.removesuffix("/v1")
        return root + self.path.removesuffix("/chat/completions")

    def check(self, body: Body) -> list[Sound]:
        """The clips of a valid request.

        Raises:
            Refused: It is not valid.
        """
        raise NotImplementedError

    def refuse(self, status: int, message: str, code: str | int | None = None) -> Refused:
        """The server's error, in its own shape."""
        raise NotImplementedError

    def _take(self, headers: Mapping[str, str], path: str, raw: bytes) -> Step:
        # The other fake checks its own path and key; everything else is checked here.
        path = "/v1/chat/completions" if path == self.path else path
        if headers.get("content-type") != "application/json":
            return self.refuse(
                415, "Unsupported Media Type: Only 'application/json' is allowed"
            ).step
        return super()._take(headers, path, raw)

    def _answer(self, request: Request) -> Step:
        try:
            unknown = set(request.body) - self.fields
            if unknown:
                raise self.refuse(400, f"unknown fields: {sorted(unknown)}")
            sounds = self.check(request.body)
        except Refused as refused:
            self.refused.append(str(refused))
            return refused.step
        self.valid.append(request.body)
        self.sounds.append(sounds)
        return self._steps.pop(0)

    # --- pieces of checks -----------------------------------------------------------------------

    def check_turns(self, body: Body) -> None:
        """One system text as a plain string, then user and assistant in turn, a user last."""
        roles = [message["role"] for message in body["messages"]]
        rest = roles[1:] if roles[0] == "system" else roles
        if rest != ["user", "assistant"] * (len(rest) // 2) + ["user"]:
            raise self.refuse(400, f"Conversation roles must alternate: {roles}")
        for message in body["messages"]:
            if set(message) != {"role", "content"}:
                raise self.refuse(400, f"unknown fields: {sorted(message)}")
            if (message["role"] == "user") == isinstance(message["content"], str):
                raise self.refuse(400, f"content of a {message['role']} has another type")

    def decoded(self, text: str, audio_format: str) -> tuple[bytes, float]:
        """Bytes and seconds of a clip; its container is what was declared."""
        try:
            data = base64.b64decode(text, validate=True)
            with soundfile.SoundFile(io.BytesIO(data)) as file:
                if file.format != audio_format.upper():
                    raise self.refuse(400, f"{file.format} was declared as {audio_format}")
                return data, file.frames / file.samplerate
        except (binascii.Error, soundfile.LibsndfileError) as error:
            raise self.refuse(400, f"Failed to load audio: {error}") from error


def parts_of(body: Body) -> list[list[str]]:
    """The types of the parts of each user turn, in order."""
    return [
        [part["type"] for part in message["content"]]
        for message in body["messages"]
        if message["role"] == "user"
    ]


def says(text: str | None, finish_reason: str | None = "stop", *, usage: Body) -> Step:
    """A whole response."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return answers({**_HEAD, "object": "chat.completion", "choices": [choice], "usage": usage})


def streams(
    *texts: str,
    finish_reason: str | None = "stop",
    usage: Body | None,
    thoughts: tuple[str, ...] = (),
    tail: str = "data: [DONE]\n\n",
) -> Step:
    """A stream of chunks: thoughts, texts, the finish reason, the usage, the end."""
    deltas: list[tuple[Body, str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": None, "reasoning_content": text}, None) for text in thoughts]
    deltas += [({"content": text}, None) for text in texts]
    deltas += [({"content": ""}, finish_reason)] if finish_reason else []
    chunks: list[Body] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "usage": None}
        for delta, reason in deltas
    ]
    if usage is not None:
        chunks.append({"choices": [], "usage": usage})
    head = {**_HEAD, "object": "chat.completion.chunk"}
    lines = "".join(f"data: {json.dumps(head | chunk)}\n\n" for chunk in chunks)
    return Step(body=(lines + tail).encode(), content_type="text/event-stream; charset=utf-8")


def fails(status: int, error: Body, **headers: str) -> Step:
    """An error with that body."""
    return replace(answers(error), status=status, headers=headers)


_HEAD = {"id": "chatcmpl-7", "created": 1_760_000_000, "model": "served"}
