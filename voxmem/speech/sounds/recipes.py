"""How each sound event is made: a few lines of synthesis each, varied by a generator.

Every recipe fills a loop of ``n`` samples at 24 kHz that joins up with itself: noise is shaped in
the frequency domain, tones go through whole cycles, and what rings past the end goes on at the
start.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from voxmem.speech.engine import SAMPLE_RATE

Wave = NDArray[np.float64]
Rng = np.random.Generator


def birds(rng: Rng, n: int) -> Wave:
    out = 0.004 * noise(rng, n, 500, 8000, -1.0)
    for _ in range(3):
        centre, turns = rng.uniform(2600, 5200), int(rng.integers(2, 4))
        sweep, length = rng.uniform(-0.35, 0.45), rng.uniform(0.05, 0.13)
        wobble, loud = rng.uniform(0.0, 0.12), rng.uniform(0.4, 1.0)
        for song in range(turns):
            at = (song + rng.uniform(0.0, 0.5)) * n / turns
            for syllable in range(int(rng.integers(3, 9))):
                t = time(length * rng.uniform(0.85, 1.15))
                x = t / t[-1]
                glide = 1 + sweep * (x - 0.5) + wobble * np.sin(2 * np.pi * 24 * t)
                tone = np.sin(turn(centre * glide)) + 0.15 * np.sin(turn(2 * centre * glide))
                place(out, loud * tone * np.sin(np.pi * x) ** 1.5, at)
                at += (length + rng.uniform(0.02, 0.06)) * SAMPLE_RATE
                loud *= 0.96 if syllable else 1.0
    return out


def crickets(rng: Rng, n: int) -> Wave:
    out = rng.uniform(0.003, 0.006) * noise(rng, n, 2000, 9000, 0.0)
    pitch, pulses = rng.uniform(3750, 4050), int(rng.integers(4, 6))
    for loud, higher in ((1.0, 1.0), (0.5, 1.07), (0.3, 0.93)):
        chirps = round(n / SAMPLE_RATE * rng.uniform(2.4, 2.85))
        start = rng.uniform(0, n)
        t = time(0.0237)
        pulse = np.sin(2 * np.pi * pitch * higher * t) * np.sin(np.pi * t / t[-1]).clip(0) ** 0.7
        for chirp in range(chirps):
            for number in range(pulses):
                at = start + n * chirp / chirps + number * 0.038 * SAMPLE_RATE
                place(out, loud * (0.6 + 0.2 * number) * pulse, at)
    return out


def rain(rng: Rng, n: int) -> Wave:
    low, high, slope = rng.uniform(80, 650), rng.uniform(8000, 11500), rng.uniform(0.0, 0.1)
    out = noise(rng, n, low, high, slope) * (1 + 0.08 * slow(rng, n, 0.8))
    loud, pitch = rng.uniform(3.0, 5.0), rng.uniform(900, 1800)
    drops = int(n / SAMPLE_RATE * rng.uniform(290, 500))
    kinds = 10  # of drops; each falls many times, which one convolution does
    for _ in range(kinds):
        t = time(0.012)
        drop = rng.normal(size=t.size) * np.exp(-t / 0.001)
        ring = rng.uniform(0.6, 1.6) * pitch
        drop += 0.3 * np.sin(2 * np.pi * ring * t) * np.exp(-t / 0.002)
        fall = np.zeros(n)
        places = rng.integers(0, n, drops // kinds)
        fall[places] = rng.exponential(loud, places.size)
        out += np.fft.irfft(np.fft.rfft(fall) * np.fft.rfft(drop, n), n)
    return out


def sea_waves(rng: Rng, n: int) -> Wave:
    swell = np.zeros(n)
    waves = max(1, round(n / SAMPLE_RATE / rng.uniform(3.0, 4.2)))
    start = rng.uniform(0, n)
    for wave in range(waves):
        t = time(n / waves / SAMPLE_RATE * 1.1)
        x = t / t[-1]
        place(swell, np.sin(np.pi * x**0.55) ** 2 * rng.uniform(0.7, 1.0), start + wave * n / waves)
    surf = noise(rng, n, 60, 1500, -0.8) * (0.3 + swell)
    return surf + 0.6 * noise(rng, n, 900, 10000, -0.6) * (0.05 + swell**2)


def engine(rng: Rng, n: int) -> Wave:
    phase = cycles(rng.uniform(18.5, 23.0) * (1 + 0.018 * slow(rng, n, 3)))
    cylinders = 1 + 0.3 * rng.normal(size=4)
    knock, body = rng.uniform(0.55, 1.0), rng.uniform(95, 210)
    second = body * rng.uniform(2.8, 4.0)
    out = np.zeros(n)
    for stroke, at in enumerate(np.flatnonzero(np.diff(np.floor(phase / (2 * np.pi))) > 0)):
        t = time(0.06)
        bang = knock * rng.normal(size=t.size) * np.exp(-t / 0.0028)
        bang += np.sin(2 * np.pi * body * t) * np.exp(-t / 0.006)
        bang += 0.69 * np.sin(2 * np.pi * second * t) * np.exp(-t / 0.012)
        place(out, bang * cylinders[stroke % 4] * rng.normal(1, 0.08), float(at))
    out /= out.std()
    out += rng.uniform(0.35, 0.48) * noise(rng, n, 358, 6500, -0.8)
    return out


def siren(rng: Rng, n: int) -> Wave:
    wails = round(n / SAMPLE_RATE / rng.uniform(1.6, 3.4))
    sweep = 0.5 - 0.5 * np.cos(2 * np.pi * wails * np.arange(n) / n + rng.uniform(0, 6.28))
    low, high = rng.uniform(520, 700), rng.uniform(1250, 1550)
    phase = cycles(low * (high / low) ** sweep)
    out: Wave = sum((0.55**k) * np.sin((k + 1) * phase) for k in range(6))  # type: ignore[assignment]
    return np.asarray(np.tanh(1.5 * out) + 0.01 * noise(rng, n, 200, 6000, -0.5))


def car_horn(rng: Rng, n: int) -> Wave:
    out = 0.006 * noise(rng, n, 80, 4000, -1.0)
    low = rng.uniform(370, 430)
    for at, seconds in honks(rng, n):
        t = time(seconds)
        tone = np.zeros(t.size)
        for f in (low, low * rng.uniform(1.18, 1.27)):
            for harmonic in range(1, 16):
                f_h = harmonic * f
                loud = (1 / harmonic**0.6) / (1 + ((f_h - 2200) / 2600) ** 2)
                tone += loud * np.sin(2 * np.pi * f_h * t + rng.uniform(0, 6.28))
        rise = np.minimum(1, t / 0.015) * np.minimum(1, (t[-1] - t) / 0.03)
        place(out, np.tanh(tone * 0.7) * rise, at)
    return out


def honks(rng: Rng, n: int) -> list[tuple[float, float]]:
    """Sample and seconds of each honk round the loop."""
    out, at = [], 0.0
    while at < n - 0.5 * SAMPLE_RATE:
        seconds = float(rng.choice([0.25, 0.4, 0.8, 1.2]) * rng.uniform(0.9, 1.1))
        out.append((at, seconds))
        at += (seconds + rng.uniform(0.12, 0.45)) * SAMPLE_RATE
    return out


def train(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 23, 2800, rng.uniform(-1.4, -0.6)) * (1 + 0.18 * slow(rng, n, 4))
    out += rng.uniform(0.35, 0.62) * noise(rng, n, 800, 7000, -0.5) * (1 + 0.3 * slow(rng, n, 8))
    bogies, gap = round(n / SAMPLE_RATE * rng.uniform(0.95, 1.1)), rng.uniform(0.18, 0.21)
    for bogie in range(bogies):
        for wheel, delay in enumerate((0.0, gap, 2.6 * gap, 3.6 * gap)):
            t = time(0.16)
            clack = 2.37 * rng.normal(size=t.size) * np.exp(-t / 0.0292)
            low = rng.uniform(0.8, 1.2) * 230
            clack += 0.25 * np.sin(2 * np.pi * low * t) * np.exp(-t / 0.04)
            clack += 2.74 * np.sin(2 * np.pi * (2617 + 60 * wheel) * t) * np.exp(-t / 0.0254)
            place(out, clack, n * bogie / bogies + delay * SAMPLE_RATE)
    t = time(rng.uniform(0.9, 1.4))
    chord = rng.uniform(1.0, 1.2) * np.array([311.0, 370.0, 415.0, 494.0, 622.0])
    horn = np.zeros(t.size)
    for pitch in chord:
        for order in range(8):
            horn += 0.725**order * np.sin(2 * np.pi * (order + 1) * pitch * t + order)
    horn *= np.minimum(1, t / 0.08) * np.minimum(1, (t[-1] - t) / 0.15)
    start = rng.uniform(0, n)
    for blast in range(3):
        place(out, 0.85 * horn, start + blast * n / 3)
    return out


def helicopter(rng: Rng, n: int) -> Wave:
    blades = round(n / SAMPLE_RATE * rng.uniform(16.5, 19.5))
    thump, ring, late = rng.uniform(170, 195), rng.uniform(0.02, 0.05), rng.uniform(2.4, 2.9)
    out = 0.26 * noise(rng, n, rng.uniform(60, 100), 5700, -1.43)
    for blade in range(blades):
        t = time(0.12)
        beat = 1.28 * np.sin(2 * np.pi * thump * t + late) * np.exp(-t / ring)
        beat += 0.3 * rng.normal(size=t.size) * np.exp(-t / 0.0215) * (1 - np.exp(-t / 0.003))
        place(out, beat * (0.8 if blade % 2 else 1.0), n * blade / blades)
    swish = 0.5 + 0.5 * np.cos(2 * np.pi * blades * np.arange(n) / n - late)
    return out + 1.44 * noise(rng, n, rng.uniform(280, 480), 1630, -0.7) * swish**2.87


def clock_ticking(rng: Rng, n: int) -> Wave:
    ticks = 2 * round(n / SAMPLE_RATE * rng.uniform(1.7, 2.3))
    out = 0.0044 * noise(rng, n, 200, 6000, -0.5)
    bright = rng.uniform(0.93, 1.07)
    modes = ((582, 0.0063), (4890 * bright, 0.0047), (5080 * bright, 0.0006))
    for tick in range(ticks):
        t = time(0.08)
        lower = 1.0 if tick % 2 else 0.916
        click = 0.375 * rng.normal(size=t.size) * np.exp(-t / 0.0024)
        for number, (pitch, decay) in enumerate(modes):
            click += np.sin(2 * np.pi * pitch * lower * t + number) * np.exp(-t / decay)
        click *= np.minimum(1, t / 0.0004) * (1.0 if tick % 2 else 0.8)
        place(out, click, n * tick / ticks)
        place(out, 0.094 * click, n * tick / ticks + 0.01 * SAMPLE_RATE)
    return out


def keyboard_typing(rng: Rng, n: int) -> Wave:
    out = 0.0052 * noise(rng, n, 100, 6000, -0.7)
    pitch, pace, first = rng.uniform(1400, 1650), rng.uniform(0.15, 0.18), rng.uniform(0.02, 0.44)
    at = 0.0
    while at < n:
        loud, key = rng.uniform(0.4, 1.0), rng.uniform(0.8, 1.2)
        release = 0.094 * rng.uniform(0.8, 1.2)
        for delay, strength in ((0.0, first), (0.0065, 1.0), (release, 0.5)):
            t = time(0.06)
            click = rng.normal(size=t.size) * np.exp(-t / 0.0048)
            click += 0.76 * np.sin(2 * np.pi * pitch * key * t) * np.exp(-t / 0.0024)
            click += 0.2 * np.sin(2 * np.pi * 249 * key * t) * np.exp(-t / 0.0142)
            place(out, loud * strength * click, at + delay * SAMPLE_RATE)
        at += max(0.05, rng.gamma(5.0, pace / 5.0)) * SAMPLE_RATE
    return out


def church_bells(rng: Rng, n: int) -> Wave:
    high = rng.uniform(790, 860)
    strikes = 2 * round(n / SAMPLE_RATE / rng.uniform(1.25, 1.5))
    bells = [bell(rng, high), bell(rng, 0.75 * high)]
    out = 0.003 * noise(rng, n, 100, 4000, -0.8)
    for strike in range(strikes):
        ring = rng.uniform(0.8, 1.0) * bells[strike % 2]
        place(out, ring, n * strike / strikes + rng.uniform(0, 0.077) * SAMPLE_RATE)
    return out


def bell(rng: Rng, pitch: float) -> Wave:
    """One strike of a bell: its partials, each a slowly beating pair, and the clapper's blow."""
    partials = ((0.5, 0.95, 3.0), (1.0, 0.6, 2.0), (1.19, 0.62, 1.6), (1.5, 0.66, 1.1),
                (2.0, 1.0, 1.3), (2.52, 0.7, 0.7), (3.01, 0.7, 0.6), (4.1, 0.3, 0.4),
                (5.4, 0.3, 0.3), (6.8, 0.3, 0.25))  # fmt: skip
    t = time(3.5)
    ring = 1.1 * rng.normal(size=t.size) * np.exp(-t / 0.0049)
    for ratio, loud, decay in partials:
        for beat in (-0.28, 0.28):
            tone = np.sin(2 * np.pi * (ratio * pitch + beat) * t + ratio)
            ring += 0.5 * loud * np.exp(-t / decay) * tone
    return np.asarray(ring * np.minimum(1.0, (t[-1] - t) / 0.3))


