"""What fails a check is spoken again, and left out if it fails to the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fake_speech import ToneEngine
from tests.small_build import TINY, ToneBuild
from voxmem import construct
from voxmem.build import Chunk, Line
from voxmem.errors import ModelError, SpeechError
from voxmem.quality.session.gate import Gate
from voxmem.records import Check, Clip, ClipSpec, Retake
from voxmem.speech.engine import Rendition
from voxmem.store.root import open_root

FIRST = ClipSpec(text="The lamp is in the kitchen.", voice="p01")
SECOND = ClipSpec(text="Please water the tomatoes.", voice="p01")
CHUNK = Chunk("some-clips", ((Line(FIRST),), (Line(SECOND),)))


class Spoken:
    """One chunk, spoken into a folder of its own while the gate turns away what it is told to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tones = ToneEngine()
        self.build = ToneBuild(open_root(folder), TINY, self.tones)
        self.wrong_takes: dict[ClipSpec, int] = {}

        def check(
            gate: Gate, clips: Sequence[Clip], objects: object, critical: object
        ) -> list[Check]:
            return [
                Check(
                    subject=clip.clip_id,
                    check="transcript",
                    passed=clip.take >= self.wrong_takes.get(clip.spec, 0),
                    detail=f"take {clip.take}",
                )
                for clip in clips
            ]

        monkeypatch.setattr(Gate, "check", check)

    def run(self) -> tuple[list[Clip], list[Check], list[Retake]]:
        assert construct.speak(self.build, CHUNK) == 2
        tables = self.build.root.tables
        return (
            tables.read("clips", Clip),
            tables.read("session_checks", Check),
            tables.read("retakes", Retake),
        )


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    return Spoken(tmp_path, monkeypatch)


def test_what_passes_at_once_is_spoken_once(spoken: Spoken) -> None:
    clips, checks, retakes = spoken.run()
    assert [clip.take for clip in clips] == [0, 0]
    assert all(check.passed for check in checks)
    assert retakes == []
    assert len(spoken.tones.rendered) == 2


def test_a_take_that_fails_is_spoken_again_and_nothing_else_is(spoken: Spoken) -> None:
    spoken.wrong_takes[FIRST] = 1
    clips, checks, retakes = spoken.run()
    assert [clip.take for clip in clips] == [1, 0]
    assert all(check.passed for check in checks)
    assert [(row.clip_id, row.take, row.detail) for row in retakes] == [
        (clips[0].clip_id, 0, "take 0")
    ]
    assert len(spoken.tones.rendered) == 3


def test_what_fails_to_the_end_keeps_its_failed_check(spoken: Spoken) -> None:
    spoken.wrong_takes[SECOND] = 99
    clips, checks, retakes = spoken.run()
    takes = TINY.session_gate.takes
    assert [clip.take for clip in clips] == [0, takes - 1]
    assert [check.passed for check in checks] == [True, False]
    assert [row.take for row in retakes] == list(range(takes))


def test_another_take_is_spoken_from_another_seed(
    spoken: Spoken, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []
    render = ToneEngine.render

    def noted(
        self: ToneEngine, text: str, voice: str, delivery: str = "neutral", seed: int = 0
    ) -> Rendition:
        seeds.append(seed)
        return render(self, text, voice, delivery, seed)

    monkeypatch.setattr(ToneEngine, "render", noted)
    spoken.wrong_takes[FIRST] = 2
    spoken.run()
    assert len(set(seeds)) == 3  # two first takes have the seed of their specification
    assert seeds[0] == 0


def test_a_clip_that_cannot_be_spoken_is_left_out(
    spoken: Spoken, monkeypatch: pytest.MonkeyPatch
) -> None:
    render = ToneEngine.render

    def speechless(
        self: ToneEngine, text: str, voice: str, delivery: str = "neutral", seed: int = 0
    ) -> Rendition:
        if text == FIRST.text:
            raise SpeechError("no audio came", stage="speak")
        return render(self, text, voice, delivery, seed)

    monkeypatch.setattr(ToneEngine, "render", speechless)
    clips, checks, retakes = spoken.run()
    assert [clip.spec for clip in clips] == [SECOND]
    (failed,) = [check for check in checks if not check.passed]
    assert (failed.check, failed.detail) == ("spoken", "no audio came")
    assert failed.subject == spoken.build.clip_id(FIRST)
    assert len(retakes) == TINY.session_gate.takes


def test_an_engine_that_says_nothing_at_all_ends_the_build(
    spoken: Spoken, monkeypatch: pytest.MonkeyPatch
) -> None:
    def speechless(self: ToneEngine, *_: object) -> Rendition:
        raise SpeechError("no audio came", stage="speak")

    monkeypatch.setattr(ToneEngine, "render", speechless)
    with pytest.raises(SpeechError, match="not one of 2 clips could be spoken: no audio came"):
        spoken.run()
    assert spoken.build.root.tables.parts("clips") == []


def test_a_server_that_is_gone_loses_nothing_that_was_spoken(
    spoken: Spoken, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: ToneEngine, *_: object) -> Rendition:
        raise ModelError("no server", stage="speak")

    with monkeypatch.context() as patch:
        patch.setattr(ToneEngine, "render", gone)
        with pytest.raises(ModelError, match="no server"):
            spoken.run()
    clips, _, _ = spoken.run()
    assert len(clips) == 2


def test_a_wide_engine_is_asked_for_a_session_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow, wide = Spoken(tmp_path / "narrow", monkeypatch), Spoken(tmp_path / "wide", monkeypatch)
    wide.tones.concurrency = 8
    assert narrow.run() == wide.run()
