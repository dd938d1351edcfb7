"""What follows from voice and words is left out, what does not stays."""

from __future__ import annotations

import numpy as np

from voxmem.keys import rng
from voxmem.quality.probes.wording import beyond_plan
from voxmem.records import Clip, ClipSpec

WORDS = "the lamp in our hall shone blue when she sang near those old chairs".split()


def spoken(count: int = 400) -> dict[str, Clip]:
    """Clips in three voices, of one or two sentences."""
    clips = {}
    for at in range(count):
        draw = rng("text", at)
        sentences = [" ".join(draw.choices(WORDS, k=draw.randint(3, 9))) for _ in range(1 + at % 2)]
        clips[f"c{at}"] = Clip(
            clip_id=f"c{at}",
            spec=ClipSpec(text=". ".join(sentences) + ".", voice=f"p0{at % 3 + 1}"),
            engine="noise 1",
            sha256="0" * 64,
            samples=24_000,
            licence="CC0-1.0",
        )
    return clips


def sounding(clips: dict[str, Clip], fault: float = 0.0) -> dict[str, np.ndarray]:
    """A trait that hangs on voice and pauses; half of the clips have a fault."""
    found = {}
    for at, (name, clip) in enumerate(clips.items()):
        pauses, voice = clip.spec.text.count(". "), int(clip.spec.voice[-1])
        noise = rng("noise", at).gauss(0, 0.1)
        found[name] = np.array([3.0 * voice + 20 * pauses + noise + fault * (at % 12 < 6)])
    return found


def test_voice_and_words_explain_what_hangs_on_them() -> None:
    clips = spoken()
    rest = np.concatenate([*beyond_plan(clips, sounding(clips)).values()])
    assert np.abs(rest.mean()) < 1e-9
    assert rest.std() < 0.2


def test_a_fault_stays() -> None:
    clips = spoken()
    rest = np.concatenate([*beyond_plan(clips, sounding(clips, fault=1.0)).values()])
    faulty = np.arange(rest.size) % 12 < 6
    assert rest[faulty].mean() - rest[~faulty].mean() > 0.85


def test_nothing_is_beyond_nothing() -> None:
    assert beyond_plan({}, {}) == {}
