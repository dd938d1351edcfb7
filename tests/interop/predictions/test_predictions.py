"""Prediction files: written as the official runner writes them, read whatever their state."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interop.foreign import item, refusal
from tests.interop.test_published import imported
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.controls import Abstain
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.predicted import (
    PredictionsRecord,
    imported_predictions,
    predicted_system,
)
from voxmem.evaluate.runner import Run, evaluate, responses
from voxmem.interop.predictions.load import import_predictions
from voxmem.interop.predictions.row import row_of
from voxmem.interop.predictions.write import export_predictions, runs_of
from voxmem.judge import make_judge
from voxmem.judge.runner import judge_run
from voxmem.records import Call, Response
from voxmem.store.root import open_root

FIELDS = (
    "item_id question_id context_length family_id evidence_type memory_operation subtype "
    "question_text expected_response gold_json answer_type answer_normalization session_count "
    "evidence_session_count samekey_haystack_session_count model allow_abstention "
    "system_prompt_delivery n_audio_clips response error"
).split()
"""As official-dataset.md lists them."""


@pytest.fixture
def release(tmp_path: Path) -> ReleaseRows:
    rows = [item(), item(length="32K"), refusal(), refusal(length="32K"), item("q_00020")]
    return imported(open_root(tmp_path / "root"), tmp_path / "data", rows)


def prediction(item_id: str = "q_00010_8k", **changes: Any) -> dict[str, Any]:
    """A row of the official runner."""
    question = item_id.rpartition("_")[0]
    row = {
        "item_id": item_id,
        "question_id": question,
        "question_text": f"How many sessions does {question} ask about?",
        "model": "some/model",
        "allow_abstention": True,
        "system_prompt_delivery": "folded",
        "n_audio_clips": 7,
        "response": "Two.",
        "error": None,
    }
    return row | changes


def line(item_id: str = "q_00010_8k", **changes: Any) -> bytes:
    return json.dumps(prediction(item_id, **changes)).encode()


def taken(release: ReleaseRows, data: bytes, **options: Any) -> PredictionsRecord:
    file = release.root.path.parent / "predictions.jsonl"
    file.write_bytes(data)
    (record,) = import_predictions(release, [file], **options)
    return record


def answers(release: ReleaseRows, name: str = "some/model") -> dict[str, Response]:
    runs = Job(systems=(name,), arms=("audio", "no-abstention")).runs(release)
    return {f"{row.item_id} {row.arm}": row for run in runs for row in responses(run) or ()}


def lost(record: PredictionsRecord) -> list[tuple[int, str]]:
    return [(each.line, each.reason) for each in record.lost]


# --- written ------------------------------------------------------------------------------------


def test_rows_have_the_official_fields(release: ReleaseRows, tmp_path: Path) -> None:
    for budget in ("8K", "32K"):
        evaluate(Run(release, Abstain(), budget))
    out = tmp_path / "abstain.jsonl"
    assert export_predictions(runs_of(release, "abstain"), out) == 5
    rows = [json.loads(each) for each in out.read_text().splitlines()]
    assert list(rows[0]) == FIELDS
    assert rows[0] == {name: value for name, value in item().items() if name in FIELDS} | {
        "model": "abstain",
        "allow_abstention": True,
        "system_prompt_delivery": None,
        "n_audio_clips": 7,
        "response": "insufficient evidence",
        "error": None,
    }
    assert [row["context_length"] for row in rows] == ["8K", "8K", "8K", "32K", "32K"]


def test_verdicts_are_written_when_there_are_any(release: ReleaseRows, tmp_path: Path) -> None:
    run = Run(release, Abstain(), "8K")
    evaluate(run)
    judge_run(run, make_judge("rule"))
    export_predictions(runs_of(release, "abstain", ["8K"]), tmp_path / "out.jsonl")
    rows = [json.loads(each) for each in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert list(rows[0]) == [*FIELDS, "verdict", "judge", "judge_raw"]
    verdicts = {row["item_id"]: row["verdict"] for row in rows}
    assert verdicts == {
        "q_00010_8k": "incorrect", "q_00011_8k": "correct", "q_00020_8k": "incorrect",
    }  # fmt: skip
    assert {row["judge"] for row in rows} == {"rule-1"}


def test_what_cannot_be_written_is_said(release: ReleaseRows, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="abstain has no responses at 8K, 32K under the arm audio"):
        runs_of(release, "abstain")
    evaluate(Run(release, Abstain(), "8K"))
    with pytest.raises(InputError, match="no responses at 32K"):
        runs_of(release, "abstain", ["8K", "32K"])
    with pytest.raises(UsageError, match="cannot tell the arm 'transcript'"):
        runs_of(release, "abstain", arm="transcript")
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        export_predictions(runs_of(release, "abstain"), tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"


# --- and read again -----------------------------------------------------------------------------


def test_what_was_written_comes_back(release: ReleaseRows, tmp_path: Path) -> None:
    data = b"\n".join(
        [
            line(response="null"),
            line("q_00011_8k", response=None, error="voxmem rejected: not this one"),
            line("q_00010_32k", response=None, error="timeout", system_prompt_delivery="native"),
            line("q_00011_32k", allow_abstention=False),
        ]
    )
    first = taken(release, data)
    export_predictions(runs_of(release, "some/model"), tmp_path / "a.jsonl")
    export_predictions(runs_of(release, "some/model", arm="no-abstention"), tmp_path / "b.jsonl")
    again = import_predictions(release, [tmp_path / "a.jsonl", tmp_path / "b.jsonl"], name="again")
    assert again[0].runs == first.runs
    assert again[0].lost == ()
    before, after = answers(release), answers(release, "again")
    own = {"response_id", "system"}
    assert [row.model_dump(exclude=own) for row in after.values()] == [
        row.model_dump(exclude=own) for row in before.values()
    ]


def test_failures_are_fields(release: ReleaseRows) -> None:
    data = b"\n".join(
        [
            line(response="null"),
            line("q_00011_8k", response=None),
            line("q_00020_8k", response=None, error="HTTP 500"),
            line("q_00010_32k", response=" "),
            line("q_00011_32k", response=None, error="voxmem context_overflow"),
        ]
    )
    taken(release, data)
    found = answers(release)
    assert {name: (row.outcome, row.text, row.error) for name, row in found.items()} == {
        "q_00010_8k audio": ("ok", "null", None),
        "q_00011_8k audio": ("empty", None, None),
        "q_00020_8k audio": ("error", None, "HTTP 500"),
        "q_00010_32k audio": ("empty", " ", None),
        "q_00011_32k audio": ("context_overflow", None, None),
    }
    row = found["q_00010_8k audio"]
    assert (row.call, row.prompt_hash, row.system) == (Call(delivery="folded"), "", "some/model")


def test_they_are_judged(release: ReleaseRows) -> None:
    data = b"\n".join(
        [
            line(response="Two sessions."),
            line("q_00011_8k", response="3"),
            line("q_00010_32k", response=None, error="x"),
            line("q_00011_32k", response="insufficient evidence"),
        ]
    )
    taken(release, data, name="theirs")
    runs = Job(systems=("theirs",)).runs(release)
    assert [(run.budget, run.arm.name) for run in runs] == [("8K", "audio"), ("32K", "audio")]
    judged = [verdict for run in runs for verdict in judge_run(run, make_judge("rule"))]
    assert {verdict.item_id: verdict.status for verdict in judged} == {
        "q_00010_8k": "correct",
        "q_00011_8k": "incorrect",
        "q_00010_32k": "not_judged",
        "q_00011_32k": "correct",
    }


# --- byte by byte -------------------------------------------------------------------------------

WHOLE = [line(), line("q_00011_8k"), line("q_00020_8k")]


def test_whatever_is_cut_loses_one_record(release: ReleaseRows) -> None:
    """Half a line, at the end of the file and everywhere else, with and without what ends it."""
    for broken in range(3):
        for ending in (b"\n", b""):
            for share in (0.02, 0.3, 0.6, 0.97):
                pieces = [each + b"\n" for each in WHOLE]
                pieces[broken] = WHOLE[broken][: int(share * len(WHOLE[broken]))] + ending
                record = taken(release, b"".join(pieces), name=f"m{broken}{ending!r}{share}")
                kept = {name.split("_8k")[0] for name in answers(release, record.name)}
                assert kept == {"q_00010", "q_00011", "q_00020"} - {f"q_000{(10, 11, 20)[broken]}"}
                assert [number for number, _ in lost(record)] == [broken + 1]
                assert "is no whole JSON object" in record.lost[0].reason


@pytest.mark.parametrize(
    ("data", "losses"),
    [
        (b"\xef\xbb\xbf" + WHOLE[0] + b"\r\n\r\n  \n" + WHOLE[1] + b"\r\n" + WHOLE[2], []),
        (WHOLE[0] + WHOLE[1] + b" " + WHOLE[2], []),
        (WHOLE[0] + b"\n\xff\xfe\n" + WHOLE[1] + b"\n" + WHOLE[2], [(2, "no whole JSON object")]),
        (
            WHOLE[0] + b"\n" + line("q_00010_32k").replace(b"Two", b"\xc3(") + b"\n"
            + WHOLE[1] + b"\n" + WHOLE[2],
            [(2, "is not UTF-8")],
        ),
        (b"[1]\nnull\n" + b"\n".join(WHOLE), [(1, "no whole JSON"), (2, "no whole JSON")]),
        (b"[" * 100_000 + b"\n" + b"\n".join(WHOLE), [(1, "no whole JSON object")]),
        (b"\n".join([*WHOLE, WHOLE[1]]), [(4, "q_00011_8k as in line 2")]),
        (
            b"\n".join([*WHOLE, line(response="Three.")]),
            [(4, "q_00010_8k differs from line 1, which is kept")],
        ),
        (
            b"\n".join([line("q_00020_8k", response=None, error="x"), *WHOLE]),
            [(1, "q_00020_8k: a later row has an answer")],
        ),
        (b"\n".join([line("q_9_8k"), *WHOLE]), [(1, "q_9_8k is no item of the release")]),
        (
            b"\n".join([line("q_00010_32k", question_text="Else?"), *WHOLE]),
            [(1, "q_00010_32k asks something else in the release")],
        ),
        (b"\n".join([line("q_00010_32k", response=3), *WHOLE]), [(1, "response: Input should be")]),
        (
            b"\n".join([line("q_00010_32k", response="\ud800"), *WHOLE]),
            [(1, "holds half a character")],
        ),
        (b'{"item_id": "q_00010_32k"}\n' + b"\n".join(WHOLE), [(1, "model: Field required")]),
    ],
)  # fmt: skip
def test_only_what_is_damaged_is_lost(
    release: ReleaseRows, data: bytes, losses: list[tuple[int, str]]
) -> None:
    record = taken(release, data)
    assert set(answers(release)) == {f"q_000{each}_8k audio" for each in (10, 11, 20)}
    assert all(row.text == "Two." for row in answers(release).values())
    assert record.responses == 3
    found = lost(record)
    assert [number for number, _ in found] == [number for number, _ in losses]
    assert all(said in reason for (_, said), (_, reason) in zip(losses, found, strict=True))


def test_a_model_that_was_given_less_is_noted(release: ReleaseRows) -> None:
    taken(release, line(n_audio_clips=5))
    assert answers(release)["q_00010_8k audio"].call.notes == ("5 clips of 7 were given",)


# --- names --------------------------------------------------------------------------------------


def test_each_model_becomes_a_system(release: ReleaseRows, tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    file.write_bytes(WHOLE[0] + b"\n" + line("q_00011_8k", model="another"))
    made = import_predictions(release, [file])
    assert [(each.name, each.responses) for each in made] == [("some/model", 1), ("another", 1)]
    assert list(imported_predictions(release)) == ["another", "some/model"]
    with pytest.raises(UsageError, match="cannot name several models: some/model, another"):
        import_predictions(release, [file], name="both")
    assert import_predictions(release, [file]) == made


def test_names_are_not_taken_twice(release: ReleaseRows) -> None:
    taken(release, WHOLE[0])
    with pytest.raises(UsageError, match=r"other predictions, from predictions\.jsonl"):
        taken(release, WHOLE[0] + b"\n" + WHOLE[1])
    for name in ("abstain", "oracle@x"):
        with pytest.raises(UsageError, match="that of a system that can be asked here"):
            taken(release, WHOLE[0], name=name)
    assert list(answers(release)) == ["q_00010_8k audio"]
    assert predicted_system(release, "unknown") is None


def test_one_file_under_two_names_is_two_systems(release: ReleaseRows) -> None:
    taken(release, WHOLE[0], name="one")
    taken(release, WHOLE[0], name="two")
    for name in ("one", "two"):
        assert {row.system for row in answers(release, name).values()} == {name}


def test_nothing_is_of_the_release(release: ReleaseRows, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no row answers an item of official-.*; line 1 of pred"):
        taken(release, line("q_9_8k"))
    with pytest.raises(UsageError, match="there is no such file"):
        import_predictions(release, [tmp_path / "absent"])
    with pytest.raises(InputError, match="no row answers an item"):
        taken(release, b"")


def test_rows_of_a_truncated_answer() -> None:
    response = Response(
        response_id="r", item_id="q_00010_8k", question_id="q_00010", budget="8K", system="m",
        arm="no-abstention", outcome="truncated", text="Tw", prompt_hash="", error="cut",
    )  # fmt: skip
    from voxmem.interop.official.item import OfficialItem

    made = item() | {"question_audio": None, "sessions": ()}
    row = row_of(OfficialItem.model_validate(made), response, 7, None)
    assert (row["response"], row["error"], row["allow_abstention"]) == ("Tw", None, False)


def test_the_names_of_all_systems_are_known_where_nothing_else_is_imported() -> None:
    """Else predictions could take the name of a control, and its responses could not be found."""
    code = (
        "import voxmem.interop.predictions.load\n"
        "from voxmem.models.registry import SYSTEMS\n"
        "print({'abstain', 'majority', 'listener', 'cascade'} - set(SYSTEMS))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
