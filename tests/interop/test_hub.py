"""Datasets of a hub, through the loader of ``datasets``: here on a folder laid out as one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.interop.conftest import Exported
from voxmem.errors import MissingExtra, UsageError
from voxmem.interop.official.compare import differences
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.dataset import import_official
from voxmem.interop.official.hub import hub_units, is_hub_id
from voxmem.interop.official.load import import_units, imported_items
from voxmem.interop.official.publish import publish_import
from voxmem.store.root import Root


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def test_what_is_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_hub_id("AudioMemory/voxmembench")
    for path in ("a/b/c", "data", "./a/b", "../b", "/a/b", "a/"):
        assert not is_hub_id(path)
    monkeypatch.chdir(tmp_path)
    Path("data", "8k").mkdir(parents=True)
    assert not is_hub_id("data/8k")


@pytest.mark.slow
def test_all_lengths_are_streamed(spoken: Exported, root: Root) -> None:
    units, commit = hub_units(str(spoken.out))
    assert commit is None
    assert len(units) == 16  # a file for each length and evidence type, none twice
    imported = import_units(root, units)
    assert imported.rejections == ()
    assert differences(official_items(spoken.rows), imported_items(root, imported)) == []
    streamed, _, _ = publish_import(root, imported)
    read = import_official(root, [spoken.out]).release
    assert streamed is not None
    assert streamed == read


@pytest.mark.slow
def test_one_config_is_streamed(spoken: Exported, root: Root) -> None:
    units, _ = hub_units(str(spoken.out), ["8k_speaker_information"])
    imported = import_units(root, units)
    assert imported.ids == {"q_00001_8k", "q_00001_r_8k"}
    assert imported.clips == 2 * 11


@pytest.mark.slow
def test_what_is_not_there_is_said(spoken: Exported, root: Root) -> None:
    with pytest.raises(UsageError, match=r"'9k' not found\. Available: .*'8k'"):
        hub_units(str(spoken.out), ["9k"])
    with pytest.raises(UsageError, match="is no file here, and cannot be streamed: ") as caught:
        import_official(root, ["nobody/nothing"])
    assert caught.value.item == "nobody/nothing"


def test_without_the_package(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"pip install 'voxmem\[hub\]'"):
        import_official(root, ["AudioMemory/voxmembench"])


def test_configs_are_of_a_hub(spoken: Exported, root: Root) -> None:
    with pytest.raises(UsageError, match="name the folders of the configs"):
        import_official(root, [spoken.out], configs=["8k"])
