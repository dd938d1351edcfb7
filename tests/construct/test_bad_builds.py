"""Builds that cannot be: one named error, what was done is kept, and nothing shrinks unsaid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construct.configs import CONTENT, as_json, budget, with_questions
from tests.small_build import TEXT, ToneBuild, build
from voxmem.config import BuildConfig, read_config
from voxmem.construct.tallies import Rejection
from voxmem.errors import ConstructionError, InputError, UsageError, VoxmemError
from voxmem.store.root import open_root


def changed(**changes: Any) -> BuildConfig:
    return BuildConfig.model_validate(CONTENT | changes)


def refused(folder: Path, config: BuildConfig) -> tuple[VoxmemError, set[str]]:
    """The error of a build, and the tables that it leaves."""
    with pytest.raises(VoxmemError) as caught:
        build(folder, config)
    assert not (folder / "releases").exists()
    return caught.value, set(open_root(folder).tables.names())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"requests": 1}, "0 of 1 questions found"),
        ({"cells": with_questions("multi_session_reasoning", 90)}, r"questions found"),
        ({"cells": with_questions("answer_refusal", 90)}, "2 of 90 refusal items can be derived"),
    ],
)
def test_impossible_counts(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    error, kept = refused(tmp_path, changed(**changes))
    assert isinstance(error, ConstructionError)
    assert (error.exit_code, error.stage) == (1, "plan")
    assert message in error.message
    assert error.item
    assert error.remedy
    assert "plans" not in kept, "not even a smaller benchmark"


def test_a_budget_that_holds_no_evidence(tmp_path: Path) -> None:
    error, kept = refused(tmp_path, changed(budgets=budget(tokens=800, samekey=8, reused=2.0)))
    assert isinstance(error, ConstructionError)
    assert (error.exit_code, error.stage) == (1, "fit")
    assert "1K holds 800" in error.message
    assert "larger first budget" in str(error.remedy)
    assert {"plans", "sessions", "allocations"} <= kept


def test_questions_that_no_budget_holds_are_counted_and_named(tmp_path: Path) -> None:
    config = changed(budgets=[*budget(samekey=1, reused=0.5), *CONTENT["budgets"][1:]])
    release = build(tmp_path, config)
    opened = ToneBuild(open_root(tmp_path), config)
    dropped = opened.root.tables.read("fit_rejections", Rejection, [opened.id])
    assert release.counts["fit: questions dropped"] == len(dropped) > 0
    assert release.counts["questions lacking"] == 15 - release.counts["questions"] > 0
    assert any("1K holds 1000" in row.reason for row in dropped)
    assert {row.question_id for row in dropped}.isdisjoint(opened.questions)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("frob", "no filler source 'frob'"),
        ("instructs2s:/no/such/folder", "no such folder or file"),
    ],
)
def test_an_unknown_filler_source(tmp_path: Path, source: str, message: str) -> None:
    error, kept = refused(tmp_path, changed(fillers=[source]))
    assert isinstance(error, UsageError)
    assert (error.exit_code, error.stage) == (2, "write")
    assert message in str(error)
    assert error.remedy
    assert {"plans", "sessions"} <= kept


def test_a_source_without_usable_fillers(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    error, _ = refused(tmp_path / "root", changed(fillers=[f"instructs2s:{data}"]))
    assert isinstance(error, InputError | ConstructionError)
    assert (error.exit_code, error.stage) == (1, "write")
    assert error.remedy


def test_a_pool_that_is_used_up(tmp_path: Path) -> None:
    error, kept = refused(tmp_path, changed(filler_uses=1))
    assert isinstance(error, ConstructionError)
    assert (error.exit_code, error.stage) == (1, "allocate")
    assert "add filler sources, or raise filler_uses" in str(error.remedy)
    assert {"plans", "sessions", "filler_rejections"} <= kept


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"fillers": []}, "fillers"),
        ({"households": 0}, "households"),
        ({"main_users": 0}, "main_users"),
        ({"cells": with_questions("answer_refusal", -1)}, "cells"),
        ({"cells": []}, "cells"),
        ({"budgets": []}, "budgets"),
        ({"budgets": budget(tokens=100)}, "budgets"),
        ({"budgets": budget() * 2}, "budgets must ascend"),
        ({"session_turns": [3, 1]}, "session_turns"),
        ({"requests": 0}, "requests"),
        ({"writer": {"model": ""}}, "writer"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_empty_pool_or_an_impossible_number_is_found_in_the_file(
    tmp_path: Path, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(InputError, match=named) as caught:
        read_config(as_json(tmp_path / "build.json", **changes))
    assert (caught.value.exit_code, caught.value.stage) == (1, "config")
    assert caught.value.item == str(tmp_path / "build.json")


def test_what_a_failed_build_kept_is_not_made_again(tmp_path: Path) -> None:
    config = changed(filler_uses=1)
    refused(tmp_path, config)
    tables = open_root(tmp_path).tables
    parts = [tables.path(table, part) for table in tables.names() for part in tables.parts(table)]
    before = {path: path.stat().st_mtime_ns for path in parts}
    refused(tmp_path, config)
    assert {path: path.stat().st_mtime_ns for path in parts} == before


def test_the_files_of_these_tests_describe_the_tiny_build(tmp_path: Path) -> None:
    assert read_config(as_json(tmp_path / "build.json")) == TEXT
