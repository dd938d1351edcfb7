"""How tools are made."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import (
    Rng,
    Wave,
    noise,
    place,
    pulses,
    resonant,
    time,
    turn,
)


def hand_saw(rng: Rng, n: int) -> Wave:
    strokes = 2 * round(n / SAMPLE_RATE * 2.69 * rng.uniform(0.85, 1.15))
    teeth = 61.5 * rng.uniform(0.85, 1.15)
    low = 2316 * rng.uniform(0.85, 1.2)
    out = 0.01 * noise(rng, n, 200, 6000, -0.5)
    for stroke in range(strokes):
        t = time(n / strokes / SAMPLE_RATE * 0.986)
        x = t / t[-1]
        speed = np.sin(np.pi * x) ** 0.544
        bite = 1 + 0.794 * np.sin(turn(teeth * (0.4 + speed)))
        rasp = rng.normal(size=t.size) * bite + 0.192 * pulses(turn(teeth * (0.4 + speed)), 0.9)
        pull = stroke % 2
        rasp = resonant(
            rasp,
            ((low * (1 + 0.408 * pull), 79.2, 1.0), (2.4 * low, 2138, 1.15), (300, 150, 0.448)),
        )
        place(out, rasp * speed * (1.0 if pull else 1.03), n * stroke / strokes)
    return out
