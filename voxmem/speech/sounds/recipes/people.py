"""How the sounds of people other than the speaker are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import (
    Rng,
    Wave,
    noise,
    place,
    pulses,
    repeats,
    resonant,
    swell,
    time,
    turn,
)


def crying_baby(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 443 * rng.uniform(0.9, 1.12), rng.uniform(0.93, 1.07)
    for at in repeats(rng, n, 1.3):
        t = time(0.839 * rng.uniform(0.85, 1.1))
        x = t / t[-1]
        pitch = (
            low
            * (0.85 + 0.182 * np.sin(np.pi * x**0.6))
            * (1 + 0.015 * np.sin(2 * np.pi * 7.16 * t))
        )
        source = pulses(turn(pitch), 0.94) + 0.6 * rng.normal(size=t.size)
        cry = resonant(
            source, ((1272 * throat, 200, 1.0), (3643 * throat, 400, 0.653), (6705, 500, 0.611))
        )
        place(out, cry * swell(t, 0.08, 0.15), at)
    return out


def clapping(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    hands = round(59.4)
    for _ in range(hands):
        rate = 2.56 * rng.uniform(0.85, 1.15)
        claps = round(n / SAMPLE_RATE * rate)
        t = time(0.08)
        centre = 1584 * rng.uniform(0.7, 1.5)
        clap = resonant(
            rng.normal(size=t.size), ((centre, 109, 1.0), (1426, 1200, 0.114))
        ) * np.exp(-t / 0.0155)
        loud = rng.uniform(0.3, 1.0)
        start = rng.uniform(0, n)
        for k in range(claps):
            place(out, loud * clap, start + n * k / claps + rng.normal() * 0.0239 * SAMPLE_RATE)
    return out
