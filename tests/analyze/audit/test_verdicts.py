"""Verdicts of people: what they are shown, what counts, and what judges are worth by it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.analyze.audit.made import answered, made, response
from tests.quality.audit.made import NOON
from voxmem.analyze.audit.answered import Answered
from voxmem.analyze.audit.tables import judges_against_people
from voxmem.analyze.audit.verdicts.queue import population_of, queue
from voxmem.analyze.audit.verdicts.summary import as_text, summarise
from voxmem.analyze.audit.verdicts.task import VerdictTask
from voxmem.errors import InputError
from voxmem.quality.labelling.sheet import read_sheet, write_sheet

STRICT, MILD = "strict-1", "mild-2"


@pytest.fixture
def given(tmp_path: Path) -> Answered:
    """Two systems. Both say "tea" to the drinks but for one of them once; the judges differ on
    one polar answer; the mild one credits a guess on an item of refusal."""
    rows = made(tmp_path)
    said = [
        *(response(f"drink{at}", "tea") for at in range(4)),
        *(response(f"drink{at}", "tea" if at else "milk", "m1") for at in range(4)),
        *(response(f"polar{at}", f"yes, {at}") for at in range(4)),
        *(response(f"refuse{at}", "tea, I guess") for at in range(2)),
    ]
    wrong = ["m1 drink0", "m0 polar3", "m0 refuse0", "m0 refuse1"]
    return answered(rows, said, {STRICT: wrong, MILD: ["m1 drink0", "m0 refuse0"]})


def say(
    task: VerdictTask, subject: str, verdict: str, annotator: str = "ada", note: str = ""
) -> None:
    fields = {"annotator": annotator, "verdict": verdict, "note": note, "time": NOON}
    task.labels.add(task.check({**task.identity(subject), **fields}))


def test_the_same_words_to_one_question_are_one_thing(given: Answered) -> None:
    population = population_of(given)
    assert len(given.responses) == 14
    assert len(population) == 11
    assert len(population["m0 drink1"].responses) == 2


def test_every_answer_type_is_drawn_and_what_is_disputed_first(given: Answered) -> None:
    population = population_of(given)
    drawn = queue(given, population, 6)
    assert Counter(drawn.strata[name].group for name in drawn.queue) == {
        "categorical": 2,
        "yes_no": 2,
        "refusal": 2,
    }
    assert drawn.strata["m0 polar3"] == ("yes_no", "disputed")
    assert {"m0 polar3", "m0 refuse1"} <= set(drawn.queue)
    assert "m1 drink0" in drawn.queue  # the one that is incorrect


def test_nothing_tells_whose_response_it_is_or_what_judges_say(given: Answered) -> None:
    task = VerdictTask(given)
    shown = task.listing("ada")
    cards = [{k: v for k, v in item.items() if k not in ("id", "key")} for item in shown["items"]]
    text = json.dumps(cards)
    for hidden in ("m0", "m1", "strict", "mild", "8K"):
        assert hidden not in text
    first = next(card for card in cards if card["response"] == "milk")
    assert first["options"] == ["tea", "milk"]
    assert first["reference"] == "tea"
    refused = next(card for card in cards if card["response"] == "tea, I guess")
    assert (refused["refusal"], refused["reference"]) == (True, "insufficient evidence")


def test_a_label_is_of_all_who_said_the_same_and_the_latest_counts(given: Answered) -> None:
    task = VerdictTask(given)
    say(task, "m1 drink1", "incorrect")
    later = {"annotator": "ada", "verdict": "correct", "time": NOON.replace(hour=13)}
    task.labels.add(task.check({**task.identity("m0 drink1"), **later}))
    (labels,) = task.latest().values()
    assert labels["ada"].verdict == "correct"
    assert task.latest().keys() == {"m0 drink1"}


def test_a_response_that_was_made_again_is_read_again(given: Answered) -> None:
    task = VerdictTask(given)
    say(task, "m0 polar0", "correct")
    again = [
        row.model_copy(update={"text": "no"}) if row.response_id == "m0 polar0" else row
        for row in given.responses
    ]
    other = VerdictTask(Answered(given.rows, tuple(again), given.verdicts))
    assert other.latest() == {}
    with pytest.raises(InputError, match="made again"):
        other.check({**task.identity("m0 polar0"), "annotator": "ada", "verdict": "correct"})


def test_judges_are_measured_on_all_responses_by_what_people_say(given: Answered) -> None:
    """People agree with the strict judge but for one drink, which is two responses of fourteen."""
    task = VerdictTask(given)
    wrong = {"m1 drink0", "m0 drink1", "m0 polar3", "m0 refuse0", "m0 refuse1"}
    for name in task.queue:
        say(task, name, "incorrect" if name in wrong else "correct")
    found = summarise(given, task)
    by = {(row.judge, row.group): row for row in found.judges}
    assert by[STRICT, "all"].measured.same.value == pytest.approx(12 / 14)
    assert by[MILD, "all"].measured.same.value == pytest.approx(10 / 14)
    assert by[STRICT, "yes_no"].measured.same.value == 1.0
    assert by[STRICT, "categorical"].measured.same.value == pytest.approx(6 / 8)
    assert by[STRICT, "refusal"].measured.kappa.value is None
    assert by[MILD, "refusal"].measured.same.value == pytest.approx(1 / 2)
    people = {one.group: one for one in found.people}
    assert people["all"].correct.value == pytest.approx(8 / 14)
    assert people["answerable"].correct.value == pytest.approx(8 / 12)
    assert (people["refusal"].responses, people["refusal"].correct.value) == (2, 0.0)
    assert found.progress.lacking == 0
    assert "agrees on 85.7%" in as_text(found)


def test_a_part_of_the_queue_tells_of_its_strata_alone(given: Answered) -> None:
    """One of the four drinks that all call correct stands for the four; it is two responses."""
    task = VerdictTask(given)
    say(task, "m0 drink1", "correct")
    say(task, "m1 drink0", "incorrect")
    say(task, "m0 polar0", "cannot_tell")
    found = summarise(given, task)
    people = {one.group: one for one in found.people}
    assert people["categorical"].correct.value == pytest.approx(8 / 9)
    assert people["yes_no"].correct.value is None
    assert found.progress.unrepresented == pytest.approx(6 / 11)
    assert (found.progress.lacking, found.progress.undecided) == (9, 1)
    assert "54.5% are of strata of which nothing is decided" in as_text(found)


def test_annotators_are_compared_on_refusals_apart(given: Answered) -> None:
    task = VerdictTask(given)
    for name, mine, theirs in (
        ("m0 polar0", "correct", "correct"),
        ("m0 polar1", "incorrect", "incorrect"),
        ("m0 refuse0", "correct", "incorrect"),
    ):
        say(task, name, mine)
        say(task, name, theirs, "bob")
    found = summarise(given, task)
    assert (found.agreement.same, found.agreement.kappa) == (1.0, 1.0)
    assert (found.agreement_on_refusals.same, found.agreement_on_refusals.shared) == (0.0, 1)
    assert found.progress.undecided == 1


def test_nobody_has_judged_and_nobody_has_labelled(given: Answered) -> None:
    bare = Answered(given.rows, given.responses, {})
    task = VerdictTask(bare, 4)
    found = summarise(bare, task)
    assert found.judges == ()
    assert as_text(found).count("\n") == 0


def test_a_sheet_is_taken_away_and_brought_back(given: Answered) -> None:
    task = VerdictTask(given)
    head, *lines = write_sheet(task, "ada").splitlines()
    assert head == (
        "response_id,item_id,sha256,annotator,time,verdict,note,question,options,reference,response"
    )
    lines[0] = lines[0].replace(",ada,,,", ",ada,,correct,")
    lines[1] = lines[1].replace(",ada,,,", ",ada,,maybe,")
    lines[2] = lines[2].replace(",ada,,,", ",ada,,correct,").replace("m", "nobody ", 1)
    lines[3] = lines[3][:60]
    found = read_sheet("\n".join([head, *lines]), task, None, NOON)
    assert (found.added, found.blank) == (1, 7)
    assert [fault.split(":")[0] for fault in found.faults] == ["line 3", "line 4", "line 5"]
    assert "verdict" in found.faults[0]
    assert "there is no response 'nobody 0" in found.faults[1]


def test_a_table_for_the_report(given: Answered) -> None:
    task = VerdictTask(given)
    for name in task.queue:
        say(task, name, "incorrect" if name == "m1 drink0" else "correct")
    table = judges_against_people(summarise(given, task))
    rows = {(row["judge"], row["group"]): row for row in table.records()}
    assert rows["people", "all"]["correct"] == pytest.approx(13 / 14, abs=1e-6)
    assert rows[STRICT, "refusal"]["same"] == 0.0
    assert rows[MILD, "yes_no"]["n"] == 4
    assert "0.0% of the different ones" in table.notes[0]
