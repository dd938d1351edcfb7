"""A stored clip as samples at a model's rate, in pieces that the model takes whole."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError, MissingExtra
from voxmem.messages import AudioPart

LOCAL_MODELS = "pip install 'voxmem[local-models]'"
"""The remedy where a package of this backend is missing."""


@dataclass(frozen=True)
class Piece:
    """The ``index``-th of ``pieces`` equal parts of a clip; nearly always the whole of it."""

    sha256: str
    index: int
    pieces: int
    seconds: float

    def __str__(self) -> str:
        part = f" (piece {self.index + 1} of {self.pieces})" if self.pieces > 1 else ""
        return f"clip {self.sha256[:12]}{part}"


def pieces_of(clip: AudioPart, longest_seconds: float | None) -> tuple[Piece, ...]:
    """The clip, or as few equal parts of it as are each no longer than ``longest_seconds``."""
    number = math.ceil(clip.seconds / longest_seconds) if longest_seconds else 1
    return tuple(
        Piece(clip.sha256, index, number, clip.seconds / number) for index in range(max(number, 1))
    )


def samples_of(data: bytes, rate: int, *, item: str) -> NDArray[np.float32]:
    """The samples of an audio file, mixed to one channel, ``float32 [samples]`` at ``rate`` Hz.

    Raises:
        InputError: The file cannot be read, is empty, or holds numbers that are not finite.
        MissingExtra: The package soxr is not installed.
    """
    import soundfile  # loads a shared library: not before it is needed

    try:
        read, own_rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise _unusable(f"cannot be decoded ({error.error_string})", item) from None
    mixed: NDArray[np.float32] = read.mean(axis=1, dtype=np.float32)
    if not len(mixed):
        raise _unusable("is empty", item)
    if not np.isfinite(mixed).all():
        raise _unusable("holds samples that are not finite", item)
    if own_rate == rate:
        return mixed
    resampled: NDArray[np.float32] = _soxr().resample(mixed, own_rate, rate, quality="HQ")
    return resampled


def cut(samples: NDArray[np.float32], pieces: int) -> Iterator[NDArray[np.float32]]:
    """The samples in so many parts, equal to within one sample; none is lost."""
    yield from np.array_split(samples, pieces)


@cache
def _soxr() -> Any:
    try:
        import soxr
    except ImportError:
        raise MissingExtra(
            "clips have to be resampled, and the package soxr is not installed",
            stage="evaluate",
            remedy=LOCAL_MODELS,
        ) from None
    return soxr


def _unusable(what: str, item: str) -> InputError:
    return InputError(
        f"the clip {what}", item=item, stage="evaluate", remedy="speak or import the clip again"
    )
