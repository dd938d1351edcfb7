"""Where a chat model is served and how it wants to be asked: one frozen record of settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, JsonValue, field_validator, model_validator

from voxmem.models.address import parts_of
from voxmem.models.audio import AudioFormat
from voxmem.models.settings import read_settings
from voxmem.records import Delivery, Record

Dialect = Literal["openai", "vllm", "dashscope"]
"""``openai``: bare base64. ``vllm``: the same, and each clip carries its hash as the media cache's
id. ``dashscope``: a ``data:;base64,`` URI, answers only as a stream."""


class ChatEndpoint(Record):
    """Settings of one model behind the OpenAI chat protocol. Never holds a key."""

    # A setting put in the wrong place may be a key, so errors do not repeat what was given.
    model_config = ConfigDict(hide_input_in_errors=True)

    base_url: str
    """Up to and without ``/chat/completions``."""
    model: str
    """The name that the server knows it by."""
    revision: str | None = None
    """Of the weights, where known; only tells runs apart."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    """The *name* of the environment variable that holds the key; ``None`` if none is needed."""
    dialect: Dialect = "openai"
    delivery: Delivery = "native"
    audio_format: AudioFormat = "wav"
    max_output_tokens: int = Field(default=1024, ge=1)
    max_output_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Under which name the server takes the limit."""
    temperature: float | None = Field(default=0.0, ge=0.0)
    """``None``: not sent, for models that reject it."""
    seed: int | None = None
    modalities: tuple[str, ...] = ()
    """Output modalities, for models that may also speak; empty: not sent."""
    stream: bool = False
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    """Further request fields, for what only this server knows."""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one attempt, from connecting to the last byte."""
    max_retries: int = Field(default=4, ge=0, le=20)
    backoff: float = Field(default=0.5, gt=0)
    """Seconds before the first retry; doubled for each further one."""
    max_wait: float = Field(default=120.0, gt=0)
    """The longest wait in seconds. A server that asks for more is not asked again."""
    concurrency: int = Field(default=4, ge=1)
    """Requests in flight at once."""

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str) -> str:
        parts = parts_of(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an http or https URL")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user name, password, query or fragment")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _fits_together(self) -> ChatEndpoint:
        clash = sorted(set(self.extra_body) & RESERVED_FIELDS)
        if clash:
            raise ValueError(f"extra_body may not set {', '.join(clash)}: it has its own setting")
        if self.dialect == "dashscope" and not self.stream:
            raise ValueError("the dashscope dialect answers only as a stream: set stream to true")
        if self.dialect == "openai" and self.audio_format == "flac":
            raise ValueError("the openai dialect takes no flac: set audio_format to wav")
        return self

    @property
    def identity(self) -> dict[str, Any]:
        """The settings that decide an answer, for content keys: not where, how fast or how often.

        The name under which the output limit is sent and streaming are left out as well.
        """
        return self.model_dump(mode="json", include=set(_DECIDING))


RESERVED_FIELDS = frozenset(
    {
        "model",
        "messages",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "seed",
        "modalities",
        "stream",
        "stream_options",
    }
)

_DECIDING = (
    "model",
    "revision",
    "dialect",
    "delivery",
    "audio_format",
    "max_output_tokens",
    "temperature",
    "seed",
    "modalities",
    "extra_body",
)


def load_endpoint(settings: Mapping[str, object], *, name: str) -> ChatEndpoint:
    """An endpoint from a plain mapping, as read from a file.

    Raises:
        UsageError: Naming the entry and the first setting that is wrong, without its value.
    """
    return read_settings(ChatEndpoint, settings, name=name)
