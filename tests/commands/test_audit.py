"""``voxmem audit clips`` as a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.quality.audit.made import kept, made, said, source_of
from voxmem.commands.audit import app
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.quality.labelling.server import LabelServer


def audit(*arguments: str) -> Result:
    """What the command does; its errors are raised."""
    return CliRunner().invoke(app, ["clips", *arguments], catch_exceptions=False)


def test_it_says_where_the_page_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path)
    monkeypatch.setattr(LabelServer, "serve_forever", lambda server: None)
    shown = audit("--root", str(tmp_path), "--release", "heard", "--port", "0", "--count", "5")
    assert shown.exit_code == 0
    assert shown.output.startswith("5 clips of heard-")
    assert "at http://127.0.0.1:" in shown.output


def test_a_summary_is_one_object_or_lines(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    clip = next(iter(source.clips.values()))
    kept(tmp_path, [said(clip, "fail", name) for name in ("ada", "bob")])
    options = ("--root", str(tmp_path), "--release", "heard", "--summary")
    found = json.loads(audit(*options, "--json").output)
    assert (found["clips"], found["queue"], found["lacking"]) == (12, 12, 11)
    assert found["agreement"]["same"] == 1.0
    assert [item["clip_id"] for item in found["failed"]] == [clip.clip_id]
    assert "agreement           100.0% on 1 clips of 2 annotators" in audit(*options).output


def test_a_queue_is_taken_away_and_brought_back(tmp_path: Path) -> None:
    made(tmp_path / "root")
    options = ("--root", str(tmp_path / "root"), "--release", "heard", "--annotator", "ada")
    sheet = tmp_path / "queue.csv"
    assert audit(*options, "--count", "4", "--export", str(sheet)).exit_code == 0
    head, *lines = sheet.read_text("utf-8").splitlines()
    filled = [lines[0].replace(",ada,,,", ",ada,,pass,"), lines[1].replace(",ada,,,", ",ada,,bad,")]
    sheet.write_text("\n".join([head, *filled, *lines[2:], ""]), "utf-8")
    brought = audit(*options, "--import", str(sheet))
    assert brought.exit_code == 1
    assert "line 3: verdict" in brought.output
    assert "1 labels added, 0 known, 2 lines blank" in brought.output
    again = json.loads(audit(*options, "--import", str(sheet), "--json").output)
    assert (again["added"], again["known"]) == (0, 1)
    with pytest.raises(UsageError, match="exists already"):
        audit(*options, "--export", str(sheet))
    assert "pass" in sheet.read_text("utf-8"), "what was labelled is not written over"


@pytest.mark.parametrize("note", ["x" * 140_000, '"' + "x,\n" * 50_000])
def test_a_sheet_without_an_end_of_a_line_is_refused(tmp_path: Path, note: str) -> None:
    made(tmp_path / "root")
    options = ("--root", str(tmp_path / "root"), "--release", "heard", "--annotator", "ada")
    sheet = tmp_path / "huge.csv"
    audit(*options, "--count", "2", "--export", str(sheet))
    head, one, two = sheet.read_text("utf-8").splitlines()
    passed = one.replace(",ada,,,", ",ada,,pass,")
    text = "\n".join([head, passed, two.replace(",ada,,,,", f",ada,,pass,,{note}"), ""])
    sheet.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        audit(*options, "--import", str(sheet))
    shown = str(refused.value)
    assert f"{sheet}: line 3: " in shown
    assert "close the quote that is open there" in shown
    assert "\n" not in shown
    assert kept(tmp_path / "root", []).rows() == []


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (("--release", "other"), UsageError, "no release 'other'"),
        (("--release", "heard", "--preset", "demo"), UsageError, "more than one"),
        (("--preset", "demo", "--config", "x.toml"), UsageError, "more than one"),
        (("--seed", "3"), UsageError, "a release has the seed it has"),
        (("--import", "a.csv", "--export", "a.csv"), UsageError, "more than one of --import"),
        (("--export", "a.csv", "--summary"), UsageError, "more than one of --import"),
        (("--preset", "huge"), UsageError, "no preset 'huge'"),
        (("--release", "heard", "--import", "/nowhere.csv"), InputError, "cannot be read"),
        (("--release", "heard", "--export", "/nowhere/a.csv"), StoreError, "cannot write"),
    ],
)
def test_what_cannot_be_is_an_error(
    tmp_path: Path, options: tuple[str, ...], error: type[Exception], words: str
) -> None:
    made(tmp_path)
    with pytest.raises(error, match=words):
        audit("--root", str(tmp_path), *options)
