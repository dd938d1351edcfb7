"""Voices: how clips are pooled and compared. What the model makes of them is in test_faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.quality.session.conftest import Speak
from voxmem.quality.hearing import listen
from voxmem.quality.session.centroids import Centroids, _committed, kept
from voxmem.quality.session.checks import speaker
from voxmem.quality.session.checks.speaker import check_speaker
from voxmem.quality.session.spoken import Spoken

AXES = np.eye(192, dtype=np.float32)
SHORT, LONG = (
    "The lamp is off.",
    "I would like to move the appointment at the bank to Friday, if that is fine.",
)


def known(spoken: Spoken, **centroids: np.ndarray) -> Spoken:
    return replace(spoken, centroids={"p02": AXES[0], "p03": AXES[1], **centroids})


@pytest.fixture
def hears(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Every embedding is p02's; the seconds of speech that each is of."""
    seconds: list[float] = []

    def embedding(audio: np.ndarray) -> np.ndarray:
        seconds.append(audio.size / 24_000)
        return AXES[0]

    monkeypatch.setattr(listen, "voice_embedding", embedding)
    return seconds


def test_the_voice_of_the_spec_passes_and_another_fails(spoken: Speak, hears: list[float]) -> None:
    own, other = known(spoken(LONG)), known(spoken(LONG, "p03"))
    assert [(row.check, row.passed) for row in check_speaker([own])] == [
        ("speaker", True), ("other speaker", True),
    ]  # fmt: skip
    rows = list(check_speaker([other]))
    assert [row.passed for row in rows] == [False, False]
    assert rows[1].value == -1.0
    assert "nearest other voice p02" in rows[1].detail


def test_two_voices_that_sound_the_same_are_not_two(spoken: Speak, hears: list[float]) -> None:
    twin = known(spoken(LONG), p03=AXES[0])
    own, other = check_speaker([twin])
    assert own.passed
    assert not other.passed
    assert "p03" in other.detail


def test_short_clips_are_heard_together_with_others_of_their_voice(
    spoken: Speak, hears: list[float]
) -> None:
    session = [known(it) for it in (spoken(SHORT), spoken(LONG, "p03"), spoken(LONG))]
    rows = list(check_speaker(session))
    assert len(rows) == 6
    assert hears[0] > hears[2] > 3.0, "the short one with the long one of its voice"
    assert rows[0].detail.startswith("2 clips")
    assert rows[4].detail.startswith("1 clips")


def test_little_speech_has_a_threshold_of_its_own(
    spoken: Speak, hears: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def threshold(check: str, condition: str) -> float:
        asked.append((check, condition))
        return 0.5

    monkeypatch.setattr(speaker, "threshold", threshold)
    list(check_speaker([known(spoken(SHORT))]))
    assert ("speaker", "short") in asked
    asked.clear()
    list(check_speaker([known(spoken(LONG, delivery="whispered"))]))
    assert {condition for _, condition in asked} == {"whispered"}


def test_committed_centroids_are_of_the_embedded_engine(studio) -> None:
    rows = _committed()
    assert sorted(row.voice for row in rows) == sorted(studio.engine.voices)
    assert all(row.is_of(studio.engine) for row in rows), "run `voxmem calibrate` again"
    again = kept(studio.engine, rows[0].voice, rows[0].unpacked())
    assert again.embedding == rows[0].embedding
    other = rows[0].model_copy(update={"revision": "of another voice"})
    assert not other.is_of(studio.engine)


def test_unknown_voices_are_rendered_once(hears: list[float]) -> None:
    from tests.fake_speech import ToneEngine

    tones = ToneEngine()
    found = Centroids(tones)
    assert found["p01"] @ found["p01"] == pytest.approx(1.0)
    assert len(tones.rendered) == len(hears) == 4
    assert list(found) == list(tones.voices)
