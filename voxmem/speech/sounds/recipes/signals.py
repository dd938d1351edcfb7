"""How alarms and signals are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import Rng, Wave, cycles, noise, place, swell, time


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


def alarm_clock(rng: Rng, n: int) -> Wave:
    pitch = 2050 * rng.uniform(0.93, 1.08)
    bursts = round(n / SAMPLE_RATE * 2.45)
    out = 0.002 * noise(rng, n, 100, 5000, -0.8)
    for burst in range(bursts):
        for beep in range(4):
            t = time(0.0733)
            tone = (
                np.sin(2 * np.pi * pitch * t)
                + 0.273 * np.sin(2 * np.pi * 2 * pitch * t)
                + 0.146 * np.sin(2 * np.pi * 3 * pitch * t)
            )
            place(
                out, tone * swell(t, 0.002, 0.004), n * burst / bursts + beep * 0.15 * SAMPLE_RATE
            )
    return out
