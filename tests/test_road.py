"""What a command finds out before and after it computes."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn
from unittest.mock import Mock

import pytest

from tests.presets import DEMO, PAPER
from tests.small_build import TEXT, TINY, build
from voxmem import road
from voxmem.config import BuildConfig, SessionGate, Speech, with_seed
from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.store.root import open_root


def test_options_describe_a_build(tmp_path: Path) -> None:
    def wanted(
        name: str, file: Path | None = None, seed: int | None = None, text: bool = False
    ) -> BuildConfig:
        return road.wanted_config(name, file, seed=seed, text_only=text)

    assert wanted("demo") == DEMO
    assert wanted("paper", text=True) == PAPER.model_copy(update={"text_only": True})
    assert wanted("demo", seed=7) == with_seed(DEMO, 7)
    file = tmp_path / "build.json"
    file.write_text(TINY.model_dump_json(exclude_none=True))
    assert wanted("demo", file) == TINY
    assert wanted("demo", file, 7, True) == with_seed(TEXT, 7)
    with pytest.raises(UsageError, match="no preset 'vast'"):
        wanted("vast")
    with pytest.raises(UsageError, match="not negative"):
        wanted("demo", seed=-1)


def test_a_build_without_sound_needs_no_engine_and_no_listeners(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(settings: Speech) -> NoReturn:
        raise MissingExtra("no engine", stage="speak")

    monkeypatch.setattr(road, "open_studio", absent)
    monkeypatch.setattr(road, "find_spec", lambda name: None)
    road.check_installed(road.Request("root", TEXT))
    with pytest.raises(MissingExtra, match="no engine"):
        road.check_installed(road.Request("root", TINY))
    monkeypatch.setattr(road, "open_studio", lambda settings: Mock())
    road.check_installed(road.Request("root", TINY))  # nothing is listened to
    listened = TINY.model_copy(update={"session_gate": SessionGate(listen=0.01)})
    with pytest.raises(MissingExtra, match="packages that are not installed: faster_whisper"):
        road.check_installed(road.Request("root", listened))


def test_a_release_is_finished_if_it_is_whole_and_of_this_very_build(tmp_path: Path) -> None:
    wanted = road.Request(str(tmp_path), TEXT)
    assert road.finished_release(wanted) is None
    release = build(tmp_path, TEXT)
    assert road.finished_release(wanted) == release
    for other in (TINY, with_seed(TEXT, 3)):
        assert road.finished_release(road.Request(str(tmp_path), other)) is None
    assert road.finished(wanted) is None, "nothing is evaluated"
    tables = open_root(tmp_path).tables
    path = tables.path("probes", TEXT.build_id)
    data = path.read_bytes()
    path.unlink()
    assert road.finished_release(wanted) is None, "what was deleted is made again"
    path.write_bytes(data[:-9])
    with pytest.raises(InputError, match=f"probes/{TEXT.build_id}"):
        road.finished_release(wanted)


def test_what_a_build_came_to_is_said_in_lines(tmp_path: Path) -> None:
    release = build(tmp_path, TEXT)
    lines = road.built(release).splitlines()
    assert lines[-1] == f"plan hash  {release.text_hash}"
    assert next(line for line in lines if line.startswith("questions ")).split()[-1] == "15"
    assert not [line for line in lines if line.startswith("plan: ")]
    short = release.model_copy(update={"counts": release.counts | {"questions lacking": 2}})
    assert road.built(short).splitlines()[-1].startswith("2 questions are lacking: see ")
