from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.speech.voices.making import audio_of, hum, make_vctk, write_flac, write_wav
from voxmem.errors import UsageError
from voxmem.speech.voices.vctk import open_vctk

ROWS = {
    "p225": "23  F    English    Southern  England",
    "p226": "22  M    English    Surrey",
    "p248": "23  F    Indian  ",
    "p280": "25  F    Unknown    France (mic2 files unavailable)",
    "p315": "18  M    American   New  England (Text unavailable)",
    "p362": "29  F    American   (mic2 files unavailable)",
    "s5": "18  M    British",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_vctk(tmp_path, ROWS)
    for speaker in ("p280", "p362"):
        for file in tmp_path.glob(f"wav48_silence_trimmed/{speaker}/*_mic2.flac"):
            file.unlink()
    for file in tmp_path.glob("txt/p315/*.txt"):
        file.unlink()
    return tmp_path


def test_speakers_are_read_from_ragged_rows(folder: Path) -> None:
    corpus = open_vctk(folder)
    assert {name: (it.gender, it.accent) for name, it in corpus.speakers.items()} == {
        "p225": ("F", "English, Southern England"),
        "p226": ("M", "English, Surrey"),
        "p248": ("F", "Indian"),
        "p280": ("F", "Unknown, France"),
        "p362": ("F", "American"),
        "s5": ("M", "British"),
    }


def test_who_has_no_text_is_left_out_by_rule(folder: Path) -> None:
    corpus = open_vctk(folder)
    assert corpus.faults == ["p315: no transcripts, left out with 4 recordings"]
    assert (corpus.recordings, corpus.usable) == (28, 24)


def test_recordings_nearest_to_six_seconds_come_first(folder: Path) -> None:
    kept = open_vctk(folder).utterances["p225"]
    assert [it.name for it in kept] == ["p225_001", "p225_002", "p225_003", "p225_004"]
    assert kept[0].transcript == (
        "Please call Stella and ask her to bring these things with her from the store."
    )
    assert kept[0].seconds == pytest.approx(5.9)
    assert {it.file.stem[-4:] for it in kept} == {"mic1"}


def test_the_second_microphone_stands_in(folder: Path) -> None:
    audio_of(folder, "p226_001").unlink()
    best = open_vctk(folder).utterances["p226"][0]
    assert best.file.name == "p226_001_mic2.flac"


def test_samples_come_at_our_rate(folder: Path) -> None:
    corpus = open_vctk(folder)
    utterance, audio = next(corpus.readable("s5"))
    assert audio.shape == (round(utterance.seconds * 24_000),)
    assert audio.dtype == np.float32


def test_each_fault_is_a_line_and_the_rest_goes_on(folder: Path) -> None:
    def text(name: str) -> Path:
        return folder / "txt" / name.split("_", maxsplit=1)[0] / f"{name}.txt"

    text("p225_001").unlink()
    text("p225_002").write_text(" \n")
    text("p225_003").write_bytes(b"caf\xe9 \xff")
    audio_of(folder, "p226_001").write_bytes(b"not audio")
    write_flac(audio_of(folder, "p226_002"), np.stack([hum(100, 6, 48_000)] * 2, axis=1))
    write_flac(audio_of(folder, "p226_003"), hum(100, 6, 8_000), 8_000)
    write_flac(audio_of(folder, "p248_001"), hum(100, 6, 96_000), 96_000)
    write_wav(audio_of(folder, "p248_002"), np.zeros(0), 48_000)
    write_flac(audio_of(folder, "p248_003"), hum(100, 2.0, 48_000))  # short, but no fault
    info = folder / "speaker-info.txt"
    info.write_text(info.read_text() + "p999  20  F  Welsh\np998 unknown\n")
    (folder / "wav48_silence_trimmed" / "p997").mkdir()
    corpus = open_vctk(folder)
    assert corpus.faults == [
        "speaker-info.txt line 10: not a speaker: 'p998 unknown'",
        "p225_001.txt: the transcript is missing",
        "p225_002.txt: the transcript is empty",
        "p225_003.txt: the transcript cannot be read",
        "p226_001_mic1.flac: not a readable audio file",
        "p226_002_mic1.flac: 2 channel(s) at 48000 Hz, not one at 48000 Hz",
        "p226_003_mic1.flac: 1 channel(s) at 8000 Hz, not one at 48000 Hz",
        "p248_001_mic1.flac: 1 channel(s) at 96000 Hz, not one at 48000 Hz",
        "p248_002_mic1.flac: no samples",
        "p315: no transcripts, left out with 4 recordings",
        "p997: not in speaker-info.txt, or not readable there",
        "p999: no recordings in wav48_silence_trimmed",
    ]
    assert [it.name for it in corpus.utterances["p225"]] == ["p225_004"]
    assert [it.name for it in corpus.utterances["p248"]] == ["p248_004"]
    assert set(corpus.speakers) == {"p225", "p226", "p248", "p280", "p362", "s5"}


def test_damage_that_headers_hide_is_found_when_it_is_read(folder: Path) -> None:
    cut = audio_of(folder, "p225_001")
    cut.write_bytes(cut.read_bytes()[:4000])
    nan = np.where(np.arange(240_000) == 7, np.nan, hum(100, 5, 48_000))
    soundfile.write(audio_of(folder, "p225_002"), nan, 48_000, format="WAV", subtype="FLOAT")
    write_flac(audio_of(folder, "p225_003"), np.zeros(240_000))
    corpus = open_vctk(folder)
    before = len(corpus.faults)
    assert [it.name for it, _ in corpus.readable("p225")] == ["p225_004"]
    new = sorted(corpus.faults[before:])
    assert [line.split(":")[0] for line in new] == [f"p225_00{n}_mic1.flac" for n in (1, 2, 3)]
    assert "not numbers" in new[1]
    assert "silent" in new[2]
    list(corpus.readable("p225"))
    assert len(corpus.faults) == before + 3


def test_a_speaker_without_any_recording_to_clone_is_one_line(tmp_path: Path) -> None:
    make_vctk(tmp_path, {"p225": ROWS["p225"]}, seconds=2.0)
    corpus = open_vctk(tmp_path)
    assert corpus.faults == ["p225: no recording of 3 to 10 s with 8 words or more"]
    assert not corpus.speakers


@pytest.mark.parametrize("part", ["wav48_silence_trimmed", "txt", "speaker-info.txt"])
def test_another_folder_is_refused(folder: Path, part: str) -> None:
    (folder / part).rename(folder / "elsewhere")
    with pytest.raises(UsageError, match=f"no {part} in the folder"):
        open_vctk(folder)
