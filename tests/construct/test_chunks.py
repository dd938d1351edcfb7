"""Clips are cut into chunks that are named by what they hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.construct.built import Built
from tests.fake_speech import ToneEngine, tone
from tests.small_build import TINY
from voxmem.build import Line, cut
from voxmem.config import BuildConfig, SessionGate
from voxmem.records import ClipSpec


def sessions(count: int) -> list[dict[str, Line]]:
    """Sessions of two clips each."""
    return [
        {
            f"{at:03d}-{turn}": Line(
                ClipSpec(text=f"This is turn {turn} of number {at}.", voice="p01")
            )
            for turn in range(2)
        }
        for at in range(count)
    ]


def chunked(seconds: float, **changes: Any) -> BuildConfig:
    return TINY.model_copy(update={"chunk_seconds": seconds, **changes})


def test_chunks_hold_whole_sessions_in_their_order() -> None:
    given = sessions(20)
    chunks = cut(given, chunked(20.0))
    groups = [group for chunk in chunks for group in chunk.groups]
    assert groups == [tuple(session.values()) for session in given]
    assert len({chunk.part for chunk in chunks}) == len(chunks) > 3
    assert cut(given, chunked(20.0)) == chunks


def test_a_chunk_is_named_by_its_clips_and_by_how_they_are_checked() -> None:
    wide = chunked(1e6)
    (one,), (other,) = cut(sessions(3), wide), cut(sessions(4), wide)
    (stricter,) = cut(sessions(3), chunked(1e6, session_gate=SessionGate(listen=0.5)))
    assert len({one.part, other.part, stricter.part}) == 3
    assert cut([], wide) == ()


def test_a_clip_is_spoken_with_the_first_session_that_has_it(undisturbed: Built) -> None:
    chunks = undisturbed.opened().chunks
    specs = [spec for chunk in chunks for spec in chunk.specs]
    assert len(set(specs)) == len(specs)


def test_tones_are_as_the_interface_says() -> None:
    engine = ToneEngine()
    cued, plain = engine.render_pair("Hello there.", "p01", "slow")
    assert (plain.audio == tone("Hello there.", "p01", "neutral")).all()
    assert cued.audio.size > plain.audio.size


def test_there_are_never_too_many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voxmem.build.MOST_CHUNKS", 7)
    given = sessions(40)
    chunks = cut(given, chunked(1.0))
    assert 5 <= len(chunks) <= 7
    assert [group for chunk in chunks for group in chunk.groups] == [
        tuple(session.values()) for session in given
    ]
    assert len(cut(given, chunked(1e6))) == 1
