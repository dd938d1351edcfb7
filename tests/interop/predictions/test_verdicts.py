"""Verdicts that came with predictions: kept under their judge's name, and read like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interop.foreign import item, refusal
from tests.interop.predictions.test_predictions import line, lost, taken
from tests.interop.test_published import imported
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run
from voxmem.interop.predictions.load import import_predictions
from voxmem.interop.predictions.write import export_predictions, runs_of
from voxmem.judge import make_judge
from voxmem.judge.runner import is_settled, judge_run, judged, verdicts
from voxmem.records import Verdict
from voxmem.store.root import open_root


@pytest.fixture
def release(tmp_path: Path) -> ReleaseRows:
    rows = [item(f"q_{at:05}") for at in range(10, 20)] + [refusal(), item(length="32K")]
    known = {row["item_id"]: row for row in rows}
    return imported(open_root(tmp_path / "root"), tmp_path / "data", list(known.values()))


def row(at: int, verdict: Any = None, judge: Any = "luna", **more: Any) -> bytes:
    return line(f"q_{at:05}_8k", verdict=verdict, judge=judge, **more)


def run_of(release: ReleaseRows, name: str = "some/model") -> Run:
    [run] = Job(systems=(name,), budgets=("8K",)).runs(release)
    return run


def by_item(rows: list[Verdict] | None) -> dict[int, Verdict]:
    return {int(each.item_id[2:7]): each for each in rows or ()}


def test_what_a_file_says_has_its_status(release: ReleaseRows) -> None:
    data = [
        row(10, "correct", judge_raw='{"verdict": "correct"}'),
        row(11, "incorrect"),
        row(12, None, judge_raw="I cannot tell."),
        row(13, "partly"),
        row(14, True),
        row(15, {"verdict": "incorrect"}),
        row(16, None, response=None, error="HTTP 500"),
        row(17, "correct", response=None),
        line("q_00018_8k"),
        row(19, 3, judge_raw="\ud800!"),
    ]
    record = taken(release, b"\n".join(data))
    assert (record.judges, record.lost) == (("luna",), ())
    run, judge = run_of(release), make_judge("imported:luna")
    rows = by_item(verdicts(run, judge))
    assert {at: each.status for at, each in rows.items()} == {
        10: "correct", 11: "incorrect", 12: "unparsed", 13: "unparsed", 14: "correct",
        15: "incorrect", 16: "not_judged", 17: "not_judged", 18: "unparsed", 19: "unparsed",
    }  # fmt: skip
    assert (rows[10].reply, rows[12].reply, rows[11].reply) == (
        '{"verdict": "correct"}', "I cannot tell.", None,
    )  # fmt: skip
    assert rows[12].detail == "the file's verdict cannot be read"
    assert rows[18].detail == "the file has no verdict on it"
    assert {each.judge for each in rows.values()} == {"imported:luna"}
    assert list(by_item(judge_run(run, judge)).values()) == list(rows.values())
    assert is_settled(run, judge), "nobody can be asked again"


def test_another_judge_of_the_same_answers_stands_beside_it(release: ReleaseRows) -> None:
    data = [row(10, "correct"), row(11, "incorrect"), row(10, "incorrect", "flash"),
            row(11, None, "flash"), row(11, "correct", "flash")]  # fmt: skip
    record = taken(release, b"\n".join(data))
    assert (record.judges, record.lost, record.responses) == (("luna", "flash"), (), 2)
    run = run_of(release)
    found = {
        name: [each.status for each in verdicts(run, make_judge(f"imported:{name}")) or ()]
        for name in ("luna", "flash")
    }
    assert found == {"luna": ["correct", "incorrect"], "flash": ["incorrect", "correct"]}
    assert judge_run(run, make_judge("panel:imported:luna,imported:flash,rule"))[0].detail == (
        "2 to 1"
    )


def test_a_second_word_of_one_judge_is_not_taken(release: ReleaseRows) -> None:
    data = [row(10, "correct"), row(10, "incorrect"), row(10, "correct"), line("q_00010_8k")]
    record = taken(release, b"\n".join(data))
    assert lost(record) == [
        (2, "the verdict on q_00010_8k differs from an earlier one, which is kept"),
        (3, "q_00010_8k as in line 1"),
        (4, "q_00010_8k as in line 1"),
    ]
    [kept] = verdicts(run_of(release), make_judge("imported:luna")) or ()
    assert kept.status == "correct"


def test_a_judge_that_was_not_imported_can_give_no_verdict(release: ReleaseRows) -> None:
    taken(release, b"\n".join([row(10, "correct"), row(11, "correct", "flash")]))
    for name, there in (("luna", "1 of 2"), ("someone", "0 of 2")):
        with pytest.raises(UsageError, match=f"{there} responses have an imported verdict of"):
            judged(run_of(release), make_judge(f"imported:{name}"))
        assert verdicts(run_of(release), make_judge(f"imported:{name}")) is None


def test_a_verdict_without_a_judge_has_one_without_a_name(release: ReleaseRows) -> None:
    record = taken(release, row(10, "correct", None))
    assert record.judges == ("unnamed",)
    assert verdicts(run_of(release), make_judge("imported:unnamed")) is not None


def test_verdicts_that_were_written_come_back(release: ReleaseRows, tmp_path: Path) -> None:
    data = [
        row(10, "correct", judge_raw='{"verdict": "correct"}'),
        row(11, "incorrect"),
        row(12, None, judge_raw="I cannot tell."),
        row(16, None, response=None, error="HTTP 500"),
    ]
    taken(release, b"\n".join(data))
    out = tmp_path / "out.jsonl"
    export_predictions(runs_of(release, "some/model", ["8K"]), out, judge="imported:luna")
    written = [json.loads(each) for each in out.read_text().splitlines()]
    assert [(each["verdict"], each["judge"], each["judge_raw"]) for each in written] == [
        ("correct", "luna", '{"verdict": "correct"}'),
        ("incorrect", "luna", None),
        (None, "luna", "I cannot tell."),
        (None, "luna", None),
    ]
    import_predictions(release, [out], name="again")
    judge, own = make_judge("imported:luna"), {"response_id"}
    before, after = (
        verdicts(run_of(release, name), judge) or () for name in ("some/model", "again")
    )
    assert [each.model_dump(exclude=own) for each in before] == [
        each.model_dump(exclude=own) for each in after
    ]


def test_verdicts_of_our_own_come_back_under_their_judge(
    release: ReleaseRows, tmp_path: Path
) -> None:
    taken(release, b"\n".join([line("q_00010_8k"), line("q_00011_8k", response="Nine.")]))
    run = run_of(release)
    rows = judge_run(run, make_judge("rule"))
    out = tmp_path / "out.jsonl"
    export_predictions([run], out)
    import_predictions(release, [out], name="again")
    again = verdicts(run_of(release, "again"), make_judge("imported:rule-1")) or ()
    assert [each.status for each in again] == [each.status for each in rows]
    assert [each.reply for each in again] == [each.detail for each in rows]
