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
    strokes = 2 * round(n / SAMPLE_RATE * 1.3 * rng.uniform(0.85, 1.15))
    teeth = 85 * rng.uniform(0.85, 1.15)
    low = 1300 * rng.uniform(0.85, 1.2)
    out = 0.01 * noise(rng, n, 200, 6000, -0.5)
    for stroke in range(strokes):
        t = time(n / strokes / SAMPLE_RATE * 0.85)
        x = t / t[-1]
        speed = np.sin(np.pi * x) ** 0.6
        bite = 1 + 0.9 * np.sin(turn(teeth * (0.4 + speed)))
        rasp = rng.normal(size=t.size) * bite + 0.6 * pulses(turn(teeth * (0.4 + speed)), 0.9)
        pull = stroke % 2
        rasp = resonant(
            rasp, ((low * (1 + 0.25 * pull), 500, 1.0), (2.4 * low, 900, 0.7), (300, 150, 0.3))
        )
        place(out, rasp * speed * (1.0 if pull else 0.75), n * stroke / strokes)
    return out
