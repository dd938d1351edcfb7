"""Seconds of primary audio per CPU second, from text to stored FLAC.

    python benchmarks/speech_throughput.py [--clips 300] [--threads 1] [--mix paper]

Of the paper's mix of clips 12 % have a delivery and 12 % a sound; of the heavy one 30 and 20 %.
Everything that a build does for a clip is counted: network, delivery, mix, paired rendition, FLAC
and hash; gates that need models are not. The bank of sounds and the models are made before the
clock starts, once a process. Then the cost of one file alone: a recording of 48 kHz resampled,
mixed with a sound, hashed and stored.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from voxmem import keys
from voxmem.config import Speech
from voxmem.records import ClipSpec
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.mixing import mix
from voxmem.speech.studio import NEUTRAL, Studio, open_studio
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS, PERSONAS

MIXES = {"paper": (0.12, 0.12), "heavy": (0.3, 0.2)}
"""Shares of clips with a delivery and with a sound."""

_STARTS = ("I moved", "We lost", "My sister found", "They returned", "Nobody wanted")
_THINGS = ("the reading lamp", "forty old postcards", "the grey suitcase", "a box of candles")
_PLACES = ("in the kitchen on Monday", "near the station", "at 7:30 in the evening", "at school")
_ENDS = ("and it took most of the day.", "so please remind me later.", "because of the rain.")


class Hashed:
    """Hashes objects and keeps their sizes: the store without a disk."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.sizes[digest] = len(data)
        return digest


def specs(count: int, cued: float, sounding: float) -> list[ClipSpec]:
    rng = keys.rng("benchmark", count, cued, sounding)
    out = []
    for number in range(count):
        part = (number * 0.618034) % 1.0
        words = [rng.choice(options) for options in (_STARTS, _THINGS, _PLACES, _ENDS)]
        out.append(
            ClipSpec(
                text=" ".join(words),
                voice=rng.choice(PERSONAS),
                delivery=rng.choice(DEFAULT_DELIVERIES) if part < cued else NEUTRAL,
                sound=rng.choice(DEFAULT_SOUNDS) if cued <= part < cued + sounding else None,
                seed=number,
            )
        )
    return out


def measure_mix(studio: Studio, name: str, clips: int, threads: int) -> str:
    todo, store = specs(clips, *MIXES[name]), Hashed()
    for spec in todo[:3]:
        studio.speak(spec, Hashed())
    cpu, wall = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        made = list(pool.map(lambda spec: studio.speak(spec, store), todo))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    seconds = sum(clip.samples for clip in made) / SAMPLE_RATE
    words = seconds - 2 * studio.edge_seconds * len(made)
    megabytes = sum(store.sizes.values()) / 1e6
    return (
        f"{name}: {len(made)} clips, {seconds:.0f} s of primary audio, {len(store.sizes)} "
        f"objects, {megabytes:.1f} MB; {seconds / cpu:.0f} s of audio a CPU second "
        f"({words / cpu:.0f} without the edges), {seconds / wall:.0f} a second of wall time on "
        f"{threads} thread(s); {_memory():.0f} MB at most in memory"
    )


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def measure_file(studio: Studio, rounds: int = 40) -> str:
    """Of a clip of 3.8 s: the least and the median of the rounds, since others use the machine."""
    import soxr

    rng = keys.numpy_rng("benchmark file")
    spoken = studio.engine.render(" ".join(specs(1, 0, 0)[0].text.split() * 2), PERSONAS[0]).audio
    speech = np.resize(spoken, round(3.8 * SAMPLE_RATE))
    recorded = soxr.resample(speech, SAMPLE_RATE, 2 * SAMPLE_RATE)
    sound = rng.standard_normal(speech.size).astype(np.float32)
    store, took = Hashed(), []
    for _ in range(rounds):
        start = time.thread_time()
        stem = soxr.resample(recorded, 2 * SAMPLE_RATE, SAMPLE_RATE)[: sound.size]
        store.put(flac_bytes(to_pcm(mix(stem, sound).mix)))
        took.append(1000 * (time.thread_time() - start))
    return (
        f"resample, mix, hash and one FLAC of 3.8 s: {min(took):.2f} ms at best, "
        f"{np.median(took):.2f} ms in the median"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--mix", choices=[*MIXES, "both"], default="both")
    arguments = parser.parse_args()
    studio = open_studio(Speech())
    for event in DEFAULT_SOUNDS:
        for seed in range(8):
            studio.sounds.background(event, 10 * SAMPLE_RATE, seed)
    for name in MIXES if arguments.mix == "both" else [arguments.mix]:
        print(measure_mix(studio, name, arguments.clips, arguments.threads))
    print(measure_file(studio))
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
