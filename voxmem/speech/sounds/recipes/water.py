"""How weather and water are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import Rng, Wave, noise, place, scatter, slow, time


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
        out += scatter(rng, n, drop, drops // kinds, loud)
    return out


def sea_waves(rng: Rng, n: int) -> Wave:
    tide = np.zeros(n)
    waves = max(1, round(n / SAMPLE_RATE / rng.uniform(3.0, 4.2)))
    start = rng.uniform(0, n)
    for wave in range(waves):
        t = time(n / waves / SAMPLE_RATE * 1.1)
        x = t / t[-1]
        place(tide, np.sin(np.pi * x**0.55) ** 2 * rng.uniform(0.7, 1.0), start + wave * n / waves)
    surf = noise(rng, n, 60, 1500, -0.8) * (0.3 + tide)
    return surf + 0.6 * noise(rng, n, 900, 10000, -0.6) * (0.05 + tide**2)
