"""Classes of people: what they are shown, what counts, and what auditors are worth by it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.analyze.audit.made import made, read, response
from tests.quality.audit.made import NOON
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.attribution.records import Attribution, ErrorClass
from voxmem.analyze.audit.errors.attributed import Attributed
from voxmem.analyze.audit.errors.conversation import conversation
from voxmem.analyze.audit.errors.summary import as_text, summarise
from voxmem.analyze.audit.errors.task import ErrorTask
from voxmem.evaluate.items import ReleaseRows
from voxmem.quality.labelling.sheet import write_sheet
from voxmem.records import Response

AUDITOR = "rule-1"


def found_by(row: Response, error_class: ErrorClass | None) -> Attribution:
    return Attribution(
        **row.model_dump(include={"response_id", "item_id", "question_id", "budget"}),
        system=row.system,
        arm=row.arm,
        auditor=AUDITOR,
        error_class=error_class,
    )


@pytest.fixture
def given(tmp_path: Path) -> Attributed:
    """Five errors; two systems give the same wrong answer to one item. The auditor could not read
    one of them."""
    rows = made(tmp_path)
    classes: dict[Response, ErrorClass | None] = {
        response("drink0", "<i>milk</i>"): "binding",
        response("drink0", "<i>milk</i>", "m1"): "binding",
        response("drink1", "beer"): "unsupported",
        response("polar0", "no"): "operation",
        response("polar1", "no"): None,
    }
    verdicts = read(classes, "rule-1", [row.response_id for row in classes])
    errors = tuple(
        Scored(rows.asked[row.question_id], row, verdicts[row.response_id]) for row in classes
    )
    records = {row.response_id: found_by(row, one) for row, one in classes.items()}
    return Attributed(rows, errors, {AUDITOR: records})


def say(task: ErrorTask, subject: str, error_class: str, annotator: str = "ada") -> None:
    fields = {"annotator": annotator, "error_class": error_class, "time": NOON}
    task.labels.add(task.check({**task.identity(subject), **fields}))


def test_the_whole_conversation_is_shown_and_who_answered_is_not(given: Attributed) -> None:
    task = ErrorTask(given)
    assert len(task.queue) == 4
    shown = task.details("m0 drink0")
    filler, evidence = shown["sessions"]
    assert (filler["mark"], evidence["mark"]) == ("filler", "evidence")
    assert evidence["sounds"] == [["rain", *evidence["sounds"][0][1:]]]
    told, reply = evidence["turns"]
    assert (told["who"], told["cues"], reply["who"]) == ("Speaker 2", [["happy", ""]], "Assistant")
    assert told["audio"] in task.audible
    assert task.audio(told["audio"]).kind == "audio/flac"
    cards = [task.card(name) | task.about(name) for name in task.queue]
    for hidden in ("m0", "m1", AUDITOR, "binding"):
        assert hidden not in json.dumps([cards, shown])


def test_auditors_are_measured_by_class(given: Attributed) -> None:
    """People disagree on the beer; the error that two systems made counts twice."""
    task = ErrorTask(given)
    for name, one in {
        "m0 drink0": "binding",
        "m0 drink1": "recognition",
        "m0 polar0": "operation",
        "m0 polar1": "operation",
    }.items():
        say(task, name, one)
    found = summarise(given, task)
    (auditor,) = found.auditors
    assert (auditor.measured.n, auditor.unread) == (3, 1)
    assert auditor.measured.same.value == pytest.approx(3 / 4)
    assert auditor.measured.kappa.value == pytest.approx((3 / 4 - 5 / 16) / (1 - 5 / 16))
    classes = {one.error_class: one for one in auditor.classes}
    assert (classes["binding"].people, classes["binding"].both) == (1, 1)
    assert (classes["unsupported"].auditor, classes["unsupported"].right.value) == (1, 0.0)
    assert classes["recognition"].found.value == 0.0
    people = {one.error_class: one.share.value for one in found.people}
    assert people["operation"] == pytest.approx(2 / 5)
    assert people["binding"] == pytest.approx(2 / 5)
    assert "0 of 1 of people's, of 0 of its own" in as_text(found)


def test_every_cell_is_given_as_many_places(own_demo_errors: Attributed) -> None:
    task = ErrorTask(own_demo_errors, 6)
    cells = Counter(task.sample.strata[name].group for name in task.queue)
    groups = {stratum.group for stratum in task.sample.strata.values()}
    assert sum(cells.values()) == 6
    assert max(cells.values()) - min(cells.get(group, 0) for group in groups) <= 1


@pytest.fixture
def own_demo_errors(rows: ReleaseRows, scored: list[Scored], tmp_path: Path) -> Attributed:
    wrong = [
        row
        for row in scored
        if row.question.gold is not None and row.verdict.status == "incorrect" and row.response.text
    ]
    return Attributed(rows, tuple(wrong), {})


def test_of_a_release_that_is_annotated_speakers_and_cues_are_shown(rows: ReleaseRows) -> None:
    history = next(one for one in rows.histories if rows.asked[one.question_id].gold is not None)
    shown = conversation(rows, history)
    assert shown["asker"].startswith("Speaker ")
    assert len(shown["sessions"]) == len(history.placements)
    for session, place in zip(shown["sessions"], history.placements, strict=True):
        turns = rows.sessions[place.session_id].turns
        assert [turn["text"] for turn in session["turns"]] == [turn.text for turn in turns]
        assert all(bool(turn["audio"]) is (turn["who"] != "Assistant") for turn in session["turns"])


def test_a_release_of_text_alone_has_nothing_to_hear(rows: ReleaseRows) -> None:
    tables = {name: held for name, held in rows.release.tables.items() if name != "clips"}
    silent = ReleaseRows(rows.root, rows.release.model_copy(update={"tables": tables}))
    shown = conversation(silent, silent.histories[0])
    assert shown["question_audio"] is None
    assert {turn["audio"] for session in shown["sessions"] for turn in session["turns"]} == {None}


def test_a_sheet_holds_the_conversation(given: Attributed) -> None:
    text = write_sheet(ErrorTask(given), None)
    assert "[EVIDENCE]" in text
    assert "I drink <b>tea</b> here." in text
