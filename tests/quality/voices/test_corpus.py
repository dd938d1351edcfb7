from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.speech.voices.making import SENTENCES, audio_of, hum, make_vctk, write_flac
from voxmem.errors import InputError, UsageError
from voxmem.quality.voices import corpus
from voxmem.quality.voices.corpus import choose_vctk
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.voices.manifest import open_manifest

SPEAKERS = {f"p{300 + n}": f"2{n}  {'FM'[n % 2]}    English    Region {n}" for n in range(6)}


def by_pitch(audio: Any) -> Any:
    """An embedding of hums: where in the spectrum their first harmonic is."""
    spectrum = np.abs(np.fft.rfft(audio[:24_000]))
    peak = int(np.argmax(spectrum[60:260]))
    row = np.exp(-((np.arange(200) - peak) ** 2) / 800).astype(np.float32)
    return row / np.linalg.norm(row)


def heard(audio: Any) -> str:
    return " ".join(SENTENCES)


def small(folder: Path) -> Path:
    return make_vctk(folder, SPEAKERS, seconds=3.6, microphones=("mic1",))


def choose(folder: Path, out: Path, count: int) -> Any:
    return choose_vctk(folder, out, count, embed=by_pitch, hear=heard)


@pytest.fixture
def understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hums have no words: whatever is heard will do."""
    monkeypatch.setattr(corpus, "MOST_WORDS_WRONG", 9.0)


@pytest.mark.usefixtures("understood")
def test_voices_far_apart_become_a_manifest(tmp_path: Path) -> None:
    folder = small(tmp_path / "vctk")
    chosen = choose(folder, tmp_path / "out", 4)
    manifest = open_manifest(str(chosen.manifest))
    assert list(manifest.voices) == ["p01", "p02", "p03", "p04"]
    genders = [voice.pitch_register for voice in manifest.voices.values()]
    assert max(genders.count("lower"), genders.count("higher")) <= 3
    speakers = {voice.speaker for voice in manifest.voices.values()}
    assert {"p300", "p305"} <= speakers, "the outermost are the farthest apart"
    for voice in manifest.voices.values():
        assert voice.licence == "CC BY 4.0"
        assert voice.reference is not None
        level = active_level_db(manifest.audio(voice.reference))
        assert level == pytest.approx(NOMINAL_DB, abs=0.1)
    transcripts = {voice.reference.transcript for voice in manifest.voices.values()}  # type: ignore[union-attr]
    assert len(transcripts) == 4, "no two references say the same"
    assert (chosen.speakers, chosen.recordings, chosen.usable) == (6, 24, 24)


@pytest.mark.usefixtures("understood")
def test_the_same_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = small(tmp_path / "vctk")
    one, two = (choose(folder, tmp_path / name, 3).manifest for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.usefixtures("understood")
def test_faults_are_told_and_the_rest_is_chosen_from(tmp_path: Path) -> None:
    folder = small(tmp_path / "vctk")
    for number in (1, 2):
        cut = audio_of(folder, f"p300_00{number}")
        cut.write_bytes(cut.read_bytes()[:4000])
    chosen = choose(folder, tmp_path / "out", 3)
    assert "p300" not in {voice.speaker for voice in chosen.voices.values()}
    assert any("p300: 2 readable recordings, 3 are needed" in line for line in chosen.faults)
    assert len(chosen.faults) == 3


@pytest.mark.usefixtures("understood")
def test_too_few_are_refused(tmp_path: Path) -> None:
    folder = small(tmp_path / "vctk")
    with pytest.raises(InputError, match="7 voices were asked for"):
        choose(folder, tmp_path / "out", 7)
    with pytest.raises(InputError, match="every sentence of the speaker"):
        choose(folder, tmp_path / "out", 5)
    with pytest.raises(UsageError, match="1 to 30 personas"):
        choose(folder, tmp_path / "out", 31)


def test_who_is_not_understood_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = small(tmp_path / "vctk")
    (folder / "txt" / "p300" / "p300_004.txt").unlink()
    with pytest.raises(InputError, match="2 voices were asked for and 0 may be taken"):
        choose_vctk(folder, tmp_path / "out", 2, embed=by_pitch, hear=lambda audio: "what?")
    lines = [line.getMessage() for line in caplog.records if line.levelname == "WARNING"]
    assert lines[0] == "p300_004.txt: the transcript is missing"
    said = "the words of {}_001_mic1.flac are not recognised (error rate 100%, at most 25%)"
    assert sorted(lines[1:]) == [f"{name}: {said.format(name)}" for name in SPEAKERS]


@pytest.mark.usefixtures("understood")
def test_who_is_unlike_itself_is_left_out(tmp_path: Path) -> None:
    folder = small(tmp_path / "vctk")
    write_flac(audio_of(folder, "p302_002"), hum(230, 3.4, 48_000))
    chosen = choose(folder, tmp_path / "out", 3)
    assert "p302" not in {voice.speaker for voice in chosen.voices.values()}
    (line,) = chosen.faults
    assert line.startswith("p302: its recordings are too unlike each other (similarity 0.")


@pytest.mark.local_models
@pytest.mark.slow
def test_real_models_choose_among_synthetic_speakers(tmp_path: Path) -> None:
    import soxr

    from voxmem.config import Speech
    from voxmem.speech.engine import open_engine

    engine = open_engine(Speech())
    rows = {f"p{300 + n}": f"2{n}  {'FM'[n % 2]}    English" for n in range(6)}
    folder = make_vctk(tmp_path / "vctk", rows)
    for speaker, voice in zip(rows, engine.voices, strict=False):
        for number, sentence in enumerate(SENTENCES, 1):
            audio = engine.render(sentence, voice, seed=number).audio
            write_flac(audio_of(folder, f"{speaker}_{number:03d}"), soxr.resample(audio, 1, 2))
    chosen = choose_vctk(folder, tmp_path / "out", 4)
    assert len(open_manifest(str(chosen.manifest)).voices) == 4
    assert not chosen.faults
