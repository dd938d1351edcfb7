"""What a speech engine is, and where engines are found by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from voxmem.config import Speech
from voxmem.errors import UsageError

SAMPLE_RATE = 24_000
"""Samples a second of all speech in voxmem."""

Audio = NDArray[np.float32]
"""Mono audio, shape [samples], full scale ±1."""


class Rendition(NamedTuple):
    """One spoken text."""

    audio: Audio
    """Speech at its natural level (one gain a voice), float32 [samples] at 24 kHz."""
    applied: str
    """What was really applied, in the engine's own words: a style, control tokens, a recording."""


class SpeechEngine(Protocol):
    """Speaks text in named voices and deliveries. Implementations must be thread-safe, and the
    same arguments must give the same samples on one machine whatever else is running (as far as a
    server that is asked for a seed keeps to it)."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever the sound of any clip may change; a part of every clip's key."""
        ...

    @property
    def voices(self) -> tuple[str, ...]: ...

    @property
    def deliveries(self) -> frozenset[str]:
        """Cue values it renders, without ``neutral``, which every engine renders."""
        ...

    @property
    def concurrency(self) -> int:
        """How many clips it likes to be asked for at a time: 1 if it computes in this process."""
        ...

    def voice_revision(self, voice: str) -> str:
        """Changes whenever the sound of this voice may change; a part of the keys of its clips.

        Raises:
            UsageError: The voice is unknown.
        """
        ...

    def licences(self, voice: str) -> Mapping[str, str]:
        """What a clip of this voice is made of → its licence.

        Raises:
            UsageError: The voice is unknown.
        """
        ...

    def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Rendition:
        """Speech of a text.

        Raises:
            InputError: There is nothing in the text that can be spoken.
            UsageError: The voice or delivery is unknown.
            SpeechError: The engine failed to render it.
        """
        ...

    def render_pair(
        self,
        text: str,
        voice: str,
        delivery: str,
        seed: int = 0,
        span: tuple[int, int] | None = None,
    ) -> tuple[Rendition, Rendition]:
        """The cued rendition and the neutral one of the same take; they may share work.

        The second equals ``render(text, voice, "neutral", seed)``. An emphasis with a ``span`` is
        on these characters [start, end) of the text alone.
        """
        ...

    def locate(
        self, text: str, voice: str, span: tuple[int, int], seed: int = 0
    ) -> tuple[int, int]:
        """Where the characters ``span`` are in the neutral rendition: samples [start, end), counted
        from its first sound (``levels.speech_bounds``), as every clip keeps it.

        Raises:
            UsageError: The engine renders no emphasis on a phrase.
        """
        ...


ENGINES: dict[str, str] = {
    "parametric": "voxmem.speech.parametric.engine:open_engine",
    "higgs": "voxmem.speech.served.higgs:open_engine",
    "openai-speech": "voxmem.speech.served.openai_speech:open_engine",
}
"""Engine name → the function of its settings that opens it. Nothing is imported before it is asked
for."""


@cache
def open_engine(settings: Speech) -> SpeechEngine:
    """The engine that a build's settings name, with the recordings of its voice manifest in their
    places; one per process.

    Raises:
        InputError: The voice manifest is not what it should be.
        UsageError: There is no such engine, or a setting that it needs is missing.
        MissingExtra: Its packages are not installed.
    """
    if settings.engine not in ENGINES:
        raise UsageError(
            f"there is no speech engine {settings.engine!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(sorted(ENGINES))}",
        )
    module, _, attribute = ENGINES[settings.engine].partition(":")
    factory: Callable[[Speech], SpeechEngine] = getattr(import_module(module), attribute)
    engine = factory(settings)
    if settings.voices == "embedded":
        return engine
    from voxmem.speech.voices.manifest import open_manifest
    from voxmem.speech.voices.recorded import with_recordings

    return with_recordings(engine, open_manifest(settings.voices))
