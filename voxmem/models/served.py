"""The backend ``openai``: any server that speaks the OpenAI chat protocol.

Settings of an entry (``settings:``) are those of :class:`ChatEndpoint` that the entry itself does
not say: address, key variable, dialect, streaming …
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from voxmem import keys
from voxmem.models.audio import AudioCache
from voxmem.models.chat import ChatClient
from voxmem.models.endpoint import ChatEndpoint, load_endpoint
from voxmem.models.entry import ModelEntry
from voxmem.models.outcome import Reply
from voxmem.models.told import Told

VERSION = 2
"""Raise it when the same entry and conversation lead to another request."""


class ServedModel:
    """A model behind the OpenAI chat protocol.

    Args:
        name: The catalogue's name for it, under which its responses are kept.
        endpoint: Where and how to ask.
    """

    kind: Literal["model"] = "model"
    adapter = f"openai {VERSION}"

    def __init__(self, name: str, endpoint: ChatEndpoint) -> None:
        self.name = name
        self.endpoint = endpoint

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        return keys.key("chat", VERSION, self.name, self.endpoint.identity)

    @property
    def concurrency(self) -> int:
        return self.endpoint.concurrency

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[AskedServer]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        async with ChatClient(self.endpoint) as client:
            yield AskedServer(client)


class AskedServer:
    """An open client of one endpoint."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        self._audio = AudioCache(client.endpoint.audio_format)

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        messages = told.conversation.messages(self._client.endpoint.delivery)
        return await self._client.complete(messages, audio=self._audio.over(told.read_audio))


def open_model(entry: ModelEntry) -> ServedModel:
    """The candidate of an entry.

    Raises:
        UsageError: A setting is missing or wrong; it is named.
    """
    settings = {
        "model": entry.model,
        "revision": entry.revision,
        "delivery": entry.delivery,
        "max_output_tokens": entry.decoding.max_output_tokens,
        "temperature": entry.decoding.temperature,
        "seed": entry.decoding.seed,
        "concurrency": entry.pace.concurrency,
        **entry.settings,
    }
    return ServedModel(entry.name, load_endpoint(settings, name=entry.name))
