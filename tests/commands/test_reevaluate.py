"""``voxmem reevaluate`` and ``voxmem models register`` as a user calls them; no server starts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.command import Run, fails
from tests.reevaluation.world import entry


def test_it_says_what_the_night_would_start(
    run: Run, own_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("VOXMEM_MODELS", str(tmp_path / "models.yaml"))
    (tmp_path / "novel.yaml").write_text(yaml.safe_dump(entry("novel")))
    added = run("models", "register", tmp_path / "novel.yaml")
    assert added.out.rstrip().endswith("models.yaml; the nightly re-evaluation finds it")
    before = sorted(path for path in own_demo.rglob("*") if path.is_file())
    asked = ("reevaluate", "--root", own_demo, "--budget", "2K", "--limit-usd", 5)
    lines = [line.split() for line in run(*asked).out.splitlines()]
    assert ["novel", "2K", "to", "evaluate", "1", "cpu", "0.00", "$", "0.00", "$"] in lines
    told = json.loads(run(*asked, "--night", "2026-12-01", "--json").out)
    assert (told["night"], told["limit_usd"], told["spent"]) == ("2026-12-01", 5.0, 0)
    assert [one["state"] for one in told["standings"]] == ["settled", "to evaluate", "waiting"]
    assert sorted(path for path in own_demo.rglob("*") if path.is_file()) == before


def test_a_broken_catalogue_is_one_line(
    run: Run, own_demo: Path, tmp_path: Path, catalogue_of: Callable[..., None]
) -> None:
    catalogue_of("novel")
    (tmp_path / "models.yaml").write_text("models: [")
    fails(run("reevaluate", "--root", own_demo), 1, "models.yaml", "cannot be read")
    fails(run("models", "register", tmp_path / "none.yaml"), 2, "none.yaml", "No such file")
