"""A made-up release that can be heard: coloured noise in place of words, with planted faults."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np

from tests.quality.probes.builders import Bench
from voxmem.keys import key, numpy_rng
from voxmem.quality.probes import Recordings, ReleaseView
from voxmem.quality.probes.classify import Probe, Task, run
from voxmem.quality.probes.clips import clip_pairs, clip_roles
from voxmem.quality.probes.cues import cued_clips
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.clips import spec_of
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.estimate import estimate_seconds

EDGE = 0.05
PACE = 0.04
"""Of the seconds that the words should take, so that tests are short."""


@dataclass
class Take:
    """One clip as it is made: what a test may change."""

    role: str
    spec: ClipSpec
    pace: float
    gain: float
    floor: float = 0.0
    """Amplitude of noise over the whole clip, its edges too."""
    cue_gain: float = 1.5
    tilt: float = 0.9


Plant = Callable[[Take], None]


@dataclass
class Memory:
    """Objects in a dictionary."""

    held: dict[str, bytes] = field(default_factory=dict)

    def put(self, data: bytes) -> str:
        sha = hashlib.sha256(data).hexdigest()
        self.held[sha] = data
        return sha

    def get(self, sha: str) -> bytes:
        return self.held[sha]


def heard(bench: Bench, plant: Plant = lambda take: None) -> ReleaseView:
    """The bench's release, spoken. Every session is short, so that it is made in no time."""
    inner = bench.plant

    def short(made: object) -> None:
        made.turns = 1 + made.turns % 2  # type: ignore[attr-defined]
        inner(made)  # type: ignore[arg-type]

    view = replace(bench, plant=short).view()
    roles = {
        place.session_id: place.role
        for histories in view.histories.values()
        for place in histories[-1].placements
    }
    memory = Memory()
    clips_of = cache(partial(_clips, view, roles, memory, plant))
    return replace(view, recordings=Recordings(clips_of, memory, EDGE))  # type: ignore[arg-type]


def listening(
    view: ReleaseView, *makers: Callable[[ReleaseView], Iterable[Task]]
) -> dict[str, Task]:
    """The tasks that listen, by name; those of some makers alone are found sooner."""
    return {
        task.name: task
        for make in makers or (clip_roles, clip_pairs, cued_clips)
        for task in make(view)
    }


def task(view: ReleaseView, name: str) -> Task:
    """The task of a name."""
    make = cued_clips if "cues" in name else clip_pairs if "source" in name else clip_roles
    return listening(view, make)[name]


def found(view: ReleaseView, name: str) -> Probe:
    """What the probe of a name achieves."""
    return run(task(view, name), view.seed)


def _clips(
    view: ReleaseView, roles: dict[str, str], memory: Memory, plant: Plant, session_id: str
) -> tuple[Clip, ...]:
    turns = view.sessions[session_id].user_turns
    return tuple(
        _clip(memory, plant, roles[session_id], f"{session_id} {at}", spec_of(turn))
        for at, turn in enumerate(turns)
    )


def _clip(memory: Memory, plant: Plant, role: str, name: str, spec: ClipSpec) -> Clip:
    draw = numpy_rng("take", name)
    take = Take(role, spec, pace=draw.normal(1, 0.07), gain=10 ** (draw.normal(0, 0.5) / 20))
    plant(take)
    clean = _voice(take, name)
    cued = np.clip(clean * take.cue_gain, -0.9, 0.9) if spec.delivery != "neutral" else clean
    primary = cued
    if spec.sound:
        primary = cued + 0.02 * numpy_rng("sound", name).standard_normal(clean.size)
    shas = [memory.put(flac_bytes(to_pcm(audio.astype(np.float32)))) for audio in (primary, clean)]
    return Clip(
        clip_id=key("clip", name),
        spec=spec,
        engine="noise 1",
        sha256=shas[0],
        samples=primary.size,
        pair_sha256=shas[1] if primary is not clean else None,
        licence="CC0-1.0",
    )


def _voice(take: Take, name: str) -> Audio:
    """Noise, low-passed, at about -26 dBFS, in bursts."""
    draw = numpy_rng("voice", name)
    seconds = PACE * take.pace * estimate_seconds(take.spec.text, edge_seconds=0.0)
    noise = draw.standard_normal(round(seconds * 1000) * SAMPLE_RATE // 1000)
    spectrum = np.fft.rfft(noise)
    spectrum *= 1 / (1 + np.arange(spectrum.size) / (0.05 * spectrum.size)) ** take.tilt
    voice = np.fft.irfft(spectrum, noise.size)
    voice *= 0.05 * take.gain / np.sqrt(np.mean(voice**2))
    edged = np.pad(voice, round(EDGE * SAMPLE_RATE))
    return edged + take.floor * numpy_rng("floor", name).standard_normal(edged.size)
