"""A speech engine over a server: what all have in common, whatever they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from voxmem.config import Speech
from voxmem.errors import UsageError
from voxmem.models.address import checked
from voxmem.models.secret import read_key
from voxmem.speech.engine import Rendition
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.served.client import SpeechClient
from voxmem.speech.served.reply import Reply
from voxmem.speech.text import spoken_text
from voxmem.vocabulary import NEUTRAL


class Request(NamedTuple):
    """One rendition, as a server is asked for it."""

    body: Mapping[str, Any]
    applied: str
    """What of the delivery it asks for, in the engine's own words."""


class Asking(Protocol):
    """How one kind of server is asked."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def voices(self) -> tuple[str, ...]: ...

    @property
    def deliveries(self) -> frozenset[str]: ...

    def voice_revision(self, voice: str) -> str: ...

    def licences(self, voice: str) -> Mapping[str, str]: ...

    def request(self, text: str, voice: str, delivery: str, seed: int) -> Request:
        """The request for a plain text; the neutral one differs from a cued one in nothing but
        what asks for the delivery.

        Raises:
            SpeechError: The text cannot be asked for so.
            UsageError: The voice is unknown.
        """
        ...


class ServedEngine:
    """Renditions from a server. Safe to share between threads.

    Servers have no common level, so that each take is levelled: one gain brings its neutral
    rendition to the nominal level, and the same gain is applied to the cued one.
    """

    def __init__(self, asking: Asking, client: SpeechClient, concurrency: int) -> None:
        self._asking = asking
        self._client = client
        self.concurrency = concurrency
        self.name = asking.name
        self.revision = asking.revision
        self.voices = asking.voices
        self.deliveries = asking.deliveries

    def voice_revision(self, voice: str) -> str:
        """Of what the voice is cloned from, or of its name."""
        return self._asking.voice_revision(voice)

    def licences(self, voice: str) -> Mapping[str, str]:
        """Of the model and of the voice."""
        return self._asking.licences(voice)

    def render(self, text: str, voice: str, delivery: str = NEUTRAL, seed: int = 0) -> Rendition:
        """One request; two for a cued rendition, whose level is set by its neutral one.

        Raises:
            InputError: There is nothing in the text that can be spoken.
            UsageError: Voice, delivery or settings are wrong.
            SpeechError: This text was not rendered.
            ModelError: The server is not there.
        """
        if delivery != NEUTRAL:
            return self.render_pair(text, voice, delivery, seed)[0]
        asked = self._request(text, voice, NEUTRAL, seed)
        (reply,) = self._client.speak(text, [asked.body])
        return _rendition(reply, asked, _gain(reply))

    def render_pair(
        self,
        text: str,
        voice: str,
        delivery: str,
        seed: int = 0,
        span: tuple[int, int] | None = None,
    ) -> tuple[Rendition, Rendition]:
        """The cued rendition, and the neutral one: the same text, voice and seed without what asks
        for the delivery. Raises what :meth:`render` raises."""
        if span is not None:
            raise UsageError(f"{self.name} renders no phrase alone otherwise", stage="speak")
        asked = [self._request(text, voice, wanted, seed) for wanted in (delivery, NEUTRAL)]
        replies = self._client.speak(text, [request.body for request in asked])
        gain = _gain(replies[1])
        cued, neutral = (
            _rendition(reply, request, gain) for reply, request in zip(replies, asked, strict=True)
        )
        return cued, neutral

    def locate(
        self, text: str, voice: str, span: tuple[int, int], seed: int = 0
    ) -> tuple[int, int]:
        """Raises:
        UsageError: Always: no server tells where its words are.
        """
        raise UsageError(f"{self.name} does not tell where its words are", stage="speak")

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _request(self, text: str, voice: str, delivery: str, seed: int) -> Request:
        if delivery != NEUTRAL and delivery not in self.deliveries:
            raise UsageError(
                f"{self.name} has no delivery {delivery!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(sorted(self.deliveries))}",
            )
        return self._asking.request(spoken_text(text), voice, delivery, seed)


def connected(
    asking: Asking, address: str, key_variable: str | None, settings: Speech
) -> ServedEngine:
    """The engine that asks the server at an address, with the key that a variable holds if one is
    named. Nothing is sent before the first clip.

    Raises:
        UsageError: The address is none, or the variable is not set.
    """
    client = SpeechClient(
        f"{checked(address, item=asking.model)}/audio/speech",
        server=f"{asking.name} {asking.model}",
        key=None if key_variable is None else read_key(key_variable, item=asking.model),
        key_variable=key_variable,
        timeout=settings.timeout_s,
        concurrency=settings.concurrency,
    )
    return ServedEngine(asking, client, settings.concurrency)


def _gain(neutral: Reply) -> np.float32:
    return np.float32(10 ** ((NOMINAL_DB - active_level_db(neutral.audio)) / 20))


def _rendition(reply: Reply, asked: Request, gain: np.float32) -> Rendition:
    return Rendition(reply.audio * gain, "; ".join((asked.applied, *reply.notes)))
