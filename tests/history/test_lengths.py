"""Lengths, each looked up once."""

from __future__ import annotations

from datetime import datetime

from tests.history.builders import told, written
from voxmem.history.lengths import Lengths, estimated_samples
from voxmem.length import history_length
from voxmem.records import Clip, ClipSpec, Placement
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.estimate import estimate_seconds

PLAN = told(0)
SESSIONS = {item.session_id: written(item) for item in PLAN.sessions}
WHEN = datetime(2025, 5, 4, 9, 7)


def places() -> list[Placement]:
    return [
        Placement(session_id=item.session_id, timestamp=item.timestamp or WHEN, role=item.role)
        for item in PLAN.sessions
    ]


def clip(spec: ClipSpec, samples: int) -> Clip:
    return Clip(clip_id="c", spec=spec, engine="e", sha256="0" * 64, samples=samples, licence="")


def odd(spec: ClipSpec) -> int:
    """Another length for every text."""
    return 24_000 + 7 * len(spec.text)


def test_measured_lengths_add_up_to_the_length_of_the_history() -> None:
    lengths = Lengths(SESSIONS, odd)
    spoken = [
        (
            session,
            place.timestamp,
            tuple(clip(spec_of(t), odd(spec_of(t))) for t in session.user_turns),
        )
        for place in places()
        for session in (SESSIONS[place.session_id],)
    ]
    asked = question_spec(PLAN.question)
    whole = history_length(spoken, PLAN.question.query_timestamp, clip(asked, odd(asked)))
    parts = [lengths.question(PLAN.question), *map(lengths.of, places())]
    assert sum(part.tokens for part in parts) == whole.tokens
    assert sum(part.clips for part in parts) == whole.clips
    assert abs(sum(part.audio_seconds for part in parts) - whole.audio_seconds) < 1e-6


def test_without_clips_lengths_are_estimated() -> None:
    lengths = Lengths(SESSIONS)
    name = places()[0].session_id
    seconds = [
        estimate_seconds(turn.text, turn.cues[0].value if turn.cues else "neutral")
        for turn in SESSIONS[name].user_turns
    ]
    assert abs(lengths.session(name).audio_seconds - sum(seconds)) < 0.001 * len(seconds)


def test_a_slow_delivery_is_estimated_to_take_longer() -> None:
    plain = ClipSpec(text="We went there on foot this morning.", voice="p01")
    assert estimated_samples(plain.model_copy(update={"delivery": "slow"})) > estimated_samples(
        plain
    )


def test_a_clip_is_looked_up_once() -> None:
    asked: list[ClipSpec] = []

    def count(spec: ClipSpec) -> int:
        asked.append(spec)
        return 24_000

    lengths = Lengths(SESSIONS, count)
    for _ in range(3):
        for place in places():
            lengths.of(place)
    assert len(asked) == sum(len(session.user_turns) for session in SESSIONS.values())


def test_the_timestamp_is_counted_with_its_place() -> None:
    place = places()[0]
    assert (
        Lengths(SESSIONS).of(place).text_tokens
        > Lengths(SESSIONS).session(place.session_id).text_tokens
    )
