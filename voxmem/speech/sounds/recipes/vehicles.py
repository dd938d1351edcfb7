"""How vehicles are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import (
    Rng,
    Wave,
    cycles,
    noise,
    place,
    repeats,
    slow,
    swell,
    time,
)


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


def train(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 21.7, 4266, -4.25) * (1 + 0.18 * slow(rng, n, 4))
    out += 0.675 * noise(rng, n, 800, 7000, -0.5) * (1 + 0.3 * slow(rng, n, 8))
    bogies, gap = (
        round(n / SAMPLE_RATE * 1.08 * rng.uniform(0.93, 1.07)),
        0.618 * rng.uniform(0.92, 1.08),
    )
    for bogie in range(bogies):
        for delay in (0.0, gap, 2.6 * gap, 3.6 * gap):
            t = time(0.16)
            clack = 1.15 * rng.normal(size=t.size) * np.exp(-t / 0.0115)
            clack += 0.13 * np.sin(2 * np.pi * rng.uniform(0.8, 1.2) * 244 * t) * np.exp(-t / 0.04)
            clack += 2.28 * np.sin(2 * np.pi * 4594 * t) * np.exp(-t / 0.052)
            place(out, clack, n * bogie / bogies + delay * SAMPLE_RATE)
    chord = rng.uniform(1.0, 1.2) * np.array([311.0, 370.0, 415.0, 494.0, 622.0])
    t = time(1.58 * rng.uniform(0.85, 1.15))
    horn = np.zeros(t.size)
    for pitch in chord:
        for order in range(8):
            horn += 0.725**order * np.sin(2 * np.pi * (order + 1) * pitch * t + order)
    for at in repeats(rng, n, 1.87):
        place(out, 0.78 * horn * swell(t, 0.08, 0.15), at)
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


def airplane(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 54.4, 673, -0.553) * (1 + 0.243 * slow(rng, n, 1.0))
    out += 0.135 * noise(rng, n, 800, 9560, -0.3) * (1 + 0.15 * slow(rng, n, 2))
    for offset in (1.0, 1.013):
        phase = cycles(1058 * offset * (1 + 0.003 * slow(rng, n, 1)))
        for order in range(1, 9):
            out += 0.148 / order**0.177 * np.sin(order * phase + order)
    return out
