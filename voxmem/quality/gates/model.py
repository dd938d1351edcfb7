"""The one interface through which every gate asks, and a model behind the OpenAI protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from pydantic import BaseModel, JsonValue

from voxmem import keys
from voxmem.config import LanguageModel
from voxmem.messages import Message
from voxmem.models.audio import AudioCache, ReadAudio
from voxmem.models.chat import ChatClient
from voxmem.models.endpoint import ChatEndpoint, load_endpoint
from voxmem.models.outcome import Reply
from voxmem.models.text import openai
from voxmem.models.text.open import key_variable
from voxmem.models.text.schema import wire_schema

GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai"
"""Gemini's address for the OpenAI protocol, which carries audio parts as well."""
MAX_OUTPUT_TOKENS = 8192
"""A verdict is short, but what a model thinks before it counts as well."""


class GateModel(Protocol):
    """A model that gates ask. Used inside one event loop at a time, and closed in it."""

    @property
    def name(self) -> str:
        """As the provider knows it."""
        ...

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the request."""
        ...

    @property
    def concurrency(self) -> int:
        """Requests that it takes at a time."""
        ...

    async def reply(
        self, messages: Sequence[Message], shape: type[BaseModel], audio: ReadAudio
    ) -> Reply:
        """One reply that should be JSON of that shape; a failure is its outcome.

        Raises:
            UsageError: The settings are wrong: every other request would fail as well.
        """
        ...

    async def aclose(self) -> None:
        """Closes the connections. It may be asked again afterwards."""
        ...


class ServedModel:
    """A model that an endpoint serves: asked for JSON of a schema, with recordings if there are.

    Args:
        endpoint: Where and how to ask.
        sleep: Waits between attempts; replaced in tests.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.endpoint = endpoint
        self.name = endpoint.model
        self.fingerprint = keys.key("gate model", endpoint.identity)
        self.concurrency = endpoint.concurrency
        self._sleep = sleep
        self._clients: dict[str, ChatClient] = {}
        self._audio = AudioCache(endpoint.audio_format)

    async def reply(
        self, messages: Sequence[Message], shape: type[BaseModel], audio: ReadAudio
    ) -> Reply:
        """See :meth:`GateModel.reply`."""
        client = self._client_of(shape)
        return await client.complete(messages, audio=self._audio.over(audio))

    async def aclose(self) -> None:
        """See :meth:`GateModel.aclose`."""
        clients = list(self._clients.values())
        self._clients.clear()
        for client in clients:
            await client.aclose()

    def _client_of(self, shape: type[BaseModel]) -> ChatClient:
        """The client whose every request asks for that shape."""
        if shape.__name__ not in self._clients:
            schema: dict[str, JsonValue] = {
                "name": shape.__name__,
                "strict": True,
                "schema": wire_schema(shape),
            }
            wanted: dict[str, JsonValue] = {"type": "json_schema", "json_schema": schema}
            extra = self.endpoint.extra_body | {"response_format": wanted}
            asking = self.endpoint.model_copy(update={"extra_body": extra})
            self._clients[shape.__name__] = ChatClient(asking, sleep=self._sleep)
        return self._clients[shape.__name__]


def served(
    settings: LanguageModel, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> ServedModel:
    """The model that a config names. Gemini is reached through its OpenAI-shaped address.

    Without ``api_key_env``, the provider's own server is asked with the key of its usual variable,
    and any other server without a key.

    Raises:
        UsageError: The address or another setting is wrong.
    """
    own = settings.base_url is None
    address = {"openai": openai.BASE_URL, "gemini": GEMINI}[settings.provider]
    endpoint = load_endpoint(
        {
            "base_url": settings.base_url or address,
            "model": settings.model,
            "api_key_env": key_variable(settings),
            "temperature": settings.temperature,
            "timeout": settings.timeout_s,
            "concurrency": settings.concurrency,
            "max_output_tokens": MAX_OUTPUT_TOKENS,
            # OpenAI's own server takes the limit of its newer models under this name alone.
            "max_output_tokens_field": "max_completion_tokens"
            if own and settings.provider == "openai"
            else "max_tokens",
        },
        name=settings.model,
    )
    return ServedModel(endpoint, sleep=sleep)
