from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.speech.sounds.making import RATE, Folder
from voxmem.errors import InputError, UsageError
from voxmem.speech.levels import rms
from voxmem.speech.sounds.esc50 import CATEGORIES, Esc50, open_esc50, without_padding
from voxmem.speech.sounds.loop import LOOP_RMS
from voxmem.speech.sounds.source import open_sounds
from voxmem.vocabulary import SOUNDS

LICENCE = """# ESC-50
101 - Dog:
- [1-100032-A.ogg]: clip derived from rose_bark.wav (http://example.org/100032/) by nfrae [CC0]
- [2-9032-B.ogg]:  clip derived from Dog by night.wav (http://example.org/9032/) by M. Tood [CC-BY]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / "ESC-50")
    made.clip("1-100032-A-0.wav", "dog", 500, 0.8)
    made.clip("2-9032-B-0.wav", "dog", 700)
    made.clip("3-1234-A-35.wav", "washing_machine", 120)
    made.clip("4-777-A-10.wav", "rain", 900, esc10=True)
    made.clip("4-778-A-24.wav", "coughing", 900)
    return made


def heard(audio: np.ndarray) -> float:
    return float(np.abs(np.fft.rfft(audio)).argmax()) * 24_000 / audio.size


def test_all_45_events_have_a_category_of_the_data_set():
    assert set(CATEGORIES.values()) == set(SOUNDS)
    assert len(CATEGORIES) == 45


def test_a_folder_is_a_source_of_sounds(folder):
    source = open_sounds(f"esc50:{folder.path}")
    assert source.events == ("dog barking", "rain", "washing machine"), "a cough is the speaker's"
    made = source.background("rain", 91_200, 3)
    assert made.audio.shape == (91_200,)
    assert heard(made.audio) == pytest.approx(900, abs=2)
    assert np.array_equal(made.audio, source.background("rain", 91_200, 3).audio)
    assert made.source == "ESC-50 4-777-A-10.wav, Freesound 777"


def test_the_padding_is_no_part_of_the_sound(folder):
    source = Esc50(folder.path)
    levels = [
        rms(made.audio)
        for made in (source.background("dog barking", 91_200, seed) for seed in range(8))
    ]
    assert levels == pytest.approx([LOOP_RMS] * 8, rel=0.1), "0.8 s of 5 s, and still as loud"
    assert without_padding(np.array([0, 0, 0.5, 0, -0.5, 0], np.float32)).tolist() == [0.5, 0, -0.5]


def test_each_clip_keeps_its_source_and_its_licence(folder):
    (folder.path / "LICENSE").write_text(LICENCE)
    source = Esc50(folder.path)
    assert source.licences("dog barking") == {
        "ESC-50 1-100032-A-0.wav, Freesound 100032": "CC0 (ESC-50), by nfrae",
        "ESC-50 2-9032-B-0.wav, Freesound 9032": "CC-BY (ESC-50), by M. Tood",
    }
    assert set(source.licences("rain").values()) == {"CC BY 3.0 (ESC-10)"}
    assert set(source.licences("washing machine").values()) == {"CC BY-NC 3.0 (ESC-50)"}
    used = {source.background("dog barking", 9_000, seed).licence for seed in range(12)}
    assert used == set(source.licences("dog barking").values())


def test_the_revision_is_of_the_files_that_are_used(folder):
    before = Esc50(folder.path).revision
    assert Esc50(folder.path).revision == before
    folder.clip("5-1-A-0.wav", "dog", 400)
    after = Esc50(folder.path).revision
    assert after != before
    folder.clip("5-1-A-0.wav", "dog", 401)
    assert Esc50(folder.path).revision not in (before, after)


def test_clips_that_cannot_be_used_are_told_one_by_one_and_the_rest_goes_on(folder, caplog):
    audio = folder.path / "audio"
    cut = folder.clip("1-1-A-0.wav", "dog")
    cut.write_bytes(cut.read_bytes()[:100_000])
    folder.clip("1-2-A-0.wav", "dog", seconds=0.0)
    folder.clip("1-3-A-0.wav", "dog", seconds=0.1)
    folder.row("1-4-A-0.wav", "dog")
    folder.clip("1-5-A-0.wav", "dog")
    (audio / "1-5-A-0.wav").write_bytes(b"<html>not found</html>")
    folder.clip("1-6-A-0.wav", "cat")
    soundfile.write(audio / "1-6-A-0.wav", np.full(5 * RATE, np.nan), RATE, subtype="FLOAT")
    folder.clip("1-7-A-0.wav", "dog")
    soundfile.write(audio / "1-7-A-0.wav", 0.1 * np.ones((9_000, 2)), 4_000)
    with caplog.at_level(logging.WARNING):
        source = open_esc50(str(folder.path))
    problems = {fault.file: fault.problem for fault in source.faults}
    assert [file.split("-")[1] for file in problems] == list("1234567")
    for number, problem in enumerate(
        ("truncated: 100000 of 441044 bytes", "silent", "only 0.10 s", "cannot be read",
         "not a readable", "not numbers", "2 channel(s) at 4000 Hz"), start=1,
    ):  # fmt: skip
        assert problem in problems[f"1-{number}-A-0.wav"]
    assert "cat" not in source.events
    assert len(source.licences("dog barking")) == 2
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 8
    assert lines[-1].endswith("4 of 11 clips can be used, of 3 events")


@pytest.mark.parametrize("name", ["../../secret.wav", "{root}/secret.wav", "link.wav", "a\0.wav"])
def test_no_file_outside_the_folder_is_opened(folder, name):
    root = folder.path.parent
    (folder.path / "audio" / "1-100032-A-0.wav").rename(root / "secret.wav")
    (folder.path / "audio" / "link.wav").symlink_to(root / "secret.wav")
    name = name.format(root=root)
    table = folder.path / "meta" / "esc50.csv"
    table.write_text(table.read_text() + f"{name},1,0,dog,False,1,A\n")
    faults = {fault.file: fault.problem for fault in Esc50(folder.path).faults}
    assert faults[name] == "it is not in the folder audio"


def test_rows_that_say_nothing_of_use_are_told(folder, caplog):
    table = folder.path / "meta" / "esc50.csv"
    rows = "1-8-A-0.wav,1,0,dgo,False,8,A\n1-9-A-0.wav,1\n,1,0,dog,False,8,A\n"
    table.write_text(table.read_text() + rows)
    with caplog.at_level(logging.WARNING):
        open_esc50(str(folder.path))
    assert [record.getMessage() for record in caplog.records][:3] == [
        "1-8-A-0.wav: there is no category 'dgo'",
        "1-9-A-0.wav: its row has too few columns",
        "esc50.csv line 9: no file is named",
    ]
    assert caplog.messages[3].endswith("4 of 7 clips can be used, of 3 events"), "no cough in it"


def test_an_event_without_a_clip_is_refused(folder):
    with pytest.raises(UsageError, match="no usable sound 'siren'"):
        Esc50(folder.path).background("siren", 1000)


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(UsageError, match="needs its folder"):
        open_sounds("esc50:")
    with pytest.raises(InputError, match="table of clips cannot be read"):
        open_esc50(str(tmp_path))
    (tmp_path / "meta").mkdir()
    (tmp_path / "meta" / "esc50.csv").write_text("file,kind\na.wav,dog\n")
    with pytest.raises(InputError, match="no columns filename and category"):
        open_esc50(str(tmp_path))
    (tmp_path / "meta" / "esc50.csv").write_text("filename,category\na.wav,dog\n")
    with pytest.raises(InputError, match=r"none of its clips can be used; the first: a\.wav"):
        open_esc50(str(tmp_path))
    (tmp_path / "meta" / "esc50.csv").write_text("filename,category\na.wav,sneezing\n")
    with pytest.raises(InputError, match="no clip of a known category"):
        open_esc50(str(tmp_path))
