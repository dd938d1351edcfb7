"""Samples and bytes: 16-bit PCM, FLAC for the store, WAV for protocols, and reading with care."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError, MissingExtra
from voxmem.speech.engine import SAMPLE_RATE, Audio

Pcm = NDArray[np.int16]
"""Mono 16-bit audio, shape [samples]."""

FULL_SCALE = 32768.0


def to_pcm(audio: Audio) -> Pcm:
    """Rounded to 16 bits. Full scale ±1 becomes -32768 to 32767.

    Raises:
        InputError: A sample is not finite, or beyond full scale by more than rounding.
    """
    scaled = np.rint(audio * FULL_SCALE)
    if not np.isfinite(scaled).all():
        raise InputError("the audio has samples that are not numbers", stage="speak")
    if scaled.size and (scaled.max() > FULL_SCALE or scaled.min() < -FULL_SCALE):
        raise InputError(
            "the audio clips: it goes beyond full scale",
            stage="speak",
            remedy="lower its gain before it is made 16-bit",
        )
    return np.asarray(np.minimum(scaled, FULL_SCALE - 1), dtype=np.int16)


def to_float(pcm: Pcm) -> Audio:
    """The inverse of :func:`to_pcm`, to within its rounding."""
    return pcm.astype(np.float32) / np.float32(FULL_SCALE)


def flac_bytes(pcm: Pcm) -> bytes:
    """FLAC, 24 kHz, 16-bit, mono. The same samples give the same bytes."""
    return _encode(pcm, "FLAC")


def wav_bytes(pcm: Pcm) -> bytes:
    """WAV, 24 kHz, 16-bit, mono."""
    return _encode(pcm, "WAV")


def _encode(pcm: Pcm, kind: str) -> bytes:
    if pcm.dtype != np.int16 or pcm.ndim != 1:
        raise InputError(f"16-bit mono samples were expected, not {pcm.dtype} {pcm.shape}")
    buffer = io.BytesIO()
    _soundfile().write(buffer, pcm, SAMPLE_RATE, format=kind, subtype="PCM_16")
    return buffer.getvalue()


def read_audio(data: bytes, *, item: str | None = None, allow_silence: bool = False) -> Audio:
    """A whole FLAC or WAV file, mono at 24 kHz, as float32 [samples].

    Raises:
        InputError: It is empty, truncated, not audio, of another rate or of several channels,
            silent (unless that is allowed), or has samples that are not numbers.
    """
    soundfile = _soundfile()
    where: dict[str, Any] = {"item": item, "stage": "read audio"}
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            promised, rate, channels = file.frames, file.samplerate, file.channels
            samples: Audio = file.read(dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise InputError(
            f"the bytes are not a readable audio file ({error})",
            remedy="store it again from its source",
            **where,
        ) from error
    if rate != SAMPLE_RATE or channels != 1:
        raise InputError(
            f"{channels} channel(s) at {rate} Hz, not mono at {SAMPLE_RATE} Hz",
            remedy="resample it before it is handed over",
            **where,
        )
    if samples.shape[0] < promised or samples.shape[0] == 0 or _wav_is_short(data):
        raise InputError(
            f"the file is truncated: {samples.shape[0]} of {promised} samples",
            remedy="store it again from its source",
            **where,
        )
    audio = samples[:, 0]
    if not np.isfinite(audio).all():
        raise InputError("the audio has samples that are not numbers", **where)
    if not allow_silence and not audio.any():
        raise InputError("the audio is silent", **where)
    return audio


def _wav_is_short(data: bytes) -> bool:
    """Whether a RIFF file has fewer bytes than its header says; the decoder takes it silently."""
    return data[:4] == b"RIFF" and len(data) < 8 + int.from_bytes(data[4:8], "little")


def _soundfile() -> Any:
    try:
        import soundfile
    except ImportError as error:
        raise MissingExtra(
            "the package soundfile is not installed",
            stage="speak",
            remedy="pip install 'voxmem[speech]'",
        ) from error
    return soundfile
