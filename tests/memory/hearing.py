"""Clips as they might have been heard, without any model that listens."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession, HeardTurn
from voxmem.memory.stress import Stress
from voxmem.quality.calibration.sound_records import sound_table
from voxmem.quality.hearing.prosody import Prosody

FIRST = datetime(2026, 3, 1, 9)
PLAIN = Prosody(
    seconds=3.0, pause_seconds=0.2, pauses=1, level_db=-26.0, f0_hz=120.0, f0_spread=0.5,
    f0_end_hz=130.0, voicing=0.6, tilt_db=-10.0,
)  # fmt: skip


def clip(words: str, voice: int = 0, sound: str | None = None, **measured: float) -> HeardClip:
    """A clip of one of several voices at right angles to each other."""
    scales = sound_table().scales
    score = {event: 6.0 if event == sound else -1.0 for event in scales}
    return HeardClip(
        words=words,
        seconds=3.6,
        spoken_seconds=3.0,
        voice=tuple(float(at == voice) for at in range(192)),
        prosody=replace(PLAIN, **measured),  # type: ignore[arg-type]
        stress=Stress(4.0, 2.0),
        sounds={
            event: scale.mean + score[event] * scale.deviation for event, scale in scales.items()
        },
    )


def session(day: int, *clips: HeardClip) -> HeardSession:
    """A session of user turns alone."""
    turns = tuple(HeardTurn(role="user", words=each.words, clips=(each,)) for each in clips)
    return HeardSession(timestamp=FIRST + timedelta(days=day), turns=turns)


def history(*sessions: HeardSession, asker: int = 0) -> HeardHistory:
    asked = clip("What did I say?", asker)
    return HeardHistory(
        sessions=sessions,
        query_timestamp=FIRST + timedelta(days=300),
        query=HeardTurn(role="user", words=asked.words, clips=(asked,)),
    )
