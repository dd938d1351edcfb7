"""A calibration over tones, with measurements that count: what is kept, taken over and written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.fake_speech import ToneEngine
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.quality.calibration import run, thresholds
from voxmem.quality.calibration.curves import GOOD, at_most_rejected, curve
from voxmem.quality.calibration.document import as_text
from voxmem.quality.calibration.measurement import Measured, trials
from voxmem.quality.calibration.records import Calibration, Curve
from voxmem.quality.calibration.run import calibrate
from voxmem.quality.calibration.texts import Half
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio


class Counting:
    """A measurement that is no work. ``asked`` counts what it was asked for."""

    judge = "nobody"
    sentences = 5

    def __init__(self, name: str, offset: float = 0.0) -> None:
        self.name = name
        self.offset = offset
        self.asked: list[tuple[Half, int]] = []
        self.breaks_at: int | None = None

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        if len(self.asked) == self.breaks_at:
            raise KeyboardInterrupt
        self.asked.append((half, number))
        for fault, value in ((GOOD, 2.0 + self.offset), ("fault", 1.0 + self.offset)):
            yield Measured(check=self.name, half=half, number=number, fault=fault, value=value)

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        made = trials(rows, self.name)
        yield curve(self.name, made, at_most_rejected(0.02), judge=self.judge, described="2 %")


@pytest.fixture
def studio() -> Studio:
    return Studio(ToneEngine(), open_sounds("embedded"))


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> tuple[Counting, Counting]:
    pair = (Counting("one"), Counting("two", 10.0))
    monkeypatch.setattr(run, "MEASUREMENTS", pair)
    monkeypatch.setattr(run, "rendered_centroid", lambda engine, voice: _unit())
    return pair


def test_what_it_writes_is_read_back(studio: Studio, both, tmp_path: Path) -> None:
    found = calibrate(studio, tmp_path)
    assert [(it.check, it.threshold) for it in found.curves] == [("one", 2.0), ("two", 12.0)]
    text = (tmp_path / thresholds.FILE).read_text()
    assert Calibration.model_validate_json(text) == found
    rows = json.loads((tmp_path / "centroids.json").read_text())
    assert [row["voice"] for row in rows] == list(studio.engine.voices)
    page = (tmp_path / "calibration.md").read_text()
    assert "| one |  | 2 | 2 % | 5 + 5 | 5 + 5 | 0.0% | 0.0% |" in page
    assert found.revision in page
    assert as_text(found).splitlines()[1].split() == ["one", "2", "5", "+", "5", "0.0%", "0.0%"]


def test_a_run_that_is_interrupted_goes_on(studio: Studio, both, tmp_path: Path) -> None:
    first, second = both
    first.breaks_at = 7
    with pytest.raises(KeyboardInterrupt):
        calibrate(studio, tmp_path)
    assert not (tmp_path / thresholds.FILE).exists()
    (file,) = (tmp_path / "measured").iterdir()
    with file.open("a") as out:
        out.write('\n[{"check": "one", "half": "te')  # killed in the middle of a line
    first.breaks_at = None
    found = calibrate(studio, tmp_path)
    assert len(first.asked) == 10
    assert len(set(first.asked)) == 10
    assert found == calibrate(studio, tmp_path)
    assert len(first.asked) == len(second.asked) == 10


def test_another_voice_is_measured_again(
    studio: Studio, both, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibrate(studio, tmp_path, sentences=2)
    monkeypatch.setattr(ToneEngine, "voice_revision", lambda self, voice: "2")
    calibrate(studio, tmp_path, sentences=2)
    assert len(both[0].asked) == 8


def test_one_check_alone_leaves_the_others(studio: Studio, both, tmp_path: Path) -> None:
    first, second = both
    before = calibrate(studio, tmp_path)
    first.offset, first.judge = 5.0, "another"
    after = calibrate(studio, tmp_path, only=["one"])
    assert {it.check: it.threshold for it in after.curves} == {"one": 7.0, "two": 12.0}
    assert after.revision != before.revision
    assert len(second.asked) == 10


def test_unknown_checks_are_refused(studio: Studio, both, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose one of: one, two"):
        calibrate(studio, tmp_path, only=["three"])


def test_a_folder_that_cannot_be_written_is_said(studio: Studio, both, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        calibrate(studio, blocked)


def test_a_damaged_calibration_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "FILE", "__init__.py")
    with pytest.raises(InputError, match="voxmem calibrate"):
        thresholds.calibration.__wrapped__()


def test_checks_without_a_condition_of_their_own_have_that_of_all() -> None:
    every = thresholds.threshold("speaker")
    assert thresholds.threshold("speaker", "of an unknown mood") == every
    assert thresholds.threshold("speaker", "whispered") < thresholds.threshold("speaker", "neutral")
    with pytest.raises(UsageError, match="no threshold"):
        thresholds.threshold("taste")


def _unit():
    import numpy as np

    return np.eye(192, dtype=np.float32)[0]
