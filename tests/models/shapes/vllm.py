"""A strict server of vLLM's dialect of the OpenAI chat protocol."""

from __future__ import annotations

import re
from typing import Any

from tests.models.fake_openai import Step
from tests.models.shapes.dialect import Body, DialectServer, Refused, Sound, fails

USAGE = {"prompt_tokens": 812, "completion_tokens": 9, "total_tokens": 821}


def error(status: int, message: str, kind: str = "BadRequestError") -> Step:
    """vLLM's error: its code is the status, a number."""
    return fails(
        status, {"error": {"message": message, "type": kind, "param": None, "code": status}}
    )


class VllmServer(DialectServer):
    """The server.

    Args:
        most: Clips in one request (``--limit-mm-per-prompt``).
        context: Tokens (``--max-model-len``), 25 of them a second of audio.
        formats: Containers that it decodes.
    """

    fields = frozenset(
        {"model", "messages", "max_tokens", "temperature", "seed", "stream", "stream_options"}
    )

    def __init__(
        self,
        *steps: Step,
        key: str | None = None,
        model: str = "served",
        most: int = 999,
        context: int = 32_768,
        formats: tuple[str, ...] = ("wav", "flac"),
    ) -> None:
        super().__init__(*steps, key=key, model=model)
        self._most, self._context, self._formats = most, context, formats
        self._by_uuid: dict[str, bytes] = {}

    def refuse(self, status: int, message: str, code: str | int | None = None) -> Refused:
        return Refused(error(status, message, str(code or "BadRequestError")))

    def check(self, body: Body) -> list[Sound]:
        if body["model"] != self._model:
            raise self.refuse(404, f"The model `{body['model']}` does not exist.", "NotFoundError")
        if "stream_options" in body and not body.get("stream"):
            raise self.refuse(400, "Stream options can only be defined when `stream=True`.")
        self.check_turns(body)
        sounds: list[Sound] = []
        for message in body["messages"]:
            if message["role"] == "user":
                sounds += self._check_parts(message["content"])
        if len(sounds) > self._most:
            raise self.refuse(400, f"At most {self._most} audio(s) may be provided in one prompt.")
        tokens = sum(round(sound.seconds * 25) for sound in sounds)
        if tokens + body["max_tokens"] > self._context:
            raise self.refuse(
                400,
                f"This model's maximum context length is {self._context} tokens. However, you "
                f"requested {tokens + body['max_tokens']} tokens ({tokens} in the messages, "
                f"{body['max_tokens']} in the completion).",
            )
        return sounds

    def _check_parts(self, parts: list[dict[str, Any]]) -> list[Sound]:
        # A template of plain strings puts placeholders before the texts of their message, so
        # that the order is kept only where no text follows a clip.
        kinds = [part["type"] for part in parts]
        if kinds != sorted(kinds, key=lambda kind: kind != "text"):
            raise self.refuse(400, f"a text follows a clip: {kinds}")
        return [self._check_clip(part) for part in parts if part["type"] != "text"]

    def _check_clip(self, part: dict[str, Any]) -> Sound:
        if part["type"] != "input_audio" or set(part) != {"type", "input_audio", "uuid"}:
            raise self.refuse(400, f"no clip: {sorted(part)}")
        audio, uuid = part["input_audio"], part["uuid"]
        if set(audio) != {"data", "format"} or audio["format"] not in self._formats:
            raise self.refuse(400, f"no clip: {sorted(audio)}, {audio.get('format')}")
        if not re.fullmatch(r"[0-9a-f]{64}", uuid):
            raise self.refuse(400, f"no hash: {uuid}")
        data, seconds = self.decoded(audio["data"], audio["format"])
        if self._by_uuid.setdefault(uuid, data) != data:
            raise self.refuse(400, f"two clips share the id {uuid}")
        return Sound(data, seconds, uuid)
