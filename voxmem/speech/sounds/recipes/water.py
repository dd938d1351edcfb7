"""How weather and water are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import (
    Rng,
    Wave,
    noise,
    place,
    repeats,
    resonant,
    scatter,
    slow,
    time,
    turn,
)


def rain(rng: Rng, n: int) -> Wave:
    low = 407 * rng.uniform(0.6, 1.6)
    out = noise(rng, n, low, 12957, -0.119) * (1 + 0.08 * slow(rng, n, 0.8))
    kinds = 6
    for _ in range(kinds):
        t = time(0.012)
        ring = 1382 * rng.uniform(0.5, 1.8)
        drop = rng.normal(size=t.size) * np.exp(-t / 0.000595)
        drop += 0.0746 * np.sin(2 * np.pi * ring * t) * np.exp(-t / 0.00363)
        out += scatter(rng, n, drop, int(n / SAMPLE_RATE * 609 / kinds) + 1, 1.91)
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


def wind(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 155, 162, -0.37) * (1 + 1.94 * slow(rng, n, 1.5)).clip(0.1)
    for centre in (1109, 831):
        gust = (1 + 0.0771 * slow(rng, n, 0.8)).clip(0)
        howl = resonant(rng.normal(size=n), ((centre * rng.uniform(0.85, 1.15), 525, 1.0),))
        out += 0.314 * gust * howl / howl.std()
    return np.asarray(out)


def water_drops(rng: Rng, n: int) -> Wave:
    out = 0.002 * noise(rng, n, 100, 5000, -0.8)
    for at in repeats(rng, n, 0.363):
        t = time(0.18)
        pitch = 553 * np.exp(0.25 * rng.normal())
        glide = pitch * (1 + 0.568 * (1 - np.exp(-t / 0.0263)))
        drop = np.sin(turn(glide)) * np.exp(-t / 0.00808) + 0.0764 * rng.normal(
            size=t.size
        ) * np.exp(-t / 0.002)
        place(out, drop * np.minimum(1, t / 0.001), at)
        place(out, 0.192 * drop, at + 0.0497 * SAMPLE_RATE)
    return out


def pouring_water(rng: Rng, n: int) -> Wave:
    out = 0.205 * noise(rng, n, 135, 7000, -0.518)
    kinds = 14
    base = 2882 * rng.uniform(0.8, 1.25)
    for _ in range(kinds):
        t = time(0.08)
        pitch = base * np.exp(0.925 * rng.normal())
        bubble = (
            np.sin(turn(pitch * (1 + 0.851 * t / 0.03)))
            * np.exp(-t / 0.00641)
            * np.minimum(1, t / 0.002)
        )
        out += scatter(rng, n, bubble, int(n / SAMPLE_RATE * 71.8 / kinds) + 1, 3.71)
    return out
