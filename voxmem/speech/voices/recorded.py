"""Real recordings in the place of an engine's clips."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.speech.engine import Audio, Rendition, SpeechEngine
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.voices.manifest import Recording, VoiceManifest
from voxmem.vocabulary import NEUTRAL


def with_recordings(engine: SpeechEngine, manifest: VoiceManifest) -> SpeechEngine:
    """The engine with the manifest's recordings in their places, if there are any.

    Raises:
        InputError: A recording cannot be read.
    """
    return RecordedEngine(engine, manifest) if manifest.has_recordings else engine


class RecordedEngine:
    """Gives a recording where the manifest has one of the text, voice and delivery, and asks
    ``engine`` else. Every take of a recorded clip is that recording.

    A pair is of one kind: both recorded, or both by the engine. So where a text is recorded without
    a cue alone, the pair of its cued rendition is the engine's own neutral one.
    """

    def __init__(self, engine: SpeechEngine, manifest: VoiceManifest) -> None:
        self._engine = engine
        self._manifest = manifest
        self._recordings = {
            (recording.text, persona, recording.delivery): recording
            for persona, voice in manifest.voices.items()
            for recording in voice.recordings
        }
        self._gains = {
            persona: self._gain(persona)
            for persona, voice in manifest.voices.items()
            if voice.recordings
        }
        self.name = engine.name
        self.revision = engine.revision
        self.voices = engine.voices
        self.deliveries = engine.deliveries
        self.concurrency = engine.concurrency

    def voice_revision(self, voice: str) -> str:
        """Of the engine's voice and of every recording that stands in for it."""
        own = self._engine.voice_revision(voice)
        kept = self._of(voice)
        return keys.short(own, kept) if kept else own

    def licences(self, voice: str) -> Mapping[str, str]:
        """The engine's, and those of the recordings."""
        kept = sorted({recording.licence for recording in self._of(voice)})
        recorded = {f"recordings: {voice}": ", ".join(kept)} if kept else {}
        return {**self._engine.licences(voice), **recorded}

    def render(self, text: str, voice: str, delivery: str = NEUTRAL, seed: int = 0) -> Rendition:
        """The recording, or what the engine renders."""
        found = self._recordings.get((text, voice, delivery))
        return (
            self._engine.render(text, voice, delivery, seed)
            if found is None
            else self._read(found, voice)
        )

    def render_pair(
        self,
        text: str,
        voice: str,
        delivery: str,
        seed: int = 0,
        span: tuple[int, int] | None = None,
    ) -> tuple[Rendition, Rendition]:
        """Both recordings, or the engine's pair. No recording is of an emphasis on a phrase."""
        found = self._recordings.get((text, voice, delivery))
        if found is None or span is not None:
            return self._engine.render_pair(text, voice, delivery, seed, span)
        return self._read(found, voice), self._read(self._recordings[text, voice, NEUTRAL], voice)

    def locate(
        self, text: str, voice: str, span: tuple[int, int], seed: int = 0
    ) -> tuple[int, int]:
        """In the engine's neutral rendition.

        Raises:
            UsageError: The neutral clip is a recording, whose words nobody has located.
        """
        if (text, voice, NEUTRAL) in self._recordings:
            raise UsageError("the words of a recording are not located", stage="speak")
        return self._engine.locate(text, voice, span, seed)

    def _of(self, voice: str) -> tuple[Recording, ...]:
        found = self._manifest.voices.get(voice)
        return found.recordings if found else ()

    def _gain(self, persona: str) -> float:
        """The one gain of a voice's recordings: that brings its neutral ones to the nominal level,
        on average."""
        neutral = [it for it in self._of(persona) if it.delivery == NEUTRAL]
        levels = [active_level_db(self._manifest.audio(recording)) for recording in neutral]
        return float(10 ** ((NOMINAL_DB - np.mean(levels)) / 20))

    def _read(self, recording: Recording, voice: str) -> Rendition:
        audio: Audio = self._manifest.audio(recording) * np.float32(self._gains[voice])
        return Rendition(audio, f"recording {recording.sha256[:12]}")
