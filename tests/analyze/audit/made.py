"""A release of others, by hand: questions, conversations that can be heard, and what was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from tests.analyze.marks import question
from voxmem.analyze.audit.answered import Answered
from voxmem.evaluate.items import IMPORTED_CLIPS, ReleaseRows
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    Cue,
    History,
    ImportedClip,
    Length,
    Placement,
    Response,
    Session,
    Turn,
    Verdict,
)
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.store.release import publish
from voxmem.store.root import Root, open_root
from voxmem.taxonomy import AnswerType

NOON = datetime(2025, 6, 1, 12)
DRINKS = AnswerSpace(options=("tea", "milk"), closed=True)


def questions() -> list[AskedQuestion]:
    """Four with options, four polar ones, two that cannot be answered."""
    return [
        *(question(f"drink{at}", space=DRINKS) for at in range(4)),
        *(
            question(f"polar{at}", gold="yes", answer_type=AnswerType.YES_NO, text="Is it so?")
            for at in range(4)
        ),
        *(question(f"refuse{at}", gold=None) for at in range(2)),
    ]


def made(folder: Path) -> ReleaseRows:
    """The release: every question over one evidence session and one filler, at 8K."""
    root = open_root(folder)
    asked = questions()
    names = [row.question_id for row in asked]
    sessions = [session for name in names for session in _sessions(name)]
    histories = [_history(name) for name in names]
    sha = root.objects.put(_tone())
    owners = [*names, *(session.session_id for session in sessions)]
    root.tables.write("questions", "part", asked, AskedQuestion)
    root.tables.write("sessions", "part", sessions, Session)
    root.tables.write("histories", "part", histories, History)
    root.tables.write(IMPORTED_CLIPS, "part", [_clip(name, sha) for name in owners], ImportedClip)
    return ReleaseRows(root, _published(root, [sha]))


def _published(root: Root, objects: Sequence[str]):  # type: ignore[no-untyped-def]
    tables = ("questions", "sessions", "histories", IMPORTED_CLIPS)
    return publish(
        root,
        "theirs",
        {name: ["part"] for name in tables},
        objects=objects,
        counts={},
        licences={},
        versions={},
        config={},
        seed=3,
    )


def _sessions(name: str) -> list[Session]:
    told = Turn(
        role="user",
        text="I drink <b>tea</b> here.",
        speaker="p07",
        cues=(Cue(dimension="vocal_state", value="happy"),),
        sound="rain",
    )
    reply = Turn(role="assistant", text="Noted.")
    other = Turn(role="user", text="It is late.", speaker="p02")
    return [
        Session(session_id=f"{name}-e", topic="drinks", turns=(told, reply)),
        Session(session_id=f"{name}-f", topic="time", turns=(other, reply)),
    ]


def _history(name: str) -> History:
    places = (
        Placement(session_id=f"{name}-f", timestamp=NOON, role="filler"),
        Placement(session_id=f"{name}-e", timestamp=NOON, role="evidence"),
    )
    length = Length(audio_seconds=4.0, audio_tokens=200, text_tokens=20, clips=2)
    return History(
        item_id=f"{name}_8K", question_id=name, budget="8K", placements=places, length=length
    )


def _clip(owner: str, sha: str) -> ImportedClip:
    return ImportedClip(
        owner=owner, turn=0, container="FLAC", rate=24_000, sha256=sha, samples=24_000
    )


def _tone() -> bytes:
    wave = 0.2 * np.sin(np.arange(24_000) / 20)
    return flac_bytes(to_pcm(wave.astype(np.float32)))


def response(question_id: str, text: str, system: str = "m0") -> Response:
    return Response(
        response_id=f"{system} {question_id}",
        item_id=f"{question_id}_8K",
        question_id=question_id,
        budget="8K",
        system=system,
        arm="audio",
        outcome="ok",
        text=text,
        prompt_hash="p",
    )


def read(rows: Iterable[Response], judge: str, wrong: Iterable[str] = ()) -> dict[str, Verdict]:
    """A judge that finds these responses incorrect, and all others correct."""
    bad = set(wrong)
    return {
        row.response_id: Verdict(
            response_id=row.response_id,
            item_id=row.item_id,
            judge=judge,
            status="incorrect" if row.response_id in bad else "correct",
        )
        for row in rows
    }


def answered(
    rows: ReleaseRows, responses: Sequence[Response], wrong: Mapping[str, Iterable[str]]
) -> Answered:
    """Responses, and judges by what they find incorrect."""
    verdicts = {judge: read(responses, judge, bad) for judge, bad in wrong.items()}
    return Answered(rows, tuple(responses), verdicts)
