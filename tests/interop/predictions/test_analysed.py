"""Prediction files of several models, in every state, analysed under both policies: by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interop.foreign import item, refusal
from tests.interop.test_published import imported
from voxmem import reporting
from voxmem.analyze.tables import all_tables
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.interop.predictions.load import import_predictions
from voxmem.store.root import open_root

JUDGE = "gpt-5"
ANSWERABLE = [f"q_{number:05}" for number in range(10, 18)]
REFUSALS = ["q_00020", "q_00021"]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    folder = tmp_path_factory.mktemp("official")
    rows = [item(name, gold_json="2") for name in ANSWERABLE]
    rows += [refusal(name, paired_question_id=ANSWERABLE[0]) for name in REFUSALS]
    return imported(open_root(folder / "root"), folder / "data", rows)


def row(model: str, question: str, verdict: str | None, **changes: Any) -> str:
    """A line of the official scorer's output."""
    return json.dumps(
        {
            "item_id": f"{question}_8k",
            "question_id": question,
            "model": model,
            "allow_abstention": True,
            "system_prompt_delivery": "native",
            "n_audio_clips": 7,
            "response": "Two.",
            "error": None,
            "verdict": verdict,
            "judge": JUDGE,
            "judge_raw": f'{{"verdict": "{verdict}"}}',
        }
        | changes
    )


def failed(model: str, question: str, **changes: Any) -> str:
    return row(model, question, None, response=None, judge_raw=None, **changes)


def lines_of_one() -> list[str]:
    """10 items, 4 right, 2 failed, 1 unparsed: 40.0 % and 57.1 %."""
    right = [row("one", name, "correct") for name in (*ANSWERABLE[:3], REFUSALS[0])]
    wrong = [row("one", name, "incorrect") for name in ANSWERABLE[3:6]]
    lost = [
        failed("one", ANSWERABLE[6], error="timeout"),
        failed("one", ANSWERABLE[7]),
    ]
    unread = row("one", REFUSALS[1], None, judge_raw="I would say yes")
    return [*right, *wrong, *lost, unread]


def lines_of_two() -> list[str]:
    """A partial run: 5 rows, one of them cut off, one without a verdict."""
    whole = [row("two", name, "correct") for name in ANSWERABLE[:3]]
    cut = row("two", ANSWERABLE[3], "incorrect")[:40]
    unjudged = json.loads(row("two", ANSWERABLE[4], None))
    del unjudged["verdict"], unjudged["judge_raw"]
    return [*whole, cut, json.dumps(unjudged)]


@pytest.fixture(scope="module")
def tables(release: ReleaseRows, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("files")
    for name, lines in (("one", lines_of_one()), ("two", lines_of_two())):
        file = folder / f"{name}.jsonl"
        file.write_text("\n".join(lines))
        import_predictions(release, [file])
    wanted = reporting.Wanted(judges=(f"imported:{JUDGE}",))
    found = reporting.gathered(release, Job(systems=("one", "two")), wanted)
    return all_tables(found.study)


def rates(tables: dict[str, Any], entrant: str, stratum: str, policy: str) -> tuple[int, int, int]:
    """Right, counted, asked."""
    (found,) = (
        each
        for each in tables["accuracy-by-evidence"].records()
        if (each["entrant"], each["stratum"], each["policy"]) == (entrant, stratum, policy)
        and (each["evidence"], each["budget"]) == ("all", "8K")
    )
    return found["accuracy_correct"], found["accuracy_n"], found["accuracy_expected"]


@pytest.mark.parametrize(
    ("entrant", "stratum", "paper", "code"),
    [
        ("one", "all", (4, 10, 10), (4, 7, 10)),
        ("one", "answerable", (3, 8, 8), (3, 6, 8)),
        ("one", "refusal", (1, 2, 2), (1, 1, 2)),
        ("two", "all", (3, 4, 10), (3, 3, 10)),
        ("two", "answerable", (3, 4, 8), (3, 3, 8)),
        ("two", "refusal", (0, 0, 2), (0, 0, 2)),
    ],
)
def test_both_policies_by_hand(
    tables: dict[str, Any],
    entrant: str,
    stratum: str,
    paper: tuple[int, int, int],
    code: tuple[int, int, int],
) -> None:
    assert rates(tables, entrant, stratum, "paper") == paper
    assert rates(tables, entrant, stratum, "code") == code


def test_a_partial_run_is_not_ranked(tables: dict[str, Any]) -> None:
    board = {
        each["entrant"]: each
        for each in tables["leaderboard"].records()
        if each["policy"] == "paper"
    }
    assert board["one"]["rank_low"] == 1
    assert board["two"]["rank_low"] is None


def test_the_site_is_written(release: ReleaseRows, tables: dict[str, Any], tmp_path: Path) -> None:
    assert tables  # imported
    wanted = reporting.Wanted(judges=(f"imported:{JUDGE}", "rule"))
    page = reporting.write_report(release, Job(systems=("one", "two")), wanted, tmp_path / "site")
    assert "57.1" in (page.parent / "leaderboard.html").read_text()
