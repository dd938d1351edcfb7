from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.speech.sounds.making import Folder
from voxmem.cli import app
from voxmem.errors import UsageError
from voxmem.speech.sounds.source import open_sounds


def test_the_embedded_sounds_are_listed_with_what_was_measured() -> None:
    shown = CliRunner().invoke(app, ["sounds", "list"]).stdout
    assert "Apache-2.0, synthesised by voxmem" in shown
    assert "which the recipes were tuned with too" in shown, "who judged is no outsider"
    told = json.loads(CliRunner().invoke(app, ["sounds", "list", "--json"]).stdout)
    rows = {row["event"]: row for row in told["sounds"]}
    assert set(rows) == set(open_sounds("embedded").events)
    assert rows["rain"]["default"]
    assert rows["rain"]["named_right"] >= 0.7
    assert not rows["cow"]["default"], "it is there, and was not told well enough"


def test_a_folder_is_listed_with_its_licences_and_without_measurements(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "ESC-50")
    folder.clip("1-100032-A-0.wav", "dog")
    folder.clip("1-100033-A-0.wav", "dog", 700, esc10=True)
    arguments = ["sounds", "list", "--sounds", f"esc50:{folder.path}", "--json"]
    told = json.loads(CliRunner().invoke(app, arguments).stdout)
    assert told["judge"] is None
    (row,) = told["sounds"]
    assert row["event"] == "dog barking"
    assert row["variants"] == 2
    assert row["licence"] == "CC BY 3.0 (ESC-10), CC BY-NC 3.0 (ESC-50)"
    assert row["named_right"] is None


def test_a_source_that_does_not_exist_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no source of sounds 'fsd'"):
        CliRunner().invoke(app, ["sounds", "list", "--sounds", "fsd:x"], catch_exceptions=False)
