from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from voxmem.cli import app
from voxmem.errors import UsageError


def test_one_check_is_measured_and_written(tmp_path: Path) -> None:
    arguments = ["calibrate", "--out", str(tmp_path), "--clips", "1", "--check", "rules"]
    shown = CliRunner().invoke(app, arguments, catch_exceptions=False).stdout
    assert "snr" in shown
    assert "2 + 2" in shown
    assert "| snr |" in (tmp_path / "calibration.md").read_text()
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    checks = [curve["check"] for curve in told["calibration"]["curves"]]
    assert checks == ["level", "clipping", "silence", "duration", "pair", "snr"]
    assert told["folder"] == str(tmp_path)


def test_an_unknown_check_is_a_usage_error(tmp_path: Path) -> None:
    arguments = ["calibrate", "--out", str(tmp_path), "--check", "taste"]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, UsageError)
    assert "choose one of: rules" in str(result.exception)
