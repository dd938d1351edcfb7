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
LOWEST_RATE, HIGHEST_RATE = 8_000, 96_000
"""Sampling rates of recordings that are taken, Hz."""

_KINDS = frozenset({"WAV", "WAVEX", "FLAC", "MP3", "OGG"})
_SILENT = 1e-4
_PAGE_HEADER = 27  # bytes of an Ogg page before the lengths of its segments
_LAST_PAGE = 4  # the flag of an Ogg page that ends its stream


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
    samples, rate, channels = _decode(data, item)
    if rate != SAMPLE_RATE or channels != 1:
        raise _unreadable(
            f"{channels} channel(s) at {rate} Hz, not mono at {SAMPLE_RATE} Hz",
            item,
            remedy="resample it before it is handed over",
        )
    if not allow_silence and not samples.any():
        raise _unreadable("the audio is silent", item)
    return samples[:, 0]


def read_any(data: bytes, *, item: str | None = None) -> Audio:
    """A recording of anybody's making, as float32 [samples], mono at 24 kHz within full scale.

    Other rates are resampled (soxr, its highest quality), and what overshoots full scale thereby is
    lowered to it.

    Raises:
        InputError: :func:`decode_any` cannot read it.
        MissingExtra: soxr is not installed.
    """
    audio, rate = decode_any(data, item=item)
    if rate != SAMPLE_RATE:
        audio = np.asarray(_soxr().resample(audio, rate, SAMPLE_RATE, "VHQ"), dtype=np.float32)
    return audio / np.float32(max(1.0, float(np.abs(audio).max())))


def decode_any(data: bytes, *, item: str | None = None) -> tuple[Audio, int]:
    """WAV, FLAC, MP3 or Ogg (Vorbis, Opus) of one or two channels at 8 to 96 kHz: float32
    [samples], two channels averaged, and its own rate.

    An MP3 without a count of its frames cannot be seen to be cut short.

    Raises:
        InputError: It is empty, truncated, none of these, silent (no sample beyond -80 dBFS), or
            has samples that are not numbers.
    """
    samples, rate, channels = _decode(data, item)
    if channels > 2 or not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise _unreadable(
            f"{channels} channel(s) at {rate} Hz",
            item,
            remedy=f"give one or two channels at {LOWEST_RATE} to {HIGHEST_RATE} Hz",
        )
    audio = np.asarray(samples.mean(axis=1), dtype=np.float32)
    if float(np.abs(audio).max()) < _SILENT:
        raise _unreadable("the audio is silent", item)
    return audio, rate


def _decode(data: bytes, item: str | None) -> tuple[Audio, int, int]:
    """All samples [samples, channels], their rate and the number of channels."""
    soundfile = _soundfile()
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            kind, promised, rate, channels = (
                file.format, file.frames, file.samplerate, file.channels,
            )  # fmt: skip
            samples: Audio = file.read(dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, RuntimeError) as error:
        # The whole text names the object that was read, at its address.
        said = getattr(error, "error_string", str(error)).rstrip(".")
        raise _unreadable(f"the bytes are not a readable audio file ({said})", item) from error
    if kind not in _KINDS:
        raise _unreadable(f"{kind} is not a format that is read: WAV, FLAC, MP3 or Ogg", item)
    short = _missing(data)
    if short is None and samples.shape[0] < promised:
        short = f"{samples.shape[0]} of {promised} samples"
    if short is not None:
        raise _unreadable(f"the file is truncated: {short}", item)
    if samples.shape[0] == 0:
        raise _unreadable("it has no samples", item)
    if not np.isfinite(samples).all():
        raise _unreadable("the audio has samples that are not numbers", item)
    return samples, rate, channels


def _unreadable(
    message: str, item: str | None, remedy: str = "store it again from its source"
) -> InputError:
    return InputError(message, item=item, stage="read audio", remedy=remedy)


def _missing(data: bytes) -> str | None:
    """What is missing of a file that ends before its own headers say so, where the decoder does not
    mind: a RIFF file with fewer bytes than promised, an Ogg file whose last page is cut or not the
    last."""
    if data[:4] == b"RIFF":
        promised = 8 + int.from_bytes(data[4:8], "little")
        return f"{len(data)} of {promised} bytes" if len(data) < promised else None
    if data[:4] == b"OggS" and _ends_early(data[data.rfind(b"OggS") :]):
        return "its last page is cut or missing"
    return None


def _ends_early(page: bytes) -> bool:
    if len(page) < _PAGE_HEADER or not page[5] & _LAST_PAGE:
        return True
    lengths = page[_PAGE_HEADER : _PAGE_HEADER + page[26]]
    return len(page) < _PAGE_HEADER + len(lengths) + sum(lengths)


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


def _soxr() -> Any:
    try:
        import soxr
    except ImportError as error:
        raise MissingExtra(
            "the package soxr is not installed",
            stage="read audio",
            remedy="pip install 'voxmem[speech]'",
        ) from error
    return soxr
