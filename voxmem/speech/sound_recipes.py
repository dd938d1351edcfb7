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
    out = 0.002 * noise(rng, n, 2000, 9000, 0.0)
    for loud in (1.0, 0.5, 0.3):
        pitch, pulses = rng.uniform(4200, 5000), int(rng.integers(3, 5))
        chirps = round(n / SAMPLE_RATE * rng.uniform(2.2, 3.2))
        start = rng.uniform(0, n)
        t = time(0.016)
        pulse = np.sin(2 * np.pi * pitch * t) * np.sin(np.pi * t / t[-1]) ** 0.7
        for chirp in range(chirps):
            at = start + n * chirp / chirps + rng.normal(0, 0.004) * SAMPLE_RATE
            for number in range(pulses):
                place(out, loud * (0.6 + 0.2 * number) * pulse, at + number * 0.026 * SAMPLE_RATE)
    return out


def rain(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 300, 11000, rng.uniform(-0.5, -0.2)) * (1 + 0.1 * slow(rng, n, 0.8))
    for _ in range(int(n / SAMPLE_RATE * rng.uniform(60, 120))):
        t = time(0.012)
        drop = rng.normal(size=t.size) * np.exp(-t / rng.uniform(0.001, 0.003))
        place(out, rng.exponential(1.2) * drop, rng.uniform(0, n))
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
    firing = rng.uniform(24, 34)
    phase = cycles(firing * (1 + 0.02 * slow(rng, n, 1.5)))
    out = np.zeros(n)
    for harmonic in range(1, 60):
        f = harmonic * firing
        body = 1.0 / (1 + ((f - 95) / 70) ** 2) + 0.35 / (1 + ((f - 380) / 150) ** 2)
        loud = body + 0.06 / (1 + f / 600)
        loud *= rng.uniform(0.5, 1.0)
        out += loud * np.sin(harmonic * phase + rng.uniform(0, 2 * np.pi))
    beat = 0.6 + 0.4 * np.cos(phase)
    return out + 0.5 * noise(rng, n, 150, 3500, -0.9) * beat


def siren(rng: Rng, n: int) -> Wave:
    wails = round(n / SAMPLE_RATE / rng.uniform(1.6, 3.4))
    sweep = 0.5 - 0.5 * np.cos(2 * np.pi * wails * np.arange(n) / n + rng.uniform(0, 6.28))
    low, high = rng.uniform(520, 700), rng.uniform(1250, 1550)
    phase = cycles(low * (high / low) ** sweep)
    out: Wave = sum((0.55**k) * np.sin((k + 1) * phase) for k in range(6))  # type: ignore[assignment]
    return np.tanh(1.5 * out) + 0.01 * noise(rng, n, 200, 6000, -0.5)


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
    rumble = noise(rng, n, 40, 900, -1.0) * (1 + 0.25 * slow(rng, n, 3))
    hiss = 0.25 * noise(rng, n, 800, 6000, -0.7) * (1 + 0.3 * slow(rng, n, 6))
    out = rumble + hiss
    bogies = round(n / SAMPLE_RATE * rng.uniform(1.1, 1.6))
    gap = rng.uniform(0.11, 0.16)
    for bogie in range(bogies):
        for wheel, delay in enumerate((0.0, gap, 2.6 * gap, 3.6 * gap)):
            t = time(0.14)
            clack = rng.normal(size=t.size) * np.exp(-t / 0.012) * 1.8
            clack += 2.4 * np.sin(2 * np.pi * rng.uniform(160, 240) * t) * np.exp(-t / 0.035)
            clack += 0.5 * np.sin(2 * np.pi * (1150 + 90 * wheel) * t) * np.exp(-t / 0.02)
            place(out, clack, n * bogie / bogies + delay * SAMPLE_RATE)
    return out


