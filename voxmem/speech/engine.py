"""What a speech engine is, and where engines are found by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import UsageError

SAMPLE_RATE = 24_000
"""Samples a second of all speech in voxmem."""

Audio = NDArray[np.float32]
"""Mono audio, shape [samples], full scale ±1."""


class SpeechEngine(Protocol):
    """Speaks text in named voices and deliveries. Implementations must be thread-safe, and the
    same arguments must give the same samples on one machine whatever else is running."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever the sound of any clip may change; a part of every clip's key."""
        ...

    @property
    def licence(self) -> str: ...

    @property
    def voices(self) -> tuple[str, ...]: ...

    @property
    def deliveries(self) -> frozenset[str]:
        """Cue values it renders, without ``neutral``, which every engine renders."""
        ...

    @property
    def sample_rate(self) -> int: ...

    def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Audio:
        """Speech at its natural level (one gain a voice), shape [samples], 24 kHz.

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
    ) -> tuple[Audio, Audio]:
        """The cued rendition and the neutral one of the same take; they may share work.

        The second equals ``render(text, voice, "neutral", seed)``. An emphasis with a ``span`` is
        on these characters [start, end) of the text alone.
        """
        ...

    def locate(
        self, text: str, voice: str, span: tuple[int, int], seed: int = 0
    ) -> tuple[int, int]:
        """Where the characters ``span`` are in the neutral rendition: samples [start, end), counted
        from its first sound (``levels.speech_bounds``), as every clip keeps it."""
        ...


ENGINES: dict[str, str] = {"parametric": "voxmem.speech.parametric:ParametricEngine"}
"""Engine name → where its class is. Nothing is imported before it is asked for."""


@cache
def get_engine(name: str = "parametric") -> SpeechEngine:
    """The engine of that name; one per process.

    Raises:
        UsageError: There is no such engine.
        MissingExtra: Its packages are not installed.
    """
    if name not in ENGINES:
        raise UsageError(
            f"there is no speech engine {name!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(sorted(ENGINES))}",
        )
    module, _, attribute = ENGINES[name].partition(":")
    factory: Callable[[], SpeechEngine] = getattr(import_module(module), attribute)
    return factory()
