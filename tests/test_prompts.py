"""The four prompts: present, versioned, replaceable, and with their rules in them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import voxmem.prompts
from voxmem.errors import InputError, UsageError
from voxmem.prompts import FILES, load

PACKAGED = Path(voxmem.prompts.__file__).parent


def folder(path: Path) -> Path:
    for name, file in FILES.items():
        (path / file).write_text(f"official {name}\r\n", "utf-8", newline="")
    return path


def test_hashes_are_those_of_the_files() -> None:
    prompts = load()
    assert prompts.hashes == {
        name: hashlib.sha256((PACKAGED / file).read_bytes()).hexdigest()
        for name, file in FILES.items()
    }
    assert len(set(prompts.hashes.values())) == 4


def test_a_folder_with_the_same_names_takes_their_place(tmp_path: Path) -> None:
    prompts = load(folder(tmp_path))
    assert prompts.ar_judge.text == "official ar_judge"
    assert prompts.ar_judge.sha256 == hashlib.sha256(b"official ar_judge\r\n").hexdigest()
    assert not set(prompts.hashes.values()) & set(load().hashes.values())


@pytest.mark.parametrize("file", FILES.values())
def test_a_missing_file_is_named(file: str, tmp_path: Path) -> None:
    (folder(tmp_path) / file).unlink()
    with pytest.raises(UsageError, match="missing") as caught:
        load(tmp_path)
    assert caught.value.item == str(tmp_path / file)


@pytest.mark.parametrize("content", [b"", b" \n\t", b"caf\xe9"])
def test_an_unusable_file_is_named(content: bytes, tmp_path: Path) -> None:
    file = folder(tmp_path) / FILES["candidate"]
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert caught.value.item == str(file)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a folder that holds candidate_system_prompt"):
        load(tmp_path / "nowhere")


def test_only_the_arm_with_abstention_offers_it() -> None:
    prompts = load()
    assert "exactly: insufficient evidence" in prompts.candidate.text
    assert "insufficient evidence" not in prompts.candidate_no_abstain.text
    assert "guess" not in prompts.candidate_no_abstain.text


def test_the_arms_differ_only_in_how_to_treat_a_gap() -> None:
    prompts = load()
    first = prompts.candidate.text.splitlines()
    second = prompts.candidate_no_abstain.text.splitlines()
    assert len(first) == len(second)
    assert sum(a != b for a, b in zip(first, second, strict=True)) == 2


def test_both_rubrics_ask_for_the_same_object() -> None:
    prompts = load()
    for prompt in (prompts.answerable_judge, prompts.ar_judge):
        assert '{"verdict": "correct"} or {"verdict": "incorrect"}' in prompt.text
