"""How animals are made that chirp, creak and croak, and those that call with a throat."""

from __future__ import annotations

import numpy as np

from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.sounds.recipes.shapes import (
    Rng,
    Wave,
    cycles,
    noise,
    place,
    pulses,
    repeats,
    resonant,
    slow,
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
    out = 0.00234 * noise(rng, n, 2000, 9000, 0.0)
    pitch, count = 4036 * rng.uniform(0.96, 1.04), int(rng.integers(4, 6))
    for loud, higher in ((1.0, 1.0), (0.204, 1.07), (0.00435, 0.93)):
        chirps = round(n / SAMPLE_RATE * 0.566 * rng.uniform(0.92, 1.08))
        start = rng.uniform(0, n)
        t = time(0.0194)
        pulse = np.sin(2 * np.pi * pitch * higher * t) * np.sin(np.pi * t / t[-1]).clip(0) ** 0.619
        for chirp in range(chirps):
            for number in range(count):
                at = start + n * chirp / chirps + number * 0.0485 * SAMPLE_RATE
                place(out, loud * (0.6 + 0.2 * number) * pulse, at)
    return out


def frog(rng: Rng, n: int) -> Wave:
    out = 0.004 * noise(rng, n, 300, 6000, -0.8)
    body, rate = 1329 * rng.uniform(0.85, 1.15), 65.6 * rng.uniform(0.9, 1.1)
    for at in repeats(rng, n, 0.713):
        for part, (start, seconds) in enumerate(((0.0, 0.255), (0.605, 0.29))):
            count = max(3, int(seconds * rate))
            for pulse in range(count):
                t = time(0.05)
                x = pulse / count
                ring = np.sin(2 * np.pi * body * (1 + 0.693 * (x + part - 0.5)) * t) * np.exp(
                    -t / 0.00335
                )
                ring += 0.095 * np.sin(2 * np.pi * 2.1 * body * t) * np.exp(-t / 0.00445)
                place(
                    out,
                    ring * np.sin(np.pi * (x + 0.5 / count)) ** 0.5,
                    at + (start + pulse / rate) * SAMPLE_RATE,
                )
    return out


def insects(rng: Rng, n: int) -> Wave:
    out = 0.005 * noise(rng, n, 200, 6000, -0.6)
    for _ in range(3):
        low = 216 * rng.uniform(0.85, 1.2)
        pitch = low * (1 + 0.0507 * slow(rng, n, 7.15))
        phase = cycles(pitch)
        buzz = resonant(
            pulses(phase, 0.9), ((511, 200, 1.0), (2448, 600, 1.96), (4959, 900, 0.309))
        )
        out += buzz * (1 + 0.258 * slow(rng, n, 1.5)).clip(0.1)
    return out


def cat(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 820 * rng.uniform(0.88, 1.15), rng.uniform(0.93, 1.07)
    for at in repeats(rng, n, 1.4):
        t = time(0.724 * rng.uniform(0.85, 1.15))
        x = t / t[-1]
        pitch = low * (0.85 + 0.382 * np.sin(np.pi * x**0.6))
        source = pulses(turn(pitch), 0.92) + 0.199 * rng.normal(size=t.size)
        shut = resonant(source, ((433 * throat, 120, 1.0), (6579 * throat, 300, 5.03)))
        wide = resonant(
            source, ((366 * throat, 200, 1.0), (3344 * throat, 300, 1.34), (3600, 500, 0.2))
        )
        mouth = np.sin(np.pi * x**0.7)
        place(out, (shut * (1 - mouth) + wide * mouth) * swell(t, 0.08, 0.25), at)
    return out


def cow(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 4000, -0.8)
    low = 96.2 * rng.uniform(0.9, 1.15)
    throat = 1000 * rng.uniform(0.9, 1.1)
    for at in repeats(rng, n, 2.2):
        t = time(1.68 * rng.uniform(0.9, 1.1))
        x = t / t[-1]
        pitch = (
            low
            * (1 + 0.525 * np.sin(np.pi * x**0.7) - 0.1 * x)
            * (1 + 0.01 * np.sin(2 * np.pi * 27 * t))
        )
        source = pulses(turn(pitch), 0.93) + 0.717 * rng.normal(size=t.size)
        closed = resonant(source, ((155, 60, 1.0), (2 * throat, 300, 0.08)))
        opened = resonant(source, ((throat, 56.4, 1.0), (1044, 160, 0.332), (2600, 300, 0.15)))
        mouth = np.clip((x - 0.12) / 0.2, 0, 1)
        place(out, (closed * (1 - mouth) + opened * mouth) * swell(t, 0.12, 0.35), at)
    return out


def crow(rng: Rng, n: int) -> Wave:
    out = 0.004 * noise(rng, n, 300, 6000, -0.8)
    low, throat = 593 * rng.uniform(0.9, 1.12), rng.uniform(0.92, 1.08)
    for group in repeats(rng, n, 2.6):
        for caw in range(int(rng.integers(3, 5))):
            t = time(0.282 * rng.uniform(0.9, 1.1))
            x = t / t[-1]
            pitch = low * (1 + 0.222 * np.sin(np.pi * x) - 0.1 * x)
            rough = 1 + 0.223 * np.sin(2 * np.pi * 169 * t)
            source = pulses(turn(pitch), 0.95) * rough + 1.82 * rng.normal(size=t.size)
            cry = resonant(
                source,
                (
                    (1899 * throat, 180, 1.0),
                    (1852 * throat, 250, 0.543),
                    (3300 * throat, 500, 0.066),
                ),
            )
            place(out, cry * swell(t, 0.03, 0.1), group + caw * 0.558 * SAMPLE_RATE)
    return out


def dog_barking(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 612 * rng.uniform(0.8, 1.2), rng.uniform(0.9, 1.1)
    at = 0.0
    while at < n - 0.3 * SAMPLE_RATE:
        t = time(0.257 * rng.uniform(0.9, 1.15))
        x = t / t[-1]
        pitch = low * (1 + 0.516 * np.sin(np.pi * x**0.6) - 0.2 * x)
        source = pulses(turn(pitch), 0.93) + 0.86 * rng.normal(size=t.size)
        bark = resonant(
            source, ((981 * throat, 160, 1.0), (1879 * throat, 250, 2.13), (2800, 500, 0.0738))
        )
        place(
            out,
            bark * np.minimum(1, t / 0.012) * np.exp(-(((x - 0.2).clip(0) * 7.06) ** 2)) * (1 - x),
            at,
        )
        at += 1.68 * rng.uniform(0.85, 1.2) * SAMPLE_RATE * (2 if rng.uniform() < 0.2 else 1)
    return out


def hen(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 941 * rng.uniform(0.9, 1.15), rng.uniform(0.93, 1.07)
    at = 0.0
    while at < n - 0.5 * SAMPLE_RATE:
        long = rng.uniform() < 0.0344
        t = time((0.0844 if long else 0.0454) * rng.uniform(0.9, 1.15))
        x = t / t[-1]
        pitch = low * (1 + (2.61 * x if long else 0.113 * np.sin(np.pi * x)))
        source = pulses(turn(pitch), 0.93) * (
            1 + 0.4 * np.sin(2 * np.pi * 60 * t)
        ) + 1.74 * rng.normal(size=t.size)
        cluck = resonant(source, ((890 * throat, 180, 1.0), (1108 * throat, 300, 0.355)))
        place(out, cluck * swell(t, 0.01, 0.03) * (1.3 if long else 1.0), at)
        at += (t[-1] + 0.137 * rng.uniform(0.7, 1.4)) * SAMPLE_RATE
    return out


def sheep(rng: Rng, n: int) -> Wave:
    out = 0.003 * noise(rng, n, 100, 5000, -0.8)
    low, throat = 687 * rng.uniform(0.85, 1.2), rng.uniform(0.92, 1.08)
    for at in repeats(rng, n, 1.5):
        t = time(1.94 * rng.uniform(0.85, 1.15))
        x = t / t[-1]
        shake = np.sin(2 * np.pi * 10.7 * rng.uniform(0.9, 1.1) * t)
        pitch = low * (1.05 - 0.15 * x) * (1 + 0.0491 * shake)
        source = pulses(turn(pitch), 0.95) * (1 + 0.691 * shake) + 0.117 * rng.normal(size=t.size)
        bleat = resonant(
            source,
            ((209 * throat, 120, 1.0), (524 * throat, 200, 0.578), (2700 * throat, 300, 1.59)),
        )
        place(out, bleat * swell(t, 0.05, 0.2), at)
    return out
