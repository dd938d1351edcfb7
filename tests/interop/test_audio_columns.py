"""However a row holds a recording: the same samples, its own bytes, and no file of elsewhere."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.interop.foreign import clip, file_of, item, noise, write
from tests.interop.test_published import imported
from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.official.audio import audio_file
from voxmem.interop.official.clips import ClipShelf
from voxmem.interop.official.container import container, declared
from voxmem.interop.official.dataset import import_official
from voxmem.store.root import Root

SAMPLES = noise("kinds", rate=16_000)


@dataclass
class Decoder:
    """The interface of torchcodec's decoder: float samples [channels, samples]."""

    samples: Any
    rate: int

    def get_all_samples(self) -> Any:
        data = self.samples.astype(np.float32)[None] / np.float32(32_768)
        return SimpleNamespace(data=data, sample_rate=self.rate)


def ways(folder: Path, kind: str) -> dict[str, Any]:
    """The same recording in every way in which a row may hold it."""
    data = file_of(SAMPLES, kind, 16_000)
    (folder / "a").mkdir()
    (folder / "a" / "b.wav").write_bytes(data)
    floats = SAMPLES.astype(np.float64) / 32_768
    return {
        "bytes": data,
        "view": memoryview(data),
        "dict": {"bytes": data, "path": "../elsewhere.wav"},
        "path in dict": {"bytes": None, "path": "a/b.wav"},
        "path": "a/b.wav",
        "decoder": Decoder(SAMPLES, 16_000),
        "decoder of datasets": SimpleNamespace(_hf_encoded={"bytes": data, "path": None}),
        "array": {"array": floats, "sampling_rate": 16_000, "path": "x.wav"},
        "list": {"array": floats.tolist(), "sampling_rate": 16_000},
        "whole numbers": {"array": SAMPLES, "sampling_rate": 16_000},
        "channels": {"array": floats[None].astype(np.float32), "sampling_rate": 16_000},
    }


@pytest.mark.parametrize("kind", ["WAV", "FLAC"])
def test_identical_samples_in_every_way(root: Root, tmp_path: Path, kind: str) -> None:
    shelf = ClipShelf(root)
    whole = file_of(SAMPLES, kind, 16_000)
    for way, value in ways(tmp_path, kind).items():
        notes: list[str] = []
        sha = shelf.keep(value, tmp_path, notes.append)
        assert sha is not None
        kept = root.objects.get(sha)
        pcm, rate = soundfile.read(io.BytesIO(kept), dtype="int16")
        assert rate == 16_000, way
        assert np.array_equal(pcm, SAMPLES), way
        made = way in ("decoder", "array", "list", "whole numbers", "channels")
        assert (kept == whole) == (not made or kind == "FLAC"), way
        assert any("written as 16-bit FLAC" in note for note in notes) == made, way
        measure = shelf.measures[sha]
        assert (measure.rate, measure.samples, measure.size) == (16_000, 4_800, len(kept))
        assert measure.container == ("FLAC" if made else kind)
        assert measure.fault is None


@pytest.mark.parametrize("value", [None, b"", {"bytes": None, "path": None}, {"bytes": b""}])
def test_nothing_is_nothing(value: object) -> None:
    assert audio_file(value, None) is None


def test_files_of_elsewhere_are_never_opened(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    secret = tmp_path / "secret.wav"
    secret.write_bytes(file_of(SAMPLES))
    (folder / "link.wav").symlink_to(secret)
    for path in ("../secret.wav", str(secret), "link.wav", "a/../../secret.wav"):
        for value in (path, {"bytes": None, "path": path}):
            with pytest.raises(InputError, match="leads out of the folder of the dataset"):
                audio_file(value, folder)
    for path in ("no.wav", ".", "a\0b"):
        with pytest.raises(InputError, match=r"there is no file|cannot be read"):
            audio_file(path, folder)
    with pytest.raises(InputError, match=r"holds the path 'a\.wav' and no bytes"):
        audio_file("a.wav", None)


@pytest.mark.parametrize(
    "value",
    [
        3,
        {"array": [0.0, float("nan")], "sampling_rate": 8_000},
        {"array": [[[0.0]]], "sampling_rate": 8_000},
        {"array": [0.0, 0.1]},
        {"array": [0.0, 0.1], "sampling_rate": 0},
    ],
)
def test_what_is_no_audio(value: object) -> None:
    with pytest.raises(InputError):
        audio_file(value, None)


def test_containers_are_found_out() -> None:
    for kind in ("WAV", "FLAC", "MP3", "OGG", "AIFF"):
        assert container(file_of(noise("c", 1.0), kind)) == kind
    assert container(b"\0\0\0\x20ftypM4A ") == "MP4"
    assert container(b"\xff\xf1\x50\x80") == "AAC"
    assert container(b"ID3\x04") == "MP3"
    assert {container(data) for data in (b"", b"RIFF", b"\xff", b"text")} == {"unknown"}
    assert [declared(name) for name in ("a/b.WAV", "x.opus", "x.bin", None)] == [
        "WAV", "OGG", None, None,
    ]  # fmt: skip


def test_a_declared_type_that_is_another_is_noted(root: Root, tmp_path: Path) -> None:
    row = item()
    data = file_of(noise("opus", 0.5), "OGG", subtype="OPUS")
    row["question_audio"] = {"bytes": data, "path": "q.wav"}
    rows = imported(root, tmp_path / "data", [row])
    assert rows.release.counts["note: clips declared WAV that are OGG"] == 1
    clip_ = rows.imported_clips["q_00010", 0]
    assert (clip_.container, clip_.seconds) == ("OGG", pytest.approx(0.5, abs=0.01))
    assert root.objects.get(clip_.sha256) == data


def test_audio_as_bytes_and_as_paths_in_files(root: Root, tmp_path: Path) -> None:
    """Columns of bytes, and of paths beside the file: the same release."""
    folder = tmp_path / "paths"
    folder.mkdir()

    def as_path(audio: dict[str, Any]) -> str:
        (folder / audio["path"]).write_bytes(audio["bytes"])
        return str(audio["path"])

    def with_audio(change: Any) -> dict[str, Any]:
        row = item()
        row["question_audio"] = change(row["question_audio"])
        for turn in (turn for each in row["sessions"] for turn in each["turns"]):
            turn["audio"] = turn["audio"] and change(turn["audio"])
        return row

    plain = imported(root, tmp_path / "plain", [item()])
    as_bytes = imported(root, tmp_path / "bytes", [with_audio(lambda audio: audio["bytes"])])
    write(folder, [with_audio(as_path)])
    by_path = imported(root, folder, [with_audio(as_path)])
    assert plain.release == as_bytes.release == by_path.release
    assert plain.imported_clips["q_00010", 0].container == "WAV"
    assert root.objects.get(plain.imported_clips["s1", 0].sha256) == clip("s1-0")["bytes"]


def test_files_beside_the_rows_are_looked_at_again(root: Root, tmp_path: Path) -> None:
    """The rows do not change when a file beside them does."""
    row = item()
    row["question_audio"] = {"bytes": None, "path": "q.wav"}
    folder = write(tmp_path / "data", [row, item("q_00020")])
    lacking = import_official(root, [folder])
    assert [each.reason for each in lacking.rejections] == [
        "there is no file 'q.wav' in the folder of the dataset"
    ]
    for name in ("one", "two"):
        data = file_of(noise(name))
        (folder / "q.wav").write_bytes(data)
        report = import_official(root, [folder])
        assert report.release is not None
        rows = ReleaseRows(root, report.release)
        assert root.objects.get(rows.imported_clips["q_00010", 0].sha256) == data
