"""What the session gate costs: CPU seconds for each second of audio, check by check.

    python -m benchmarks.session_gate [CLIPS]

Half of the clips have a delivery, half a sound. Centroids, weights and sounds are loaded before
the clock starts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from voxmem.config import Speech
from voxmem.quality.calibration.speaking import speak, turn_of
from voxmem.quality.calibration.texts import sentence
from voxmem.quality.session import registry
from voxmem.quality.session.spoken import SessionCheck, Spoken
from voxmem.records import ClipSpec
from voxmem.speech.studio import NEUTRAL, open_studio

SESSION = 2
"""Clips of a session."""


def main(clips: int) -> None:
    """Prints one line a check."""
    studio = open_studio(Speech())
    cues = sorted(studio.engine.deliveries)
    spoken = [
        speak(
            studio,
            ClipSpec(
                text=sentence("test", number).text,
                voice=turn_of(studio.engine.voices, number // SESSION),
                delivery=turn_of(cues, number) if number % 2 else NEUTRAL,
                sound=turn_of(studio.sounds.events, number) if number // 2 % 2 else None,
            ),
        )
        for number in range(clips)
    ]
    seconds = sum(one.clip.seconds for one in spoken)
    reading = _cost(
        lambda: [(it.primary, it.stem, it.clip.pair_sha256 and it.pair) for it in spoken]
    )
    print(f"{clips} clips, {seconds:.0f} s of audio; CPU seconds for each second of it")
    print(f"{'reading the files':20}{reading / seconds:.4f}")
    for group, checks in (("measured", registry.MEASURED), ("listening", registry.LISTENING)):
        total = 0.0
        for check in checks:
            _over(check, spoken[:SESSION])
            cost = _cost(lambda check=check: _over(check, spoken))
            total += cost
            print(f"{check.__name__:20}{cost / seconds:.4f}")
        print(f"{'all ' + group:20}{total / seconds:.4f}")


def _over(check: SessionCheck, spoken: Sequence[Spoken]) -> None:
    for start in range(0, len(spoken), SESSION):
        list(check(spoken[start : start + SESSION]))


def _cost(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
