"""``voxmem build`` as far as the workflow engine: presets, config files, no sound, what goes wrong.

The engine is the one that all flow tests share; none is started by a command.
"""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from prefect.logging.handlers import PrefectConsoleHandler

from tests.command import Ended, Run, fails
from tests.construct.configs import as_json, as_toml, budget, with_questions
from tests.demo_in_tones import DEMO
from tests.small_build import TEXT
from voxmem.config import with_seed
from voxmem.store.release import load, verify
from voxmem.store.root import open_root

pytestmark = pytest.mark.flow


@pytest.fixture
def compute(
    prefect_api: None,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> Run:
    """Runs ``voxmem`` with leave to compute. Two workers would not know of the tiny demo."""
    for name in ("flow_runs", "task_runs"):  # the command silences them before they are made
        caplog.set_level(logging.CRITICAL, f"prefect.{name}")
    # Prefect's handler keeps the stream of the test in which it was made: of this one, or of one
    # that is over. A command has it silenced before it is made.
    monkeypatch.setattr(PrefectConsoleHandler, "emit", lambda self, record: None)

    def call(*arguments: object) -> Ended:
        with monkeypatch.context() as patch:
            patch.setattr("flows.engine.engine", lambda root: contextlib.nullcontext())
            return run(*arguments, "--workers", 1)

    return call


def written(root: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}


def json_of(ended: Ended) -> Any:
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_a_preset_without_sound_then_nothing_left_to_do(
    compute: Run, run: Run, tmp_path: Path
) -> None:
    command = ("build", "--preset", "demo", "--text-only", "--root", tmp_path, "--json")
    built = json_of(compute(*command))
    root = open_root(tmp_path)
    release = load(root, "demo")
    assert built == {
        "release": release.release_id,
        "root": str(tmp_path),
        "plan_hash": release.text_hash,
        "counts": release.counts,
    }
    assert (release.objects, release.counts["clips"]) == (0, 0)
    assert release.config == DEMO.model_dump(mode="json") | {"text_only": True}
    assert verify(root, release) == []
    before = written(tmp_path)
    again = run(*command)  # fails if a server is asked for
    assert (json_of(again), again.err) == (built, "")
    assert written(tmp_path) == before


def test_a_spoken_and_an_unspoken_build_in_one_root(
    compute: Run, finished_demo: Path, own_demo: Path
) -> None:
    spoken = load(open_root(finished_demo), "demo")
    built = json_of(compute("build", "--text-only", "--root", own_demo, "--json"))
    assert built["release"] != spoken.release_id
    assert built["plan_hash"] == spoken.text_hash


def test_the_same_build_from_toml_json_and_another_seed(compute: Run, tmp_path: Path) -> None:
    toml, file = as_toml(tmp_path / "build.toml"), as_json(tmp_path / "build.json")
    one = json_of(compute("build", "--config", toml, "--root", tmp_path / "root", "--json"))
    before = written(tmp_path / "root")
    same = json_of(compute("build", "--config", file, "--root", tmp_path / "root", "--json"))
    assert (same["release"], same["plan_hash"]) == (one["release"], one["plan_hash"])
    assert one["release"].startswith("tiny-")
    assert written(tmp_path / "root") == before
    other = ("build", "--config", file, "--seed", 3, "--root", tmp_path / "root", "--json")
    seeded = json_of(compute(*other))
    assert seeded["plan_hash"] != one["plan_hash"]
    release = load(open_root(tmp_path / "root"), seeded["release"])
    assert release.config == with_seed(TEXT, 3).model_dump(mode="json")


def test_what_was_built_is_printed(compute: Run, tmp_path: Path) -> None:
    file = as_json(tmp_path / "build.json")
    ended = compute("build", "--config", file, "--root", tmp_path / "root")
    assert ended.code == 0
    release = load(open_root(tmp_path / "root"), "tiny")
    assert ended.out.splitlines()[-1] == f"release {release.release_id} in {tmp_path / 'root'}"
    assert "are lacking" not in ended.out
    for stage in ("plan", "write", "allocate", "fit", "gate families", "probe", "publish"):
        assert f"  {stage}" in ended.err
    assert "speak" not in ended.err


# --- what goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "code", "parts"),
    [
        (
            {"cells": with_questions("answer_refusal", 90)},
            1,
            ("[plan]", "2 of 90 refusal items", "ask for fewer"),
        ),
        pytest.param(
            {"budgets": budget(tokens=800, samekey=8, reused=2.0)},
            1,
            ("[fit]", "1K holds 800", "larger first budget"),
            marks=pytest.mark.slow,
        ),
        ({"fillers": ["frob"]}, 2, ("[write]", "'frob'", "choose from: seed")),
        pytest.param(
            {"filler_uses": 1},
            1,
            ("[allocate]", "used 1 times", "raise filler_uses"),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["counts", "budget", "source", "pool"],
)
def test_a_build_that_cannot_be(
    compute: Run, tmp_path: Path, changes: dict[str, Any], code: int, parts: tuple[str, ...]
) -> None:
    file = as_json(tmp_path / "build.json", **changes)
    ended = compute("build", "--config", file, "--root", tmp_path / "root", "--json")
    assert ended.code == code
    assert ended.out == ""
    last = ended.err.splitlines()[-1]
    assert last.startswith("voxmem: ")
    assert [part for part in parts if part not in last] == []


def test_questions_that_are_lacking_are_said(compute: Run, tmp_path: Path) -> None:
    budgets = [*budget(samekey=1, reused=0.5), *TEXT.model_dump(mode="json")["budgets"][1:]]
    file = as_json(tmp_path / "build.json", budgets=budgets)
    ended = compute("build", "--config", file, "--root", tmp_path / "root")
    assert ended.code == 0
    lacking = load(open_root(tmp_path / "root"), "tiny").counts["questions lacking"]
    assert lacking > 0
    assert f"{lacking} questions are lacking: see fit_rejections" in ended.out


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("name = ", ("cannot be read",)),
        ('name = "x"', ("cells: Field required", "correct the fields that are named")),
        ('name = "x"\nspeed = 2', ("speed: Extra inputs are not permitted",)),
    ],
)
def test_a_file_that_describes_no_build(
    run: Run, tmp_path: Path, content: str, parts: tuple[str, ...]
) -> None:
    file = tmp_path / "build.toml"
    file.write_text(content)
    fails(run("build", "--config", file, "--root", tmp_path / "root"), 1, str(file), *parts)
    assert not (tmp_path / "root").exists()


def test_an_empty_pool_of_voices_is_found_in_the_file(run: Run, tmp_path: Path) -> None:
    file = as_toml(tmp_path / "build.toml", households=0)
    fails(run("build", "--config", file, "--root", tmp_path / "root"), 1, "households")


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ended = run("build", "--config", tmp_path / "none.toml", "--root", tmp_path / "root")
    fails(ended, 2, "no such config file")
