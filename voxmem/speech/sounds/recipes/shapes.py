"""What recipes are made of: clocks and phases, noise, throats, and placing events round a loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from voxmem.speech.engine import SAMPLE_RATE

Wave = NDArray[np.float64]
Rng = np.random.Generator


def time(seconds: float) -> Wave:
    """Seconds of each sample from 0, [seconds * 24000]."""
    return np.arange(max(2, round(seconds * SAMPLE_RATE))) / SAMPLE_RATE


def turn(frequency: Wave) -> Wave:
    """The phase of a tone of that frequency, Hz by sample."""
    return np.asarray(2 * np.pi * np.cumsum(frequency) / SAMPLE_RATE)


def cycles(frequency: Wave) -> Wave:
    """Like :func:`turn`, bent a little so that the loop has a whole number of cycles."""
    phase = np.cumsum(frequency) / SAMPLE_RATE
    return np.asarray(2 * np.pi * phase * (round(float(phase[-1])) / phase[-1]))


def pulses(phase: Wave, ring: float) -> Wave:
    """A pulse a cycle, without its mean: all harmonics, each ``ring`` times the one below."""
    even = ring * np.cos(phase)
    return np.asarray((1 - even) / (1 - 2 * even + ring**2) - 1)


def resonant(wave: Wave, formants: tuple[tuple[float, float, float], ...]) -> Wave:
    """The wave through resonances, each (Hz, half its width in Hz, loudness), side by side."""
    size = next_fast_len(wave.size, real=True)
    f = np.fft.rfftfreq(size, 1 / SAMPLE_RATE)
    weight = np.zeros(f.size)
    for centre, width, loud in formants:
        weight += loud / np.sqrt(1 + ((f - centre) / width) ** 2)
    return np.asarray(irfft(rfft(wave, size) * weight, size)[: wave.size])


def swell(t: Wave, rise: float, fall: float) -> Wave:
    """From 0 to 1 in ``rise`` seconds, and back in the last ``fall`` seconds."""
    return np.asarray(np.minimum(1, t / rise) * np.minimum(1, (t[-1] - t) / fall))


def place(loop: Wave, event: Wave, at: float) -> None:
    """Add an event, no longer than the loop, from sample ``at`` on, round the end of the loop."""
    start = int(at) % loop.size
    first = event[: loop.size - start]
    loop[start : start + first.size] += first
    rest = event[first.size :]
    loop[: rest.size] += rest


def repeats(rng: Rng, n: int, seconds: float) -> list[float]:
    """Samples at which something begins that comes about every so many seconds round the loop."""
    count = max(1, round(n / SAMPLE_RATE / seconds))
    return [n * (number + 0.3 * rng.uniform()) / count for number in range(count)]


def scatter(rng: Rng, n: int, event: Wave, count: int, loud: float, spread: float = 1.0) -> Wave:
    """An event that happens ``count`` times anywhere round the loop, each time as loud as an
    exponential draw of that mean, raised to ``spread``."""
    out = np.zeros(n)
    louds = rng.exponential(loud, count) ** spread
    for at, height in zip(rng.integers(0, n, count), louds, strict=True):
        place(out, height * event, at)
    return out


def noise(rng: Rng, n: int, low: float, high: float, slope: float) -> Wave:
    """Periodic Gaussian noise of RMS 1 between two frequencies; amplitude ∝ f ** slope."""
    f = np.fft.rfftfreq(n, 1 / SAMPLE_RATE)
    weight = np.maximum(f, 20.0) ** slope
    weight *= 1 / (1 + (low / np.maximum(f, 1.0)) ** 4) / (1 + (f / high) ** 4)
    spectrum = weight * (rng.normal(size=f.size) + 1j * rng.normal(size=f.size))
    wave = irfft(spectrum, n)
    return np.asarray(wave / wave.std())


def slow(rng: Rng, n: int, hertz: float) -> Wave:
    """A periodic random curve of RMS 1 with nothing above ``hertz``."""
    count = max(2, int(hertz * n / SAMPLE_RATE))
    spectrum = np.zeros(n // 2 + 1, dtype=complex)
    spectrum[1 : count + 1] = rng.normal(size=count) + 1j * rng.normal(size=count)
    wave = irfft(spectrum, n)
    return np.asarray(wave / wave.std())
