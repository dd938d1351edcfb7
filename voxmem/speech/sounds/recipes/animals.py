"""How animals are made that chirp, creak and croak, and those that call with a throat."""

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


def frog(rng: Rng, n: int) -> Wave:
    out = 0.004 * noise(rng, n, 300, 6000, -0.8)
    body, rate = 1000 * rng.uniform(0.85, 1.15), 42 * rng.uniform(0.9, 1.1)
    for at in repeats(rng, n, 0.75):
        for part, (start, seconds) in enumerate(((0.0, 0.14), (0.2, 0.24))):
            count = max(3, int(seconds * rate))
            for pulse in range(count):
                t = time(0.05)
                x = pulse / count
                ring = np.sin(2 * np.pi * body * (1 + 0.3 * (x + part - 0.5)) * t) * np.exp(
                    -t / 0.006
                )
                ring += 0.5 * np.sin(2 * np.pi * 2.1 * body * t) * np.exp(-t / 0.004)
                place(
                    out,
                    ring * np.sin(np.pi * (x + 0.5 / count)) ** 0.5,
                    at + (start + pulse / rate) * SAMPLE_RATE,
                )
    return out


def cow(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 4000, -0.8)
    low = 150 * rng.uniform(0.9, 1.15)
    throat = 620 * rng.uniform(0.9, 1.1)
    for at in repeats(rng, n, 2.2):
        t = time(1.7 * rng.uniform(0.9, 1.1))
        x = t / t[-1]
        pitch = (
            low
            * (1 + 0.35 * np.sin(np.pi * x**0.7) - 0.1 * x)
            * (1 + 0.01 * np.sin(2 * np.pi * 27 * t))
        )
        source = pulses(turn(pitch), 0.93) + 0.05 * rng.normal(size=t.size)
        closed = resonant(source, ((260, 60, 1.0), (2 * throat, 300, 0.08)))
        opened = resonant(source, ((throat, 110, 1.0), (1150, 160, 0.6), (2600, 300, 0.15)))
        mouth = np.clip((x - 0.12) / 0.2, 0, 1)
        place(out, (closed * (1 - mouth) + opened * mouth) * swell(t, 0.12, 0.35), at)
    return out


def crow(rng: Rng, n: int) -> Wave:
    out = 0.004 * noise(rng, n, 300, 6000, -0.8)
    low, throat = 450 * rng.uniform(0.9, 1.12), rng.uniform(0.92, 1.08)
    for group in repeats(rng, n, 2.6):
        for caw in range(int(rng.integers(3, 5))):
            t = time(0.33 * rng.uniform(0.9, 1.1))
            x = t / t[-1]
            pitch = low * (1 + 0.18 * np.sin(np.pi * x) - 0.1 * x)
            rough = 1 + 0.7 * np.sin(2 * np.pi * 75 * t)
            source = pulses(turn(pitch), 0.95) * rough + 0.5 * rng.normal(size=t.size)
            cry = resonant(
                source,
                ((1350 * throat, 180, 1.0), (1900 * throat, 250, 0.6), (3300 * throat, 500, 0.25)),
            )
            place(out, cry * swell(t, 0.03, 0.1), group + caw * 0.55 * SAMPLE_RATE)
    return out


def dog_barking(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 420 * rng.uniform(0.8, 1.2), rng.uniform(0.9, 1.1)
    at = 0.0
    while at < n - 0.3 * SAMPLE_RATE:
        t = time(0.16 * rng.uniform(0.9, 1.15))
        x = t / t[-1]
        pitch = low * (1 + 0.45 * np.sin(np.pi * x**0.6) - 0.2 * x)
        source = pulses(turn(pitch), 0.93) + 0.6 * rng.normal(size=t.size)
        bark = resonant(
            source, ((800 * throat, 160, 1.0), (1500 * throat, 250, 0.5), (2800, 500, 0.15))
        )
        place(
            out,
            bark * np.minimum(1, t / 0.012) * np.exp(-(((x - 0.2).clip(0) * 2.2) ** 2)) * (1 - x),
            at,
        )
        at += 0.42 * rng.uniform(0.85, 1.2) * SAMPLE_RATE * (2 if rng.uniform() < 0.2 else 1)
    return out


def sheep(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 330 * rng.uniform(0.85, 1.2), rng.uniform(0.92, 1.08)
    for at in repeats(rng, n, 1.5):
        t = time(0.95 * rng.uniform(0.85, 1.15))
        x = t / t[-1]
        shake = np.sin(2 * np.pi * 8.5 * rng.uniform(0.9, 1.1) * t)
        pitch = low * (1.05 - 0.15 * x) * (1 + 0.06 * shake)
        source = pulses(turn(pitch), 0.95) * (1 + 0.5 * shake) + 0.15 * rng.normal(size=t.size)
        bleat = resonant(
            source, ((750 * throat, 120, 1.0), (1500 * throat, 200, 0.8), (2700 * throat, 300, 0.5))
        )
        place(out, bleat * swell(t, 0.05, 0.2), at)
    return out
