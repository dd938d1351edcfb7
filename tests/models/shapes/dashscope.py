"""A strict server of DashScope's dialect of the OpenAI chat protocol."""

from __future__ import annotations

from typing import Any

from tests.models.fake_openai import Step
from tests.models.shapes.dialect import Body, DialectServer, Refused, Sound, fails

PREFIX = "data:;base64,"
USAGE = {
    "prompt_tokens": 640,
    "completion_tokens": 31,
    "total_tokens": 671,
    "completion_tokens_details": {"reasoning_tokens": 22, "text_tokens": 9},
    "prompt_tokens_details": {"audio_tokens": 500, "text_tokens": 140, "cached_tokens": 256},
}


def error(status: int, code: str, message: str, **headers: str) -> Step:
    """DashScope's error: code and type are the same word."""
    body = {
        "error": {"code": code, "type": code, "param": None, "message": message},
        "request_id": "1f2e",
    }
    return fails(status, body, **headers)


class DashScopeServer(DialectServer):
    """The server.

    Args:
        longest_seconds: Of a clip.
        longest_input: Tokens, 7 of them a second of audio.
    """

    path = "/compatible-mode/v1/chat/completions"
    fields = frozenset(
        {"model", "messages", "max_tokens", "temperature", "seed", "stream", "stream_options",
         "modalities", "reasoning_effort"}
    )  # fmt: skip

    def __init__(
        self,
        *steps: Step,
        key: str | None = "planted-key-31",
        model: str = "served",
        longest_seconds: float = 180.0,
        longest_input: int = 983_616,
    ) -> None:
        super().__init__(*steps, key=key, model=model)
        self._longest_seconds, self._longest_input = longest_seconds, longest_input

    def refuse(self, status: int, message: str, code: str | int | None = None) -> Refused:
        return Refused(error(status, str(code or "invalid_parameter_error"), message))

    def check(self, body: Body) -> list[Sound]:
        if body["model"] != self._model:
            said = f"The model `{body['model']}` does not exist or you do not have access to it."
            raise self.refuse(404, said, "model_not_found")
        if body.get("stream") is not True:
            raise self.refuse(
                400,
                "This model only support stream mode, please enable the stream parameter to access "
                "the model. ",
            )
        if body.get("stream_options") != {"include_usage": True}:
            raise self.refuse(400, "without include_usage nothing shows what was charged")
        if body.get("modalities") != ["text"]:
            raise self.refuse(400, "audio was not asked for, and would be paid for")
        self.check_turns(body)
        clips = [
            part
            for message in body["messages"]
            if message["role"] == "user"
            for part in message["content"]
            if part["type"] != "text"
        ]
        sounds = [self._check_clip(clip) for clip in clips]
        if sum(sound.seconds * 7 for sound in sounds) > self._longest_input:
            raise self.refuse(
                400,
                f"<400> InternalError.Algo.InvalidParameter: Range of input length should be "
                f"[1, {self._longest_input}]",
            )
        return sounds

    def _check_clip(self, part: dict[str, Any]) -> Sound:
        if part["type"] != "input_audio" or set(part) != {"type", "input_audio"}:
            raise self.refuse(400, f"no clip: {sorted(part)}")
        audio = part["input_audio"]
        if set(audio) != {"data", "format"} or audio["format"] != "wav":
            raise self.refuse(400, f"no clip: {sorted(audio)}, {audio.get('format')}")
        if not audio["data"].startswith(PREFIX):
            raise self.refuse(
                400,
                "The provided URL does not appear to be valid. Ensure it is correctly formatted.",
            )
        data, seconds = self.decoded(audio["data"].removeprefix(PREFIX), audio["format"])
        if seconds > self._longest_seconds:
            raise self.refuse(400, "The audio is too long and should be less than 3 minutes.")
        return Sound(data, seconds)
