"""Lossy coding: what is left of audio after it was coded and decoded (``codec:opus`` …)."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from voxmem.errors import MissingExtra
from voxmem.speech.effects.effect import Effect, Scene, wrong
from voxmem.speech.engine import SAMPLE_RATE, Audio

CODECS: dict[str, tuple[str, str, int]] = {
    "opus": ("OGG", "OPUS", SAMPLE_RATE),
    "vorbis": ("OGG", "VORBIS", SAMPLE_RATE),
    "mp3": ("MP3", "MPEG_LAYER_III", SAMPLE_RATE),
    "gsm": ("WAV", "GSM610", 8_000),
    "ulaw": ("WAV", "ULAW", 8_000),
    "alaw": ("WAV", "ALAW", 8_000),
}
"""Name → libsndfile's container and coding, and the rate it is coded at, Hz."""


@dataclass(frozen=True)
class Codec:
    """Coded by libsndfile at its default quality, and decoded."""

    name: str
    place: Literal["channel"] = "channel"

    @property
    def applied(self) -> str:
        return f"codec {self.name} (libsndfile {_package('soundfile').__libsndfile_version__})"

    def __call__(self, audio: Audio, scene: Scene) -> Audio:
        return coded(audio, self.name)


def open_codec(argument: str) -> Effect:
    """The codec of that name.

    Raises:
        UsageError: There is no such codec, or this libsndfile lacks it.
    """
    soundfile = _package("soundfile")
    if argument not in CODECS or not soundfile.check_format(*CODECS[argument][:2]):
        able = [
            name for name, (kind, sub, _) in CODECS.items() if soundfile.check_format(kind, sub)
        ]
        raise wrong(f"there is no codec {argument!r} here", f"choose one of: {', '.join(able)}")
    return Codec(argument)


def coded(audio: Audio, codec: str) -> Audio:
    """The audio through one of :data:`CODECS`, as long as before: what a codec adds at the end, to
    fill its last frame, is cut off."""
    soundfile = _package("soundfile")
    kind, subtype, rate = CODECS[codec]
    narrow = resampled(audio, SAMPLE_RATE, rate)
    buffer = io.BytesIO()
    # A whole number of any codec's frames, for the sake of the last one.
    padded = np.pad(narrow, (0, rate // 10 + -narrow.size % 320))
    soundfile.write(buffer, padded, rate, format=kind, subtype=subtype)
    buffer.seek(0)
    decoded, _ = soundfile.read(buffer, dtype="float32")
    return resampled(decoded[: narrow.size], rate, SAMPLE_RATE, audio.size)


def resampled(audio: Audio, rate: int, to: int, samples: int | None = None) -> Audio:
    """The audio at another rate; with ``samples``, cut or padded to that length."""
    out = audio if rate == to else _package("soxr").resample(audio, rate, to)
    if samples is not None:
        out = np.pad(out[:samples], (0, max(0, samples - out.size)))
    return np.asarray(out, dtype=np.float32)


def _package(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(
            f"the package {name} is not installed",
            stage="speak",
            remedy="pip install 'voxmem[speech]'",
        ) from error
