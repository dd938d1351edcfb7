"""A chat endpoint as a system under test: items in, replies out."""

from __future__ import annotations

from typing import Literal

from voxmem import keys
from voxmem.messages import build_messages
from voxmem.models.audio import AudioCache
from voxmem.models.chat import ChatClient
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.prompts import Prompt

VERSION = 1
"""Raise it when the same settings and items lead to other requests."""


class ChatModel:
    """Tells an item to a model as one conversation and returns its reply.

    Args:
        name: The registry's name for it, under which its responses are kept.
        client: An open client of its endpoint.
        prompt: The candidate prompt of the arm.
    """

    kind: Literal["control", "model"] = "model"

    def __init__(self, name: str, client: ChatClient, prompt: Prompt) -> None:
        self.name = name
        self.prompt = prompt
        self._client = client
        self._audio = AudioCache(client.endpoint.audio_format)

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item."""
        return keys.key(
            "chat", VERSION, self.name, self._client.endpoint.identity, self.prompt.sha256
        )

    async def answer(self, item: Item) -> Reply:
        """One reply. Raises what :meth:`ChatClient.complete` and :func:`build_messages` raise."""
        messages = build_messages(
            self.prompt.text,
            item.spoken_sessions(),
            item.question.query_timestamp,
            item.question_clip,
            delivery=self._client.endpoint.delivery,
        )
        return await self._client.complete(messages, audio=self._audio.over(item.read_audio))
