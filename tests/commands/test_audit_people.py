"""``voxmem audit verdicts`` and ``errors`` as commands, over a finished demo."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.quality.audit.made import made
from voxmem import score
from voxmem.analyze.audit.tables import people_tables
from voxmem.commands.audit import app
from voxmem.errors import InputError, UsageError, VoxmemError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.judge import make_judge
from voxmem.quality.labelling.server import LabelServer
from voxmem.store.release import load
from voxmem.store.root import open_root


def audit(kind: str, *arguments: str) -> Result:
    """What the command does; its errors are raised."""
    return CliRunner().invoke(app, [kind, *arguments], catch_exceptions=False)


def runs_of(root: Path) -> list[Run]:
    opened = open_root(str(root))
    return score.EMBEDDED.runs(ReleaseRows(opened, load(opened, "demo")))


def test_a_report_has_tables_of_people_only_where_somebody_labelled(finished_demo: Path) -> None:
    assert list(people_tables(runs_of(finished_demo), make_judge("rule"))) == []
    assert list(people_tables([], make_judge("rule"))) == []


def fill(sheet: Path, column: str, value: str, count: int) -> None:
    """Somebody labels the first things of a sheet."""
    with sheet.open(newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines[:count]:
        line[column] = value
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys())
        writer.writeheader()
        writer.writerows(lines)


@pytest.mark.parametrize(
    ("kind", "column", "value", "machines"),
    [
        ("verdicts", "verdict", "incorrect", "judges"),
        ("errors", "error_class", "recognition", "auditors"),
    ],
)
def test_a_queue_is_taken_away_labelled_and_summed_up(
    own_demo: Path, tmp_path: Path, kind: str, column: str, value: str, machines: str
) -> None:
    root, sheet = ("--root", str(own_demo)), tmp_path / "queue.csv"
    made_of = ("--count", "10", "--annotator", "ada")
    assert audit(kind, *root, *made_of, "--export", str(sheet)).exit_code == 0
    fill(sheet, column, value, 4)
    brought = json.loads(audit(kind, *root, *made_of, "--import", str(sheet), "--json").output)
    assert (brought["added"], brought["blank"], brought["faults"]) == (4, 6, [])
    found = json.loads(audit(kind, *root, *made_of, "--summary", "--json").output)
    assert found["progress"]["annotators"] == {"ada": {value: 4}}
    assert found["progress"]["lacking"] == 6
    first = found[machines][0]
    assert first["measured"]["n"] + first["unread"] == 4
    assert "ada                 4 " in audit(kind, *root, *made_of, "--summary").output
    (table,) = people_tables(runs_of(own_demo), make_judge("rule"))
    assert table.name.startswith(machines)


@pytest.mark.parametrize("kind", ["verdicts", "errors"])
def test_it_says_where_the_page_is(
    own_demo: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LabelServer, "serve_forever", lambda server: None)
    shown = audit(kind, "--root", str(own_demo), "--port", "0", "--count", "3")
    assert "at http://127.0.0.1:" in shown.output
    assert shown.output.startswith("3 ")


@pytest.mark.parametrize(
    ("kind", "options", "error", "words"),
    [
        ("verdicts", ("--judge", "nobody"), UsageError, "nothing of 'nobody'"),
        ("errors", ("--auditor", "nobody"), UsageError, "nothing of 'nobody'"),
        ("errors", ("--judge", "nobody"), UsageError, "no judge named"),
        ("verdicts", ("--budget", "9K"), UsageError, "no budget '9K'"),
        ("verdicts", ("--arm", "transcript"), InputError, "no response to audit"),
        ("errors", ("--arm", "transcript"), InputError, "no error to audit"),
    ],
)
def test_what_cannot_be_is_an_error(
    own_demo: Path, kind: str, options: tuple[str, ...], error: type[VoxmemError], words: str
) -> None:
    with pytest.raises(error, match=words):
        audit(kind, "--root", str(own_demo), *options)


@pytest.mark.parametrize("kind", ["verdicts", "errors"])
def test_a_release_that_is_not_there_is_an_error(tmp_path: Path, kind: str) -> None:
    made(tmp_path)
    with pytest.raises(UsageError, match="no release 'other'"):
        audit(kind, "--root", str(tmp_path), "--release", "other")
