from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.speech.voices.making import make_manifest
from voxmem.commands.voices import app
from voxmem.errors import InputError, UsageError
from voxmem.quality.voices import corpus
from voxmem.vocabulary import PERSONAS


def test_the_list_shows_licence_and_reference(tmp_path: Path) -> None:
    path = make_manifest(tmp_path)
    shown = CliRunner().invoke(app, ["list", "--manifest", str(path)]).stdout
    assert "p01   p225" in shown
    assert "CC BY 4.0  p01.wav" in shown
    rows = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)["voices"]
    assert [row["persona"] for row in rows] == list(PERSONAS)


def test_a_corpus_becomes_a_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.quality.voices.test_corpus import by_pitch, small

    monkeypatch.setattr(corpus.choose_vctk, "__kwdefaults__", {"embed": by_pitch, "hear": str})
    monkeypatch.setattr(corpus, "MOST_WORDS_WRONG", 99.0)
    folder = small(tmp_path / "vctk")
    (folder / "txt" / "p300" / "p300_004.txt").unlink()
    arguments = ["vctk", str(folder), "--out", str(tmp_path / "out"), "--count", "3"]
    shown = CliRunner().invoke(app, arguments, catch_exceptions=False).stdout
    assert "p300_004.txt: the transcript is missing" in shown
    assert "3 voices of 6 speakers; 23 of 24 recordings can be cloned from; 1 faults" in shown
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert list(told["voices"]) == ["p01", "p02", "p03"]


def test_a_failure_tells_the_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tests.quality.voices.test_corpus import by_pitch, small

    monkeypatch.setattr(corpus.choose_vctk, "__kwdefaults__", {"embed": by_pitch, "hear": str})
    arguments = ["vctk", str(small(tmp_path / "vctk")), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, [*arguments, "--count", "2"])
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 1
    assert len([line for line in caplog.messages if "are not recognised" in line]) == 6


def test_another_folder_is_a_usage_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["vctk", str(tmp_path), "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, UsageError)
