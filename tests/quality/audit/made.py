"""A small root whose clips can be heard, as a release; and verdicts on them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from voxmem.keys import key, seed
from voxmem.quality.audit.records import Audits, ClipAudit, Verdict
from voxmem.quality.audit.source import ClipSource, of_release
from voxmem.quality.calibration.records import Calibration, Curve, Trials
from voxmem.records import Check, Clip, ClipSpec, Cue, Fact, Session, Turn
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.clips import spec_of
from voxmem.store.release import Release, publish
from voxmem.store.root import Root, open_root

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)


def calibrated(**false_accepts: float) -> Calibration:
    """One listening check, and one of deliveries with these false accepts."""
    return Calibration(
        engine="tones 1",
        sounds="embedded 1",
        curves=(
            _curve("transcript", "all", 0.0),
            *(_curve("delivery", name, rate) for name, rate in false_accepts.items()),
        ),
    )


def _curve(check: str, condition: str, rate: float) -> Curve:
    return Curve(
        check=check,
        condition=condition,
        judge="rule",
        threshold=0.5,
        rule="fixed",
        set_on=Trials(good=0, faulty=0),
        tested_on=Trials(good=1, faulty=1),
        false_rejects=0.0,
        false_accepts=rate,
        equal_error=0.0,
    )


def made(
    folder: Path, count: int = 12, *, failed: Iterable[int] = (), takes: Iterable[int] = ()
) -> tuple[Root, Release]:
    """A release of ``count`` clips in four voices: every third is sad, every fourth in rain, every
    fifth bears a fact.

    Args:
        failed: Clips that failed the session gate.
        takes: Clips that were spoken twice.
    """
    root = open_root(folder)
    turns = [_turn(number) for number in range(count)]
    clips = [_clip(root, turn, number in takes) for number, turn in enumerate(turns)]
    checks = [
        Check(
            subject=clip.clip_id,
            check="transcript",
            passed=number not in failed,
            value=0.5 + number / 100,
            threshold=0.5,
        )
        for number, clip in enumerate(clips)
    ]
    sessions = [
        Session(session_id=f"s{number}", topic="home", turns=(turn,))
        for number, turn in enumerate(turns)
    ]
    root.tables.write("sessions", "part", sessions, Session)
    root.tables.write("clips", "part", clips, Clip)
    root.tables.write("session_checks", "part", checks, Check)
    release = publish(
        root,
        "heard",
        {name: ["part"] for name in ("sessions", "clips", "session_checks")},
        objects=[clip.sha256 for clip in clips],
        counts={},
        licences={},
        versions={},
        config={},
        seed=3,
    )
    return root, release


def source_of(folder: Path, count: int = 12, **how: Any) -> ClipSource:
    """The same as a source of clips."""
    return of_release(*made(folder, count, **how))


def _turn(number: int) -> Turn:
    text = f"Number {number}: the lamp in the hall is blue now."
    blue = Fact(
        entity="the lamp", referent="lamp", attribute="colour", value="blue", span=_at(text)
    )
    cues = (Cue(dimension="vocal_state", value="sad"),) if number % 3 == 0 else ()
    return Turn(
        role="user",
        text=text,
        speaker=f"p{number % 4 + 1:02d}",
        facts=(blue,) if number % 5 == 0 else (),
        cues=cues,
        sound="rain" if number % 4 == 0 else None,
    )


def _at(text: str) -> tuple[int, int]:
    start = text.index("blue")
    return start, start + len("blue")


def _clip(root: Root, turn: Turn, again: bool) -> Clip:
    spec = spec_of(turn)
    shas = {kind: root.objects.put(_tone(spec, kind)) for kind in ("heard", "pair", "stem")}
    cued, sounding = spec.delivery != "neutral", spec.sound is not None
    return Clip(
        clip_id=key("clip", spec),
        spec=spec,
        engine="tones 1",
        take=int(again),
        sha256=shas["heard"],
        samples=24_000,
        pair_sha256=shas["pair"] if cued or sounding else None,
        stem_sha256=shas["stem"] if sounding else None,
        snr_db=10.0 if sounding else None,
        licence="CC0-1.0",
    )


def _tone(spec: ClipSpec, kind: str) -> bytes:
    pitch = 200 + seed(spec, kind) % 300
    time = np.arange(24_000) / 24_000
    return flac_bytes(to_pcm((0.2 * np.sin(2 * np.pi * pitch * time)).astype(np.float32)))


def said(
    clip: Clip, verdict: Verdict, annotator: str = "ada", minutes: int = 0, **more: Any
) -> ClipAudit:
    """What somebody says some minutes after noon."""
    fault = {"fault": "words"} if verdict == "fail" else {}
    return ClipAudit(
        clip_id=clip.clip_id,
        sha256=clip.sha256,
        annotator=annotator,
        time=NOON + timedelta(minutes=minutes),
        verdict=verdict,
        **(fault | more),
    )


def kept(folder: Path, rows: Iterable[ClipAudit]) -> Audits:
    """The table of verdicts with these rows."""
    audits = Audits(open_root(folder).tables)
    for row in rows:
        audits.add(row)
    return audits
