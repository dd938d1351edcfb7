"""How the sounds of a house are made."""

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
    scatter,
    slow,
    time,
)


def clock_ticking(rng: Rng, n: int) -> Wave:
    ticks = 2 * round(n / SAMPLE_RATE * rng.uniform(1.7, 2.3))
    out = 0.0044 * noise(rng, n, 200, 6000, -0.5)
    bright = rng.uniform(0.93, 1.07)
    modes = ((582, 0.0063), (4890 * bright, 0.0047), (5080 * bright, 0.0006))
    for tick in range(ticks):
        t = time(0.08)
        lower = 1.0 if tick % 2 else 0.916
        click = 0.375 * rng.normal(size=t.size) * np.exp(-t / 0.0024)
        for number, (pitch, decay) in enumerate(modes):
            click += np.sin(2 * np.pi * pitch * lower * t + number) * np.exp(-t / decay)
        click *= np.minimum(1, t / 0.0004) * (1.0 if tick % 2 else 0.8)
        place(out, click, n * tick / ticks)
        place(out, 0.094 * click, n * tick / ticks + 0.01 * SAMPLE_RATE)
    return out


def keyboard_typing(rng: Rng, n: int) -> Wave:
    out = 0.0052 * noise(rng, n, 100, 6000, -0.7)
    pitch, pace, first = rng.uniform(1400, 1650), rng.uniform(0.15, 0.18), rng.uniform(0.02, 0.44)
    at = 0.0
    while at < n:
        loud, key = rng.uniform(0.4, 1.0), rng.uniform(0.8, 1.2)
        release = 0.094 * rng.uniform(0.8, 1.2)
        for delay, strength in ((0.0, first), (0.0065, 1.0), (release, 0.5)):
            t = time(0.06)
            click = rng.normal(size=t.size) * np.exp(-t / 0.0048)
            click += 0.76 * np.sin(2 * np.pi * pitch * key * t) * np.exp(-t / 0.0024)
            click += 0.2 * np.sin(2 * np.pi * 249 * key * t) * np.exp(-t / 0.0142)
            place(out, loud * strength * click, at + delay * SAMPLE_RATE)
        at += max(0.05, rng.gamma(5.0, pace / 5.0)) * SAMPLE_RATE
    return out


def door_knock(rng: Rng, n: int) -> Wave:
    out = 0.0025 * noise(rng, n, 60, 3000, -0.8)
    panel = 321 * rng.uniform(0.85, 1.2)
    gap = 0.414 * rng.uniform(0.85, 1.15)
    for group in repeats(rng, n, 1.93):
        for knock in range(int(rng.integers(3, 5))):
            t = time(0.2)
            hit = 0.086 * rng.normal(size=t.size) * np.exp(-t / 0.0228)
            for ratio, loud, decay in (
                (1.0, 1.0, 0.00905),
                (3.81, 0.359, 0.00449),
                (6.41, 0.645, 0.01),
            ):
                hit += loud * np.sin(2 * np.pi * ratio * panel * t + ratio) * np.exp(-t / decay)
            place(
                out,
                hit * np.minimum(1, t / 0.0008) * rng.uniform(0.8, 1.0),
                group + knock * gap * SAMPLE_RATE,
            )
    return out


def glass_breaking(rng: Rng, n: int) -> Wave:
    out = 0.002 * noise(rng, n, 200, 8000, -0.5)
    shards = []
    for _ in range(24):
        t = time(0.25)
        pitch = min(3372 * np.exp(0.45 * rng.normal()), 11_000)
        shard = 0.3 * rng.normal(size=t.size) * np.exp(-t / 0.002)
        for ratio, loud in ((1.0, 1.0), (1.53, 0.6), (2.31, 0.4)):
            if ratio * pitch < 11_800:
                shard += (
                    loud
                    * np.sin(2 * np.pi * ratio * pitch * t + ratio)
                    * np.exp(-t * ratio / 0.0458)
                )
        shards.append(shard)
    for at in repeats(rng, n, 1.44):
        t = time(0.25)
        place(out, 2.02 * rng.normal(size=t.size) * np.exp(-t / 0.0659), at)
        for _ in range(round(95.8)):
            later = rng.exponential(0.131) * SAMPLE_RATE
            place(out, rng.exponential(0.277) * shards[rng.integers(24)], at + later)
    return out


def crackling_fire(rng: Rng, n: int) -> Wave:
    out = 0.0732 * noise(rng, n, 45.9, 2262, -0.6) * (1 + 0.3 * slow(rng, n, 3))
    kinds = 10
    for _ in range(kinds):
        t = time(0.03)
        crack = rng.normal(size=t.size) * np.exp(-t / (0.00526 * rng.uniform(0.4, 2.0)))
        out += 0.932 * scatter(rng, n, crack, int(n / SAMPLE_RATE * 30.6 / kinds) + 1, 1.0, 0.762)
    return out + 0.0555 * noise(rng, n, 1500, 9000, 0.0)


def vacuum_cleaner(rng: Rng, n: int) -> Wave:
    out = noise(rng, n, 200, 4812, -0.186) * (1 + 0.05 * slow(rng, n, 2))
    phase = cycles(313 * rng.uniform(0.85, 1.2) * (1 + 0.004 * slow(rng, n, 2)))
    for order in range(1, 16):
        out += 0.5 / order**0.7 * np.sin(order * phase + order)
    whine = cycles(2614 * rng.uniform(0.9, 1.1) * (1 + 0.003 * slow(rng, n, 2)))
    return out + 0.498 * np.sin(whine)
