"""What is measured of a stored clip that a classifier could tell its origin by."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from voxmem.records import Clip
from voxmem.speech.audio import read_audio
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.levels import BLOCK, active_power, block_power, rms
from voxmem.store.objects import Objects

Traits = NDArray[np.float64]

LOOKS: dict[str, slice] = {
    "durations": slice(0, 2),
    "levels": slice(2, 6),
    "spectra": slice(6, 15),
    "noise floors": slice(15, 18),
}
"""Kind of trace → its traits."""

_FLOOR = 1e-12
"""Digital silence has no level: it counts as -120 dB."""
_BANDS = np.geomspace(80, SAMPLE_RATE / 2, 9)
_FRAME = 1024


def clean_traits(objects: Objects, edge_seconds: float, clip: Clip) -> Traits:
    """The traits of a clip without its planned cue, [18]: of its paired rendition, which has the
    same words and voice, a neutral delivery and no sound.

    Raises:
        InputError: The audio is missing, damaged or silent.
    """
    return _traits(clip, clip.pair_sha256 or clip.sha256, objects, edge_seconds)


def cue_traits(objects: Objects, edge_seconds: float, clip: Clip) -> Traits:
    """What a planned cue changes, [18]: the traits as heard, less those of the paired rendition.

    Raises:
        InputError: The audio is missing, damaged or silent.
    """
    heard = _traits(clip, clip.sha256, objects, edge_seconds)
    return heard - clean_traits(objects, edge_seconds, clip)


def traits(audio: Audio, text: str, edge_seconds: float) -> Traits:
    """What can be measured of one clip, [18], in the order of :data:`LOOKS`.

    Durations: logarithm of the seconds between the edges, and of their ratio to what the words
    should take. Levels: active level and peak (dBFS), their distance, offset. Spectra: eight bands
    from 80 Hz (dB of the whole) and their slope (dB a band). Noise floors: of the edge before, of
    the edge after, and of the quietest twentieth of the blocks between them (dBFS).

    Raises:
        InputError: The audio is silent or shorter than 10 ms.
    """
    edge = round(edge_seconds * SAMPLE_RATE)
    inside = audio[edge : audio.size - edge] if audio.size > 2 * edge + BLOCK else audio
    seconds = inside.size / SAMPLE_RATE
    expected = estimate_seconds(text, edge_seconds=0.0)
    level = _db(active_power(audio))
    peak = _db(float(np.abs(audio).max()) ** 2)
    quiet = float(np.quantile(block_power(inside), 0.05))
    bands = _bands(inside)
    slope = float(np.polyfit(np.arange(bands.size), bands, 1)[0])
    return np.array(
        [
            *(np.log(seconds), np.log(seconds / expected)),
            *(level, peak, peak - level, float(audio.mean(dtype=np.float64))),
            *bands,
            slope,
            *(_db(rms(audio[:edge]) ** 2), _db(rms(audio[audio.size - edge :]) ** 2), _db(quiet)),
        ]
    )


def _traits(clip: Clip, sha: str, objects: Objects, edge_seconds: float) -> Traits:
    audio = read_audio(objects.get(sha), item=clip.clip_id)
    return traits(audio, clip.spec.text, edge_seconds)


def _bands(audio: Audio) -> Traits:
    """The share of each band in the power of the loudest half of the frames, in dB, [8]."""
    padded = np.pad(audio, (0, -audio.size % _FRAME)).reshape(-1, _FRAME)
    loud = padded[np.argsort(np.square(padded).sum(axis=1))[padded.shape[0] // 2 :]]
    power = np.square(np.abs(np.fft.rfft(loud * _window(), axis=1))).mean(axis=0)
    frequencies = np.fft.rfftfreq(_FRAME, 1 / SAMPLE_RATE)
    held = np.add.reduceat(power, np.searchsorted(frequencies, _BANDS[:-1]))
    return np.asarray(10 * np.log10(held / held.sum() + _FLOOR), dtype=np.float64)


@cache
def _window() -> Audio:
    return np.hanning(_FRAME).astype(np.float32)


def _db(power: float) -> float:
    return float(10 * np.log10(power + _FLOOR))
