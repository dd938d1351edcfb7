from __future__ import annotations

import json
import subprocess
import sys

import typer
from typer.testing import CliRunner

from voxmem.commands.deliveries import deliveries
from voxmem.quality import palette
from voxmem.vocabulary import DEFAULT_DELIVERIES, DELIVERIES

app = typer.Typer()
app.command()(deliveries)


def listed() -> dict[str, dict[str, object]]:
    found = json.loads(CliRunner().invoke(app, ["--json"]).stdout)["deliveries"]
    return {row["delivery"]: row for row in found}


def test_every_delivery_is_listed_with_who_renders_it():
    rows = listed()
    assert list(rows) == list(DELIVERIES)
    assert [name for name, row in rows.items() if row["default"]] == list(DEFAULT_DELIVERIES)
    assert rows["laughter"]["engines"] == {"higgs": "<|sfx:laughter|>Haha,"}
    assert rows["fast"]["engines"]["parametric"] == "rate ×1.22"
    assert "slow" in rows["sad"]["confusable"]
    text = CliRunner().invoke(app, []).stdout
    assert "    parametric     —\n    higgs          <|sfx:laughter|>Haha,\n" in text


def test_what_was_not_measured_is_said(monkeypatch):
    monkeypatch.setattr(palette, "calibration", lambda: _Nothing)
    assert all(row["measured"] is None for row in listed().values())
    assert CliRunner().invoke(app, []).stdout.count("not measured") == len(DELIVERIES)


def test_no_engine_is_opened_for_it():
    script = (
        "import sys\n"
        "from voxmem.quality.palette import palette\n"
        "palette()\n"
        "print([name for name in ('hibari', 'onnxruntime', 'torch') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


class _Nothing:
    @staticmethod
    def curve(check: str, condition: str) -> None:
        return None
