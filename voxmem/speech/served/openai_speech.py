"""Any server of the OpenAI speech shape: its own voices, and the deliveries that it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voxmem import keys
from voxmem.config import Speech
from voxmem.errors import UsageError
from voxmem.models.text.openai import BASE_URL, KEY_VARIABLE
from voxmem.speech.served.engine import Request, ServedEngine, connected
from voxmem.speech.voices.manifest import EMBEDDED, VoiceManifest, open_manifest
from voxmem.vocabulary import NEUTRAL

VERSION = 1
"""Raise it when the same settings and text lead to other requests."""

SPEEDS: dict[str, float] = {"fast": 1.2, "slow": 0.8}
INSTRUCTIONS: dict[str, str] = {
    "confident": "Speak confidently, with a firm and assured voice.",
    "excited": "Speak with excitement: lively, bright and with a wide range of pitch.",
    "hesitant": "Speak hesitantly, with short pauses between words. Add no words or sounds.",
    "monotone": "Speak in a monotone: flat pitch, even stress, no emotion.",
    "reflective": "Speak reflectively, calmly and in thought.",
    "sad": "Speak sadly, with a low and subdued voice.",
    "surprised": "Speak with surprise, as if this had just been found out.",
    "tense": "Speak tensely, with a strained and tight voice.",
    "whispered": "Whisper every word.",
}
"""Delivery → what a server that takes instructions is told, of the whole turn. A laugh adds sounds
that nobody asked for in words, and emphasis needs its word: neither is asked for."""


class OpenAISpeech:
    """How a server of the OpenAI speech shape is asked. It takes no seed: another take of a clip
    differs as far as the server's renditions differ by themselves."""

    name = "openai-speech"

    def __init__(self, settings: Speech, manifest: VoiceManifest, model: str) -> None:
        self._manifest = manifest
        self.model = model
        told = INSTRUCTIONS if settings.takes_instructions else {}
        self._cues: dict[str, tuple[dict[str, Any], str]] = {
            **{
                name: ({"instructions": line}, f"instructions: {line}")
                for name, line in told.items()
            },
            **{name: ({"speed": speed}, f"speed {speed:g}") for name, speed in SPEEDS.items()},
            NEUTRAL: ({}, NEUTRAL),
        }
        self.deliveries = frozenset(self._cues) - {NEUTRAL}
        self._names = {
            persona: voice.server_voice
            for persona, voice in manifest.voices.items()
            if voice.server_voice is not None
        }
        self.voices = tuple(self._names)
        self.revision = f"{VERSION}+{model}+{keys.short(self._cues)}"

    def voice_revision(self, voice: str) -> str:
        return keys.short("voice", self._name(voice))

    def licences(self, voice: str) -> Mapping[str, str]:
        self._name(voice)
        found = self._manifest.voice(voice)
        return {f"speech: {self.model}, voice {found.speaker}, {found.source}": found.licence}

    def request(self, text: str, voice: str, delivery: str, seed: int) -> Request:
        fields, applied = self._cues[delivery]
        body = {
            "model": self.model,
            "input": text,
            "voice": self._name(voice),
            "response_format": "wav",
        }
        return Request(body | fields, applied)

    def _name(self, voice: str) -> str:
        if voice not in self._names:
            raise UsageError(
                f"the server has no voice for {voice!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(self.voices)}",
            )
        return self._names[voice]


def open_engine(settings: Speech) -> ServedEngine:
    """The engine that the settings describe. Nothing is sent before the first clip.

    The key is read from ``api_key_env``; without it, the provider's own server is asked with the
    key of its usual variable, and any other server without a key.

    Raises:
        UsageError: Model, key or manifest are missing, or the manifest names no server voice.
        InputError: The manifest is not what it should be.
    """
    if settings.model is None or settings.voices == EMBEDDED:
        field = "model" if settings.model is None else "voices"
        raise UsageError(
            f"openai-speech needs {field}",
            stage="speak",
            remedy=f"set speech.{field}; voices is a manifest with a server_voice for each persona",
        )
    asking = OpenAISpeech(settings, open_manifest(settings.voices), settings.model)
    if not asking.voices:
        raise UsageError(
            "the voice manifest names no server_voice", item=settings.voices, stage="speak"
        )
    variable = settings.api_key_env or (None if settings.base_url else KEY_VARIABLE)
    return connected(asking, settings.base_url or BASE_URL, variable, settings)
