"""A recording as a row may hold it: bytes, a dictionary, a decoder, samples, or a path."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voxmem.errors import InputError

_FULL_SCALE = 32768


@dataclass(frozen=True)
class AudioFile:
    """The bytes of one recording."""

    data: bytes
    name: str | None = None
    """As it was called where it came from: it declares a type, which may be wrong."""
    opened: bool = False
    """It was a file beside the rows: what is there may change while they do not."""
    from_samples: bool = False
    """There were samples instead of bytes: the file is 16-bit FLAC, made here."""


def audio_file(value: Any, folder: Path | None) -> AudioFile | None:
    """The recording that a value of an audio column stands for, ``None`` if there is none.

    Args:
        value: Bytes; ``{bytes, path}``; ``{array, sampling_rate}``; a decoder of ``datasets`` or
            torchcodec; or a path.
        folder: Inside which paths are opened; ``None``: nowhere.

    Raises:
        InputError: It is nothing of these, or a path that leads out of the folder or nowhere.
    """
    if value is None:
        return None
    if isinstance(value, bytes | bytearray | memoryview):
        return AudioFile(bytes(value)) if len(value) else None
    if isinstance(value, str | Path):
        return _opened(str(value), folder)
    if isinstance(value, Mapping):
        return _of_mapping(value, folder)
    kept = getattr(value, "_hf_encoded", None)  # ``datasets`` keeps what it decodes
    if isinstance(kept, Mapping):
        return _of_mapping(kept, folder)
    if hasattr(value, "get_all_samples"):
        decoded = value.get_all_samples()
        return _of_samples(decoded.data, decoded.sample_rate)
    raise InputError(f"a {type(value).__name__} is no audio that can be read")


def _of_mapping(value: Mapping[str, Any], folder: Path | None) -> AudioFile | None:
    data, path = value.get("bytes"), value.get("path")
    if data:
        return AudioFile(bytes(data), str(path) if path else None)
    if value.get("array") is not None:
        return _of_samples(value["array"], value.get("sampling_rate"))
    return _opened(str(path), folder) if path else None


def _opened(path: str, folder: Path | None) -> AudioFile | None:
    if folder is None:
        raise InputError(f"the row holds the path {path!r} and no bytes")
    try:
        inside = folder.resolve()
        found = (inside / path).resolve()
        if not found.is_relative_to(inside):
            raise InputError(f"the path {path!r} leads out of the folder of the dataset")
        if not found.is_file():
            raise InputError(f"there is no file {path!r} in the folder of the dataset")
        return AudioFile(found.read_bytes(), path, opened=True)
    except (OSError, ValueError) as error:
        raise InputError(f"the file {path!r} cannot be read: {error}") from error


def _of_samples(samples: Any, rate: Any) -> AudioFile:
    """As 16-bit FLAC at its own rate. What was decoded from 16 bits is what it was."""
    import numpy as np
    import soundfile

    found = np.asarray(samples)
    if found.ndim == 2:  # channels first, as decoders give them
        found = found.T
    if found.ndim not in (1, 2) or not isinstance(rate, int | float) or int(rate) <= 0:
        raise InputError(f"samples of shape {found.shape} at {rate} Hz are no audio")
    if found.dtype != np.int16:
        if not np.isfinite(found).all():
            raise InputError("the audio has samples that are not numbers")
        scaled = np.rint(found.astype(np.float64) * _FULL_SCALE)
        found = np.clip(scaled, -_FULL_SCALE, _FULL_SCALE - 1).astype(np.int16)
    buffer = io.BytesIO()
    try:
        soundfile.write(buffer, found, int(rate), format="FLAC", subtype="PCM_16")
    except (soundfile.LibsndfileError, ValueError, TypeError) as error:
        raise InputError(f"samples of shape {found.shape} at {rate} Hz are no audio") from error
    return AudioFile(buffer.getvalue(), from_samples=True)