def helicopter(rng: Rng, n: int) -> Wave:
    blades = round(n / SAMPLE_RATE * rng.uniform(11.0, 15.0))
    out = 0.35 * noise(rng, n, 60, 2500, -0.8)
    for blade in range(blades):
        t = time(0.07)
        thump = np.sin(2 * np.pi * rng.uniform(75, 95) * t) * np.exp(-t / 0.02) * 2.0
        thump += rng.normal(size=t.size) * np.exp(-t / 0.012) * 0.8
        place(out, thump * (1.0 if blade % 2 else 0.85), n * blade / blades)
    beat = 0.6 + 0.4 * np.cos(2 * np.pi * blades * np.arange(n) / n)
    out += 0.5 * noise(rng, n, 200, 5000, -0.6) * beat**2
    whine = cycles(np.full(n, rng.uniform(900, 1500)))
    return out + 0.03 * np.sin(whine)


def clock_ticking(rng: Rng, n: int) -> Wave:
    ticks = 2 * round(n / SAMPLE_RATE * rng.uniform(1.0, 2.2))
    out = 0.0015 * noise(rng, n, 200, 6000, -0.5)
    modes = [(rng.uniform(1700, 2600), 0.008), (rng.uniform(3200, 4800), 0.005),
             (rng.uniform(5500, 8000), 0.003), (rng.uniform(500, 900), 0.012)]  # fmt: skip
    for tick in range(ticks):
        t = time(0.06)
        click = 0.8 * rng.normal(size=t.size) * np.exp(-t / 0.0012)
        for f, decay in modes:
            lower = 1.0 if tick % 2 else 0.86
            click += np.sin(2 * np.pi * lower * f * t) * np.exp(-t / decay)
        place(out, click * (1.0 if tick % 2 else 0.8), n * tick / ticks)
        place(out, 0.3 * click, n * tick / ticks + 0.022 * SAMPLE_RATE)
    return out


def keyboard_typing(rng: Rng, n: int) -> Wave:
    out = 0.002 * noise(rng, n, 150, 6000, -0.7)
    at = 0.0
    while at < n:
        loud, key = rng.uniform(0.5, 1.0), rng.uniform(0.85, 1.15)
        for delay, strength in ((0.0, 0.45), (0.012, 1.0), (rng.uniform(0.07, 0.11), 0.5)):
            t = time(0.05)
            click = rng.normal(size=t.size) * np.exp(-t / 0.003)
            click += 0.7 * np.sin(2 * np.pi * 2300 * key * t) * np.exp(-t / 0.006)
            click += 0.8 * np.sin(2 * np.pi * 420 * key * t) * np.exp(-t / 0.012)
            place(out, loud * strength * click, at + delay * SAMPLE_RATE)
        at += rng.choice([0.09, 0.12, 0.16, 0.3], p=[0.3, 0.4, 0.2, 0.1]) * SAMPLE_RATE
        at += rng.uniform(0, 0.03) * SAMPLE_RATE
    return out


def church_bells(rng: Rng, n: int) -> Wave:
    out = np.zeros(n)
    base = rng.uniform(330, 520)
    bells = [base, base * 0.891, base * 0.794, base * 0.667]
    strikes = round(n / SAMPLE_RATE / rng.uniform(0.7, 1.1))
    partials = ((0.5, 0.5, 3.0), (1.0, 0.8, 2.0), (1.19, 0.9, 1.6), (1.5, 0.5, 1.1),
                (2.0, 1.0, 1.3), (2.52, 0.5, 0.7), (3.01, 0.5, 0.6), (4.1, 0.35, 0.4),
                (5.4, 0.2, 0.25))  # fmt: skip
    for strike in range(strikes):
        t = time(3.5)
        ring = np.zeros(t.size)
        for ratio, loud, decay in partials:
            f = ratio * bells[strike % len(bells)]
            for beat in (-0.7, 0.7):
                ring += 0.5 * loud * np.exp(-t / decay) * np.sin(2 * np.pi * (f + beat) * t)
        ring[:240] += 0.5 * rng.normal(size=240) * np.exp(-np.arange(240) / 40)
        fade = np.minimum(1.0, (t[-1] - t) / 0.3)
        place(out, ring * fade * rng.uniform(0.8, 1.0), n * strike / strikes)
    return out


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
    """Add an event from sample ``at`` on, round the end of the loop."""
    np.add.at(loop, (int(at) + np.arange(event.size)) % loop.size, event)


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
