"""Real clips in a store of bytes, and one item over them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from datetime import datetime

import numpy as np
import pytest
import soundfile

from voxmem.models.item import Item
from voxmem.query import Named, Only, ReadFact, Reading, Topic
from voxmem.records import (
    AnswerSpace,
    Clip,
    ClipSpec,
    History,
    Length,
    Placement,
    Question,
    Session,
    Turn,
)

ASKED_AT = datetime(2025, 9, 1, 7, 44)


class Shelf:
    """Clips by hash, and how often each was read."""

    def __init__(self) -> None:
        self.bytes: dict[str, bytes] = {}
        self.reads: list[str] = []

    def speak(self, text: str, samples: int) -> Clip:
        tone = np.random.default_rng(samples).integers(-9000, 9000, samples, dtype=np.int16)
        file = io.BytesIO()
        soundfile.write(file, tone, 24_000, format="FLAC", subtype="PCM_16")
        sha256 = hashlib.sha256(file.getvalue()).hexdigest()
        self.bytes[sha256] = file.getvalue()
        return Clip(
            clip_id=sha256,
            spec=ClipSpec(text=text, voice="v1"),
            engine="tone",
            sha256=sha256,
            samples=samples,
            licence="CC0-1.0",
        )

    def read(self, sha256: str) -> bytes:
        self.reads.append(sha256)
        return self.bytes[sha256]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def item(shelf: Shelf) -> Item:
    """Two sessions, of two and of one user turns, and a spoken question."""
    lamp = Session(
        session_id="s-lamp",
        topic="lamps",
        turns=(
            Turn(role="user", text="SECRET the lamp is green", speaker="ana"),
            Turn(role="assistant", text="A green lamp, noted."),
            Turn(role="user", text="SECRET it cost forty", speaker="ana"),
            Turn(role="assistant", text="Forty it is."),
        ),
    )
    trip = Session(
        session_id="s-trip",
        topic="trips",
        turns=(
            Turn(role="user", text="SECRET we leave on Monday", speaker="ben"),
            Turn(role="assistant", text="Have a good trip — Grüße!"),
        ),
    )
    clips = {
        ("s-lamp", 0): shelf.speak("SECRET the lamp is green", 24_001),
        ("s-lamp", 1): shelf.speak("SECRET it cost forty", 12_000),
        ("s-trip", 0): shelf.speak("SECRET we leave on Monday", 36_000),
    }
    query = Only(
        of=Reading(
            select=Named(anchors=((Topic(topic="lamps"),),)), read=ReadFact(attribute="colour")
        )
    )
    question = Question(
        question_id="q1",
        family_id="f1",
        evidence_type="speech_semantics",
        operation="multi_session_reasoning",
        subtype="matching",
        source_operation="multi_session_reasoning",
        form="f",
        text="SECRET what colour is the lamp",
        query=query,
        asker="ana",
        query_timestamp=ASKED_AT,
        answer_type="categorical",
        space=AnswerSpace(options=("green", "red")),
        expected_response="answer",
        gold="green",
        evidence_session_ids=("s-lamp",),
    )
    history = History(
        item_id="q1-2k",
        question_id="q1",
        budget="2K",
        placements=(
            Placement(session_id="s-lamp", timestamp=datetime(2025, 6, 17, 9, 27), role="evidence"),
            Placement(session_id="s-trip", timestamp=datetime(2025, 7, 2, 18, 5), role="filler"),
        ),
        length=Length(audio_seconds=3.0, audio_tokens=151, text_tokens=70, clips=4),
    )
    return Item(
        question=question,
        history=history,
        sessions={"s-lamp": lamp, "s-trip": trip},
        clips=clips,
        question_clip=shelf.speak("SECRET what colour is the lamp", 30_000),
        read_audio=shelf.read,
    )


@pytest.fixture
def samples_of(shelf: Shelf) -> Callable[[Clip], np.ndarray]:
    """The samples of a clip as they were spoken, int16."""

    def decode(clip: Clip) -> np.ndarray:
        return soundfile.read(io.BytesIO(shelf.bytes[clip.sha256]), dtype="int16")[0]

    return decode
