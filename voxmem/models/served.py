"""The backend ``openai``: any server that speaks the OpenAI chat protocol.

Settings of an entry (``settings:``) are those of :class:`ChatEndpoint` that the entry itself does
not say: address, key variable, dialect, streaming …
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Literal

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.messages import Message
from voxmem.models.chat import ChatClient
from voxmem.models.clips import ClipCache, Clips
from voxmem.models.endpoint import ChatEndpoint, load_endpoint
from voxmem.models.entry import ClipLimits, ModelEntry, Pace
from voxmem.models.outcome import Reply
from voxmem.models.pace import pacer_of
from voxmem.models.split import split
from voxmem.models.told import Told

VERSION = 2
"""Raise it when the same entry and conversation lead to another request."""
_CHARACTERS_PER_TOKEN = 4
_USUAL_RATE = 25.0
"""Tokens of a second of audio, for the pace, where a model's own rate is not known."""


class ServedModel:
    """A model behind the OpenAI chat protocol.

    Args:
        name: The catalogue's name for it, under which its responses are kept.
        endpoint: Where and how to ask.
        pace: What the provider admits.
        limits: What it takes of clips.
        tokens_per_second: Of its audio, for the pace.
        clips: Makes clips ready; a cache of this machine if absent.
    """

    kind: Literal["model"] = "model"
    adapter = f"openai {VERSION}"

    def __init__(
        self,
        name: str,
        endpoint: ChatEndpoint,
        *,
        pace: Pace | None = None,
        limits: ClipLimits | None = None,
        tokens_per_second: float | None = None,
        clips: Clips | None = None,
    ) -> None:
        self.name = name
        self.endpoint = endpoint
        self.pace = pace or Pace(concurrency=endpoint.concurrency)
        self.limits = limits or ClipLimits()
        self.tokens_per_second = tokens_per_second or _USUAL_RATE
        self._clips = clips

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        return keys.key("chat", VERSION, self.name, self.endpoint.identity, self.limits)

    @property
    def concurrency(self) -> int:
        return self.endpoint.concurrency

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[AskedServer]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        pacer = pacer_of(self.endpoint.base_url, self.pace)
        clips = self._clips or ClipCache(self.endpoint.audio_format)
        async with ChatClient(self.endpoint, pacer=pacer) as client:
            yield AskedServer(self, client, clips)


class AskedServer:
    """An open client of one endpoint."""

    def __init__(self, model: ServedModel, client: ChatClient, clips: Clips) -> None:
        self._model, self._client, self._clips = model, client, clips

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        limits = self._model.limits
        heard = split(told.conversation, limits.longest_seconds)
        clips = len(heard.conversation.clips)
        if limits.most is not None and clips > limits.most:
            said = f"the model takes {limits.most} clips in a request, and there are {clips}"
            return Reply(outcome="unsupported", error=said)
        messages = heard.conversation.messages(self._model.endpoint.delivery)
        reply = await self._client.ask(
            messages,
            self._clips,
            heard.reader(told.read_audio),
            tokens=self._tokens(messages),
            largest=limits.request_bytes,
        )
        call = reply.call.model_copy(update={"notes": (*heard.notes, *reply.call.notes)})
        return reply.model_copy(update={"call": call})

    def _tokens(self, messages: Sequence[Message]) -> float:
        """What a request comes to, about."""
        texts = sum(len(message.text) for message in messages)
        seconds = sum(part.seconds for message in messages for part in message.clips)
        return texts / _CHARACTERS_PER_TOKEN + seconds * self._model.tokens_per_second


def open_model(entry: ModelEntry) -> ServedModel:
    """The candidate of an entry.

    Raises:
        UsageError: A setting is missing or wrong; it is named.
    """
    if entry.decoding.thinking is not None:
        raise UsageError(
            "decoding.thinking has no field of its own in this protocol",
            item=entry.name,
            stage="models",
            remedy="say it in settings.extra_body, as the server takes it",
        )
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
    return ServedModel(
        entry.name,
        load_endpoint(settings, name=entry.name),
        pace=entry.pace,
        limits=entry.clips,
        tokens_per_second=entry.tokens_per_second,
    )
