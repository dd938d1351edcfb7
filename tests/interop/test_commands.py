"""The commands that export and import: JSON on standard output, one line for what goes wrong."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interop.builders import tiny_release
from tests.interop.conftest import Exported
from voxmem import cli
from voxmem.store.root import Root

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs ``voxmem`` in this process → exit code, standard output, standard error."""
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["voxmem", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    yield call
    for each, handler in handlers.items():
        signal.signal(each, handler)


def done(ended: tuple[int, str, str]) -> Any:
    code, out, err = ended
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_release_goes_out_and_comes_back(spoken: Exported, run: Run, tmp_path: Path) -> None:
    root, out = tmp_path / "root", tmp_path / "out"
    shutil.copytree(spoken.rows.root.path, root)
    named = ("--root", root, "--release", "tiny")
    assert done(run("export", "official", *named, "--out", out, "--json")) == {
        "out": str(out),
        "configs": spoken.counts,
    }
    (out / "croissant.json").unlink()
    described = done(run("export", "croissant", *named, "--out", out, "--json"))
    assert described == {"file": str(out / "croissant.json")}
    assert Path(described["file"]).is_file()
    found = done(run("import", "official", out, "--root", root, "--compare", "tiny", "--json"))
    assert found["items"] == 32
    assert found["differences"] == []


def test_a_release_of_another_root_is_compared(spoken: Exported, run: Run, tmp_path: Path) -> None:
    named = ("--root", tmp_path / "new", "--compare", "tiny")
    there = ("--compare-root", spoken.rows.root.path)
    found = done(run("import", "official", spoken.out, *named, *there, "--json"))
    assert found["differences"] == []
    code, out, err = run("import", "official", spoken.out, *named)
    assert (code, out) == (2, "")
    assert "there is no release 'tiny'" in err


def test_an_import_without_its_release(spoken: Exported, run: Run, tmp_path: Path) -> None:
    found = done(run("import", "official", spoken.out, "--root", tmp_path / "new", "--json"))
    assert found["items"] == 32
    assert found["differences"] == []


def test_a_text_only_dataset_is_compared_and_not_asked(
    text_only: Exported, run: Run, tmp_path: Path
) -> None:
    named = ("import", "official", text_only.out, "--root", tmp_path / "new")
    there = ("--compare", "tiny", "--compare-root", text_only.rows.root.path)
    found = done(run(*named, *there, "--json"))
    assert (found["differences"], found["release"]) == ([], None)
    code, out, err = run(*named)
    assert (code, out.strip()) == (1, "")
    assert "no item can be asked; q_00000_16k: the question has no audio" in err


def test_what_differs_is_said_and_fails(
    spoken: Exported, run: Run, root: Root, tmp_path: Path
) -> None:
    tiny_release(root, seconds=0.11)
    code, out, _ = run("import", "official", spoken.out, "--root", root.path, "--compare", "tiny")
    assert code == 1
    lines = [line for line in out.splitlines() if line.startswith("q_")]
    assert len(lines) == 32
    assert lines[0].startswith("q_00000_16k: question_audio, sessions, ")


def test_predictions_go_out_and_come_back(run: Run, tmp_path: Path) -> None:
    from tests.interop.foreign import item, refusal, write
    from voxmem.evaluate.controls import Abstain
    from voxmem.evaluate.items import ReleaseRows
    from voxmem.evaluate.runner import Run as Evaluation
    from voxmem.evaluate.runner import evaluate
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    bad = item("q_00020") | {"gold_json": "{"}
    folder = write(tmp_path / "data", [item(), refusal(), bad])
    named = ("--root", tmp_path / "root")
    made = done(run("import", "official", folder, *named, "--name", "theirs", "--json"))
    assert made["release"].startswith("theirs-")
    assert made["left_out"] == [
        {"item": "q_00020_8k", "stage": "ask", "reason": made["left_out"][0]["reason"]}
    ]
    root = open_root(tmp_path / "root")
    evaluate(Evaluation(ReleaseRows(root, load(root, "theirs")), Abstain(), "8K"))
    out = tmp_path / "abstain.jsonl"
    named = (*named, "--release", "theirs")
    written = ("export", "predictions", *named, "--model", "abstain", "--out", out, "--json")
    exported = {"file": str(out), "rows": 2, "without_verdicts": ["abstain 8K"]}
    assert done(run(*written)) == exported
    with out.open("a") as file:
        file.write('{"item_id": "q_0')
    read = done(run("import", "predictions", out, *named, "--name", "shared", "--json"))
    (system,) = read["systems"]
    assert (system["name"], system["responses"]) == ("shared", 2)
    assert system["lost"] == [
        {"file": "abstain.jsonl", "line": 3, "reason": "is no whole JSON object"}
    ]
    code, text, _ = run("import", "predictions", out, *named, "--name", "shared")
    assert code == 0
    assert text == ("2 responses of shared\nlost: abstain.jsonl line 3: is no whole JSON object\n")


def test_text_on_a_terminal(spoken: Exported, run: Run, tmp_path: Path) -> None:
    named = ("--root", spoken.rows.root.path, "--release", "tiny")
    code, out, _ = run("export", "official", *named, "--out", tmp_path / "out")
    assert code == 0
    assert "8k_speech_semantics: 2 rows" in out
    assert out.rstrip().endswith(f"exported to {tmp_path}/out")
    code, out, _ = run("import", "official", tmp_path / "out", "--root", tmp_path / "root")
    assert code == 0
    assert out.startswith("32 items in ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "official", "--out", "OUT"), "holds data, README.md, croissant.json already"),
        (("export", "official", "--out", "NEW", "--release", "no"), "there is no release 'no'"),
        (("export", "croissant", "--out", "NEW"), "holds no export to describe"),
        (("import", "official", "NEW"), "there is no such file or folder"),
        (("import", "official", "OUT", "--compare", "no"), "there is no release 'no'"),
    ],
)
def test_one_line_says_what_is_wrong(
    spoken: Exported, run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    root = tmp_path / "root"
    shutil.copytree(spoken.rows.root.path, root)
    paths = {"OUT": str(spoken.out), "NEW": str(tmp_path / "new")}
    named = [paths.get(each, each) for each in arguments]
    if "--release" not in named and named[0] == "export":
        named += ["--release", "tiny"]
    code, out, err = run(*named, "--root", root)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert not (root / "tables" / "official_rows").exists()