RECIPES: dict[str, Callable[[Rng, int], Wave]] = {
    "birds": birds,
    "crickets": crickets,
    "rain": rain,
    "sea waves": sea_waves,
    "engine": engine,
    "siren": siren,
    "car horn": car_horn,
    "train": train,
    "helicopter": helicopter,
    "clock ticking": clock_ticking,
    "keyboard typing": keyboard_typing,
    "church bells": church_bells,
}


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


def place(loop: Wave, event: Wave, at: float) -> None:
    """Add an event, no longer than the loop, from sample ``at`` on, round the end of the loop."""
    start = int(at) % loop.size
    first = event[: loop.size - start]
    loop[start : start + first.size] += first
    rest = event[first.size :]
    loop[: rest.size] += rest


def noise(rng: Rng, n: int, low: float, high: float, slope: float) -> Wave:
    """Periodic Gaussian noise of RMS 1 between two frequencies; amplitude ∝ f ** slope."""
    f = np.fft.rfftfreq(n, 1 / SAMPLE_RATE)
    weight = np.maximum(f, 20.0) ** slope
    weight *= 1 / (1 + (low / np.maximum(f, 1.0)) ** 4) / (1 + (f / high) ** 4)
    spectrum = weight * (rng.normal(size=f.size) + 1j * rng.normal(size=f.size))
    wave = np.fft.irfft(spectrum, n)
    return np.asarray(wave / wave.std())


def slow(rng: Rng, n: int, hertz: float) -> Wave:
    """A periodic random curve of RMS 1 with nothing above ``hertz``."""
    count = max(2, int(hertz * n / SAMPLE_RATE))
    spectrum = np.zeros(n // 2 + 1, dtype=complex)
    spectrum[1 : count + 1] = rng.normal(size=count) + 1j * rng.normal(size=count)
    wave = np.fft.irfft(spectrum, n)
    return np.asarray(wave / wave.std())
