"""Seconds of primary audio per CPU second, from text to stored FLAC.

    python benchmarks/speech_throughput.py [--clips 300] [--threads 1]

Half of the clips are cued: 30 % have a delivery, 20 % a sound. Everything that a build does for a
clip is counted: network, delivery, mix, paired rendition, FLAC and hash; gates that need models
are not. The bank of sounds and the models are made before the clock starts, once a process.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

from voxmem import keys
from voxmem.records import ClipSpec
from voxmem.speech.engine import get_engine
from voxmem.speech.studio import speak
from voxmem.speech.sounds.bank import VARIANTS, bank
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS

_STARTS = ("I moved", "We lost", "My sister found", "They returned", "Nobody wanted")
_THINGS = ("the reading lamp", "forty old postcards", "the grey suitcase", "a box of candles")
_PLACES = ("in the kitchen on Monday", "near the station", "at 7:30 in the evening", "at school")
_ENDS = ("and it took most of the day.", "so please remind me later.", "because of the rain.")


class HashedMemory:
    """Keeps objects under their SHA-256 in memory: the store without a disk."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.objects[digest] = data
        return digest


def specs(count: int) -> list[ClipSpec]:
    rng = keys.rng("benchmark", count)
    out = []
    for number in range(count):
        part = number % 10
        words = [rng.choice(options) for options in (_STARTS, _THINGS, _PLACES, _ENDS)]
        out.append(
            ClipSpec(
                text=" ".join(words),
                voice=rng.choice(PERSONAS),
                delivery=rng.choice(list(DELIVERIES)) if part < 3 else "neutral",
                sound=rng.choice(list(SOUNDS)) if 3 <= part < 5 else None,
                seed=number,
            )
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    engine, store = get_engine(), HashedMemory()
    for event in SOUNDS:
        for variant in range(VARIANTS):
            bank(event, variant)
    todo = specs(arguments.clips)
    speak(todo[0], engine, store)
    cpu, wall = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(arguments.threads) as pool:
        clips = list(pool.map(lambda spec: speak(spec, engine, store), todo))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    seconds = sum(clip.seconds for clip in clips)
    megabytes = sum(map(len, store.objects.values())) / 1e6
    print(
        f"{len(clips)} clips, {seconds:.0f} s of primary audio, {len(store.objects)} objects, "
        f"{megabytes:.1f} MB\n{seconds / cpu:.0f} s of audio a CPU second, "
        f"{seconds / wall:.0f} a second of wall time on {arguments.threads} thread(s)"
    )


if __name__ == "__main__":
    main()
