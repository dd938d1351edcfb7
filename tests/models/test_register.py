"""A model added to the catalogue of one's own: checked first, and nothing else is changed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from tests.store.servers import BUCKET, rclone
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.models.catalogue import VARIABLE, catalogue, place_of, read, read_at
from voxmem.models.register import register

NEW = """
name: new
title: New
family: none
group: omni-modal
backend: openai
model: new
scheduled: true
proof: {status: not proved, by: nothing}
settings: {base_url: "http://127.0.0.1:9/v1"}
"""
OWN = NEW.replace("new", "own").replace("scheduled: true\n", "")
FILE = """# Ours.
models:
  - name: own   # measured in May
    title: New
    family: none
    group: omni-modal
    backend: openai
    model: own
    proof: {status: not proved, by: nothing}
    settings: {base_url: "http://127.0.0.1:9/v1"}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "mine" / "models.yaml"
    made.parent.mkdir()
    made.write_text(FILE)
    return made


def test_an_entry_is_added_and_what_was_written_by_hand_is_kept(file: Path) -> None:
    assert register(NEW, "new.yaml", str(file)).name == "new"
    assert file.read_text().startswith(FILE)
    found = read(file)
    assert list(found) == ["own", "new"]
    assert (found["new"].scheduled, found["new"].runs_on) == (True, "cpu")


@pytest.mark.parametrize(
    "text", [json.dumps({"models": []}), FILE.replace("  - name", "- name").replace("    ", "  ")]
)
def test_any_layout_of_the_file_is_added_to(file: Path, text: str) -> None:
    file.write_text(text)
    before = list(read(file))
    register(json.dumps({"models": [yaml.safe_load(NEW)]}), "-", str(file))
    assert list(read(file)) == [*before, "new"]


def test_a_file_that_is_not_there_yet_is_made(tmp_path: Path) -> None:
    register(NEW, "-", str(tmp_path / "models.yaml"))
    assert list(read(tmp_path / "models.yaml")) == ["new"]


def test_a_name_that_is_taken_is_replaced_only_if_that_is_said(file: Path) -> None:
    register(NEW, "-", str(file))
    for text in (OWN, NEW.replace("name: new", "name: gemini-2.5-pro")):
        with pytest.raises(UsageError, match="has a model of this name"):
            register(text, "-", str(file))
    register(OWN.replace("model: own", "model: other"), "-", str(file), replace=True)
    found = read(file)
    assert sorted(found) == ["new", "own"]
    assert found["own"].model == "other"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        (NEW + "name: newer\n", "new.yaml: cannot be read: line 11: the key 'name' is there twice"),
        (NEW.replace("group: omni-modal", ""), r"entry 1 \(new\): group: Field required"),
        (NEW + "price: free\n", r"entry 1 \(new\): price: "),
        (NEW.replace("base_url", "bas_url"), "base_url"),
        (NEW.replace("name: new", "name: abstain"), "name: a control is called abstain: choose"),
        (FILE + FILE.partition("models:\n")[2].replace("own", "two"), "has 2 entries"),
    ],
)
def test_a_wrong_entry_is_refused_and_changes_nothing(file: Path, text: str, said: str) -> None:
    with pytest.raises((InputError, UsageError), match=said):
        register(text, "new.yaml", str(file))
    assert file.read_text() == FILE


def test_without_a_catalogue_of_ones_own_it_is_said_where_one_is_named() -> None:
    with pytest.raises(UsageError, match=rf"in \${VARIABLE}"):
        register(NEW, "-", None)


def test_a_link_is_written_through_and_a_mode_stays(file: Path, tmp_path: Path) -> None:
    file.chmod(0o600)
    link = tmp_path / "models.yaml"
    link.symlink_to(Path("mine", "models.yaml"))
    register(NEW, "-", str(link))
    assert link.is_symlink()
    assert list(read(file)) == ["own", "new"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_catalogue_that_is_no_text_is_not_written(file: Path) -> None:
    file.write_bytes(b"\xff\xfe models")
    with pytest.raises(InputError, match=r"models\.yaml: cannot be read: 'utf-8' codec"):
        register(NEW, "-", str(file))
    assert file.read_bytes() == b"\xff\xfe models"


def test_an_entry_that_is_no_text_is_refused(file: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "voxmem", "models", "register", "-"],
        input=b"name: \xff",
        env={**os.environ, VARIABLE: str(file)},
        capture_output=True,
        check=False,
    )
    said = told.stderr.decode()
    assert (told.returncode, said.count("\n")) == (2, 1), said
    assert "-: cannot be read: 'utf-8' codec" in said
    assert file.read_text() == FILE


def test_two_at_once_wait_for_each_other(file: Path) -> None:
    root, _ = place_of(str(file))
    with ThreadPoolExecutor(1) as other:
        with root.locked("models", item="it", stage="models"):
            waiting = other.submit(register, NEW, "-", str(file))
            with pytest.raises(TimeoutError):
                waiting.result(0.3)
        assert waiting.result(10).name == "new"
    assert list(read(file)) == ["own", "new"]


@pytest.mark.parametrize("old", [FILE + "models: []\n", FILE.replace("family", "title")])
def test_a_key_that_is_there_twice_is_no_choice(file: Path, old: str) -> None:
    file.write_text(old)
    with pytest.raises(InputError, match=r"models\.yaml: cannot be read: line \d+: the key '"):
        register(NEW, "-", str(file))
    assert file.read_text() == old


@pytest.mark.s3
def test_a_catalogue_in_a_bucket_is_one_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rclone(tmp_path) as server:
        for name, value in server.settings.items():
            monkeypatch.setenv(name, value)
        place = f"s3://{BUCKET}/catalogues/models.yaml"
        with pytest.raises(UsageError, match="no such file in the bucket"):
            read_at(place)
        register(NEW, "-", place)
        monkeypatch.setenv(VARIABLE, place)
        assert catalogue()["new"].scheduled
        monkeypatch.setenv(VARIABLE, "s3://elsewhere/models.yaml")
        with pytest.raises(StoreError) as caught:
            catalogue()
        assert "\n" not in str(caught.value)
        assert "elsewhere" in str(caught.value)
