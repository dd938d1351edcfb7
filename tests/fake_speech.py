"""A speech engine for tests: tones as long as the words would take, made in no time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from voxmem import keys
from voxmem.config import Speech
from voxmem.quality.session import registry
from voxmem.speech.engine import SAMPLE_RATE, Audio, Rendition
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.mixing import EDGE_SECONDS
from voxmem.vocabulary import DELIVERIES, PERSONAS


class ToneEngine:
    """Follows the interface of real engines. ``rendered`` counts what it was asked for."""

    name = "tones"
    revision = "1"
    voices = PERSONAS
    deliveries = frozenset(DELIVERIES)
    concurrency = 1

    def __init__(self) -> None:
        self.rendered: list[tuple[str, str, str]] = []

    def voice_revision(self, voice: str) -> str:
        return "1"

    def licences(self, voice: str) -> Mapping[str, str]:
        return {"speech: tones": "CC0-1.0"}

    def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Rendition:
        self.rendered.append((text, voice, delivery))
        return Rendition(tone(text, voice, delivery), delivery)

    def render_pair(
        self,
        text: str,
        voice: str,
        delivery: str,
        seed: int = 0,
        span: tuple[int, int] | None = None,
    ) -> tuple[Rendition, Rendition]:
        cued, plain = self.render(text, voice, delivery, seed), tone(text, voice, "neutral")
        if span is not None:
            start, end = self.locate(text, voice, span)
            stressed = plain.copy()
            stressed[start:end] *= 2
            cued = cued._replace(audio=stressed)
        return cued, Rendition(plain, "neutral")

    def locate(
        self, text: str, voice: str, span: tuple[int, int], seed: int = 0
    ) -> tuple[int, int]:
        """Every character takes the same time."""
        samples = tone(text, voice, "neutral").size
        return span[0] * samples // len(text), span[1] * samples // len(text)


TONE_CHECKS = tuple(
    check
    for check in registry.MEASURED
    if check.__name__ not in ("check_silence", "check_delivery")
)
"""What the session gate can measure of tones, which never pause and have no moods."""


def open_engine(settings: Speech) -> ToneEngine:
    """As engines are opened."""
    return ToneEngine()


def seconds(text: str, voice: str, delivery: str) -> float:
    """The length of a tone without edges: that of the words, a little else for every voice."""
    pace = 0.92 + 0.16 * keys.rng("pace", voice).random()
    return max(0.3, estimate_seconds(text, delivery) * pace - 2 * EDGE_SECONDS)


def tone(text: str, voice: str, delivery: str) -> Audio:
    """Text, voice and delivery decide the tone, so that no two clips are alike."""
    samples = round(seconds(text, voice, delivery) * SAMPLE_RATE)
    start = keys.seed("tone", text, voice, delivery) % SAMPLE_RATE
    return np.take(_hum(), np.arange(start, start + samples), mode="wrap")


@cache
def _hum() -> Audio:
    """Two seconds of a tone that glides, never silent."""
    time = np.arange(2 * SAMPLE_RATE, dtype=np.float64) / SAMPLE_RATE
    return (0.1 * np.sin(2 * np.pi * (110 * time + 40 * time**2))).astype(np.float32)
