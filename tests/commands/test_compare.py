"""``voxmem compare`` and ``voxmem screen`` over the finished demo."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.evaluate.populations import population
from voxmem.commands.compare import compare
from voxmem.commands.screen import screen
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.subset import choose, parse, read_screening
from voxmem.store.release import load
from voxmem.store.root import open_root

app = typer.Typer()
app.command()(compare)
app.command()(screen)


def said(*arguments: object) -> str:
    ended = CliRunner().invoke(app, [str(each) for each in arguments])
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code == 0, ended.output
    return ended.stdout


def test_two_systems_are_compared_on_every_item(finished_demo: Path) -> None:
    at = ("--root", finished_demo, "--resamples", 200)
    found = json.loads(said("compare", "oracle", "abstain", *at, "--json"))
    whole = [row for row in found["groups"] if row["grouping"] == "all"]
    assert {row["policy"] for row in whole} == {"paper", "code"}
    assert [row["budget"] for row in whole if row["policy"] == "paper"] == ["2K", "4K"]
    for row in whole:
        assert row["a"] == 1.0
        assert row["difference"] == pytest.approx(1.0 - row["b"])
        assert row["a_only"] == row["a_n"] - row["b_correct"]
    assert {each["right"] for each in found["flips"]} == {"a"}
    assert len(found["flips"]) == sum(row["a_only"] for row in whole if row["policy"] == "paper")
    assert found["differences"] == []
    text = said("compare", "oracle", "abstain", *at)
    assert all(len(line) < 100 for line in text.splitlines())
    assert "right in B alone: none" in text
    operations = text.partition("By memory operation:")[2].partition("By cell")[0]
    assert operations.count(" Refusal ") == 2, "that of the strata is in a table of its own"
    part = json.loads(
        said("compare", "oracle", "abstain", *at, "--json", "--budget", "4K",
             "--subset", "operation:answer_refusal")
    )  # fmt: skip
    assert {row["difference"] for row in part["groups"]} == {0.0}
    assert {row["budget"] for row in part["groups"]} == {"4K"}


def test_two_releases_are_compared_by_content(finished_demo: Path, tmp_path: Path) -> None:
    root = tmp_path / "other"
    shutil.copytree(finished_demo, root)
    at = ("--root", finished_demo, "--resamples", 100)
    found = json.loads(said("compare", "demo", f"demo,root={root}", *at, "--json"))
    assert {each["kind"] for each in found["changes"]} == {
        "questions", "histories", "sessions", "clips",
    }  # fmt: skip
    assert all(not each["changed"] + each["added"] for each in found["changes"])
    assert {row["difference"] for rows in found["systems"].values() for row in rows} == {0.0}
    assert {"oracle", "abstain"} <= set(found["systems"])
    text = said("compare", "demo", f"demo,root={root}", *at)
    assert all(len(line) < 100 for line in text.splitlines())


def test_what_cannot_be_compared_says_what_to_do(finished_demo: Path) -> None:
    at = ("--root", finished_demo)
    with pytest.raises(UsageError, match="name two systems, or two releases"):
        said("compare", "demo", "oracle", *at)
    with pytest.raises(InputError, match="voxmem evaluate") as caught:
        said("compare", "oracle,arm=transcript", "oracle", *at)
    assert caught.value.item == "oracle,arm=transcript"
    with pytest.raises(UsageError, match="no such system"):
        said("compare", "nobody", "oracle", *at)
    with pytest.raises(UsageError, match="no release"):
        said("compare", "oracle,release=elsewhere", "oracle", *at)


def test_a_screening_set_is_written_and_is_a_subset(finished_demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    at = ("--root", finished_demo, "--out", file, "--per-cell", 1)
    models = ("--model", "oracle", "--model", "abstain", "--model", "chance")
    found = json.loads(said("screen", *at, *models, "--stopping", "--json"))
    assert [each["model"] for each in found["stopping"]][:3] == ["oracle", "abstain", "chance"]
    chosen = read_screening(file)
    assert chosen.release_id == load(open_root(finished_demo), "demo").release_id
    assert chosen.models == ("oracle", "abstain", "chance")
    assert len(chosen.items) == 15
    assert parse(f"screening:{file}").screening == str(file)
    [row] = json.loads(
        said("screen", "--root", finished_demo, "--against", file, "--model", "majority",
             "--budget", "2K", "--json")
    )["standing"]  # fmt: skip
    assert (row["model"], row["asked"], row["low"]) == ("majority", 15, row["high"])
    assert row["place"] is not None
    with pytest.raises(UsageError, match="no model"):
        said("screen", "--root", finished_demo, "--against", file)
    with pytest.raises(UsageError, match="nothing is to be done"):
        said("screen", "--root", finished_demo)
    with pytest.raises(UsageError, match="exists already"):
        said("screen", *at, *models)
    assert [each.name for each in tmp_path.iterdir()] == ["set.json"]
    file.unlink()
    with pytest.raises(InputError, match="listener: has no judged responses"):
        said("screen", *at, *models, "--model", "listener")
    text = said("screen", *at, *models)
    assert f"--subset screening:{file}" in text
    assert "the set is the whole release" in text, "the tiny demo has one question a cell"
    with pytest.raises(UsageError, match="other questions"):
        choose(parse(f"screening:{file}"), population((1, 1)))
