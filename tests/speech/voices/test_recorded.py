from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.speech.voices.making import hum, make_manifest, voices, write_wav
from voxmem.config import Speech
from voxmem.errors import InputError, UsageError
from voxmem.speech.engine import Rendition, SpeechEngine, open_engine
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.voices.manifest import open_manifest
from voxmem.speech.voices.recorded import with_recordings

SAD, PLAIN = "That was the last train.", "I moved the lamp."


class Hums:
    """An engine that hums, and counts what it is asked."""

    name, revision, concurrency = "hums", "1", 1
    voices = ("p01", "p02", "p03")
    deliveries = frozenset({"sad"})

    def __init__(self) -> None:
        self.asked: list[str] = []

    def voice_revision(self, voice: str) -> str:
        return f"hum {voice}"

    def licences(self, voice: str) -> dict[str, str]:
        return {"speech: hums": "CC0-1.0"}

    def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Rendition:
        self.asked.append(delivery)
        return Rendition(np.asarray(hum(200, 1.0), dtype=np.float32), f"hummed {delivery}")

    def render_pair(
        self, text: str, voice: str, delivery: str, seed: int = 0, span: Any = None
    ) -> tuple[Rendition, Rendition]:
        return self.render(text, voice, delivery, seed), self.render(text, voice, "neutral", seed)

    def locate(self, text: str, voice: str, span: tuple[int, int], seed: int = 0) -> Any:
        return span


def recorded(
    folder: Path, change: Callable[[list[dict[str, Any]]], object] = lambda kept: None
) -> tuple[SpeechEngine, Hums]:
    found = voices(folder)
    kept = [
        {"text": text, "delivery": delivery, "file": f"takes/{name}.wav", "licence": "CC BY 4.0"}
        | {"sha256": write_wav(folder / f"takes/{name}.wav", level * hum(150, 2.0, rate), rate)}
        for text, delivery, name, level, rate in (
            (SAD, "sad", "sad", 0.4, 44_100),
            (SAD, "neutral", "sad_neutral", 0.8, 44_100),
            (PLAIN, "neutral", "plain", 0.8, 24_000),
        )
    ]
    change(kept)
    found["p01"]["recordings"] = kept
    hums = Hums()
    return with_recordings(hums, open_manifest(str(make_manifest(folder, found)))), hums


def test_a_recording_stands_in_for_its_clip(tmp_path: Path) -> None:
    engine, hums = recorded(tmp_path)
    one = engine.render(PLAIN, "p01", seed=1)
    assert one.applied.startswith("recording ")
    assert np.array_equal(one.audio, engine.render(PLAIN, "p01", seed=2).audio)
    assert active_level_db(one.audio) == pytest.approx(NOMINAL_DB, abs=0.1)
    assert not hums.asked


def test_what_is_not_recorded_is_asked_of_the_engine(tmp_path: Path) -> None:
    engine, hums = recorded(tmp_path)
    assert engine.render("Another text.", "p01").applied == "hummed neutral"
    assert engine.render(PLAIN, "p02").applied == "hummed neutral"
    assert len(hums.asked) == 2
    assert (engine.name, engine.revision, engine.voices) == ("hums", "1", hums.voices)


def test_a_pair_is_of_one_kind(tmp_path: Path) -> None:
    engine, hums = recorded(tmp_path)
    cued, neutral = engine.render_pair(SAD, "p01", "sad")
    assert {it.applied.split()[0] for it in (cued, neutral)} == {"recording"}
    assert np.array_equal(neutral.audio, engine.render(SAD, "p01").audio)
    # One gain a voice: what is said more quietly stays quieter.
    assert active_level_db(neutral.audio) - active_level_db(cued.audio) == pytest.approx(6, abs=0.1)
    assert not hums.asked
    made = engine.render_pair(PLAIN, "p01", "sad")
    assert [it.applied for it in made] == ["hummed sad", "hummed neutral"]
    assert engine.render_pair(SAD, "p01", "sad", span=(0, 4))[0].applied == "hummed sad"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda kept: kept.pop(1), "p01 recordings 0: sad without a neutral recording"),
        (lambda kept: kept.append(kept[0]), "p01 recordings 3: the same text and delivery"),
        (lambda kept: kept[0].update(delivery="cross"), "p01 recordings 0 delivery"),
        (lambda kept: kept[2].pop("licence"), "p01 recordings 2 licence"),
        (lambda kept: kept[2].update(sha256="0" * 64), "p01 recordings 2: takes/plain.wav"),
        (lambda kept: kept[2].update(file="none.wav"), "none.wav is missing"),
    ],
)
def test_faults_name_the_recording(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], object], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        recorded(tmp_path, change)
    assert said in str(caught.value)


def test_keys_and_licences_know_of_the_recordings(tmp_path: Path) -> None:
    engine, hums = recorded(tmp_path)
    assert engine.voice_revision("p02") == hums.voice_revision("p02")
    fewer, _ = recorded(tmp_path / "fewer", lambda kept: kept.pop())
    revisions = {it.voice_revision("p01") for it in (engine, fewer, hums)}
    assert len(revisions) == 3
    assert engine.licences("p01")["recordings: p01"] == "CC BY 4.0"
    assert engine.licences("p02") == hums.licences("p02")


def test_words_of_a_recording_are_not_located(tmp_path: Path) -> None:
    engine, _ = recorded(tmp_path)
    assert engine.locate("Another text.", "p01", (0, 7)) == (0, 7)
    with pytest.raises(UsageError, match="not located"):
        engine.locate(PLAIN, "p01", (0, 1))


def test_a_manifest_of_which_nothing_would_be_heard_is_refused(tmp_path: Path) -> None:
    path = make_manifest(tmp_path)
    with pytest.raises(UsageError, match=r"speech\.voices: .* embedded voices would be used"):
        open_engine(Speech(voices=str(path)))
    hums = Hums()
    assert with_recordings(hums, open_manifest(str(path))) is hums, "it may clone the references"


def test_the_settings_put_recordings_in_place(tmp_path: Path) -> None:
    recorded(tmp_path)
    engine = open_engine(Speech(voices=str(tmp_path / "voices.json")))
    assert engine.name == "parametric"
    assert engine.render(PLAIN, "p01").applied.startswith("recording ")
    assert engine.render(PLAIN, "p02").applied == "neutral"


def test_without_recordings_the_engine_is_itself(tmp_path: Path) -> None:
    hums = Hums()
    assert with_recordings(hums, open_manifest(str(make_manifest(tmp_path)))) is hums
