"""Runs over a release: every item once, and only what failed again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.evaluate.systems import Scripted
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.controls import Abstain, Oracle
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import keep
from voxmem.evaluate.runner import Run, evaluate, items_of, responses
from voxmem.judge import RuleJudge
from voxmem.judge.runner import is_settled, judge_run, part_of, verdicts
from voxmem.models.outcome import Reply
from voxmem.models.told import Told
from voxmem.records import Question, Response, Usage, Verdict


def failing(times: int, only: str = "") -> object:
    """A script that ends in an error the first ``times`` an item is asked about."""

    def script(told: Told, call: int) -> Reply:
        if told.item_id.startswith(only) and call < times:
            return Reply(outcome="error", error="HTTP 500: busy")
        return Reply(outcome="ok", text="yes", usage=Usage(input_tokens=7), finish_reason="stop")

    return script


def test_every_item_is_answered_once(fresh: ReleaseRows) -> None:
    system = Scripted()
    rows = evaluate(Run(fresh, system, "2K"))
    items = [item.item_id for item in fresh.items(["2K"])]
    assert [row.item_id for row in rows] == items
    assert sorted(system.calls) == sorted(items)
    assert {(row.budget, row.system, row.arm, row.outcome) for row in rows} == {
        ("2K", "scripted", "audio", "ok")
    }
    assert [row.text for row in rows] == [f"answer to {name}" for name in items]


def test_a_second_run_sends_nothing(fresh: ReleaseRows) -> None:
    first = Scripted()
    rows = evaluate(Run(fresh, first, "2K"))
    again = Scripted()
    assert evaluate(Run(fresh, again, "2K")) == rows == responses(Run(fresh, again, "2K"))
    assert again.calls == []


def test_what_was_answered_before_a_kill_is_not_asked_for_again(fresh: ReleaseRows) -> None:
    """The part is written at the end; what came in before is in the ledger."""

    class Killed(BaseException):
        pass

    def script(told: Told, call: int) -> Reply:
        if len(first.calls) > 10:
            raise Killed
        return Reply(outcome="ok", text="fine")

    first = Scripted(script)
    with pytest.raises(Killed):
        evaluate(Run(fresh, first, "2K"))
    assert responses(Run(fresh, Scripted(), "2K")) is None
    answered = first.calls[:10]
    second = Scripted()
    rows = evaluate(Run(fresh, second, "2K"))
    assert not set(answered) & set(second.calls)
    assert len(second.calls) == len(rows) - len(answered)
    texts = {row.item_id: row.text for row in rows}
    assert {texts[name] for name in answered} == {"fine"}


def test_only_what_ended_in_an_error_is_asked_again(fresh: ReleaseRows) -> None:
    spoilt = fresh.items(["2K"])[3].item_id
    system = Scripted(failing(1, only=spoilt))  # type: ignore[arg-type]
    run = Run(fresh, system, "2K")
    rows = evaluate(run)
    assert [row.item_id for row in rows if row.outcome == "error"] == [spoilt]
    assert [row.text for row in rows if row.outcome == "error"] == [None]
    assert responses(run) == rows, "an error is a row"
    calls = len(system.calls)
    again = evaluate(run)
    assert system.calls[calls:] == [spoilt]
    assert {row.outcome for row in again} == {"ok"}
    assert responses(run) == again


def test_a_failed_item_is_settled_until_another_try_succeeds(fresh: ReleaseRows) -> None:
    spoilt = fresh.items(["2K"])[3].item_id
    run = Run(fresh, Scripted(failing(1, only=spoilt)), "2K")  # type: ignore[arg-type]
    evaluate(run)
    first = {row.item_id: row.status for row in judge_run(run, RuleJudge())}
    assert first[spoilt] == "not_judged"
    assert verdicts(run, RuleJudge()) is not None
    evaluate(run)
    assert verdicts(run, RuleJudge()) is None
    again = {row.item_id: row.status for row in judge_run(run, RuleJudge())}
    assert again[spoilt] in ("correct", "incorrect")


def test_a_budget_that_the_release_has_not_leaves_nothing(fresh: ReleaseRows) -> None:
    run = Run(fresh, Abstain(), "3K")
    with pytest.raises(UsageError, match="no such budget"):
        evaluate(run)
    assert responses(run) is None


def test_the_ledger_keeps_paid_answers_and_no_errors(fresh: ReleaseRows) -> None:
    spoilt = fresh.items(["2K"])[0].item_id
    run = Run(fresh, Scripted(failing(9, only=spoilt)), "2K")  # type: ignore[arg-type]
    rows = evaluate(run)
    ledger = fresh.root.ledger("evaluate")
    for row in rows:
        kept = ledger.get(row.response_id)
        if row.outcome == "error":
            assert kept is None
        else:
            assert kept is not None
            assert Response.model_validate_json(kept) == row
    assert fresh.root.blobs.noted("ledger/evaluate/intents") == [], "all have ended"


def test_controls_cost_nothing_and_leave_no_ledger(fresh: ReleaseRows) -> None:
    evaluate(Run(fresh, Abstain(), "2K"))
    assert not (fresh.root.path / "ledger").exists()


def test_a_reply_is_kept_whole(fresh: ReleaseRows) -> None:
    (row, *_) = evaluate(Run(fresh, Scripted(failing(0)), "2K"))  # type: ignore[arg-type]
    assert (row.text, row.finish_reason, row.usage.input_tokens) == ("yes", "stop", 7)
    assert len(row.prompt_hash) == 64


@pytest.mark.parametrize("outcome", ["empty", "truncated", "blocked", "rejected"])
def test_an_outcome_that_is_no_error_is_final(fresh: ReleaseRows, outcome: str) -> None:
    text = "half an ans" if outcome == "truncated" else None
    system = Scripted(lambda item, call: Reply(outcome=outcome, text=text))  # type: ignore[arg-type]
    run = Run(fresh, system, "2K")
    rows = evaluate(run)
    assert evaluate(run) == rows
    assert len(system.calls) == len(rows)


def test_responses_are_kept_apart_by_all_that_decides_them(fresh: ReleaseRows) -> None:
    runs = [
        Run(fresh, Scripted(), "2K"),
        Run(fresh, Scripted(), "4K"),
        Run(fresh, Scripted(), "2K", "no-abstention"),
        Run(fresh, Scripted(revision="2"), "2K"),
        Run(fresh, Scripted(name="other"), "2K"),
        Run(fresh, Oracle("oracle"), "2K"),
    ]
    assert len({run.part for run in runs}) == len(runs)
    item = fresh.items(["2K"])[0]
    ids = {run.response_id(item.item_id) for run in runs if run.budget == "2K"}
    assert len(ids) == len(runs) - 1
    assert Run(fresh, Scripted(), "2K").part == runs[0].part
    for run in runs:
        evaluate(run)
    assert len(fresh.root.tables.parts("responses")) == len(runs)


# --- judging ----------------------------------------------------------------------------------


class Counting:
    """A judge that counts what it reads."""

    name = "counting"
    version = "1"

    def __init__(self, status: str = "correct", version: str = "1") -> None:
        self.status, self.version, self.read = status, version, 0

    @property
    def identity(self) -> str:
        return f"{self.name} {self.version}"

    def judge(self, question: Question, response: Response) -> Verdict:
        self.read += 1
        assert question.question_id == response.question_id
        return Verdict(
            response_id=response.response_id,
            item_id=response.item_id,
            judge=self.identity,
            status=self.status,  # type: ignore[arg-type]
        )


def test_every_response_has_one_verdict_and_is_read_once(fresh: ReleaseRows) -> None:
    run, judge = Run(fresh, Abstain(), "2K"), Counting()
    rows = evaluate(run)
    judged = judge_run(run, judge)
    assert [verdict.response_id for verdict in judged] == [row.response_id for row in rows]
    assert judge_run(run, judge) == judged == verdicts(run, judge)
    assert judge.read == len(rows)


def test_one_judge_never_overwrites_another(fresh: ReleaseRows) -> None:
    run = Run(fresh, Abstain(), "2K")
    evaluate(run)
    judges = [Counting("correct"), Counting("incorrect", version="2"), RuleJudge()]
    assert len({part_of(run, judge) for judge in judges}) == 3
    for judge in judges:
        judge_run(run, judge)
    first, second = (verdicts(run, judge) for judge in judges[:2])
    assert first is not None
    assert second is not None
    assert {row.status for row in first} == {"correct"}
    assert {row.status for row in second} == {"incorrect"}


def test_other_responses_have_other_verdicts(fresh: ReleaseRows) -> None:
    judge = Counting()
    parts = {
        part_of(Run(fresh, system, budget), judge)
        for system in (Abstain(), Oracle("oracle"))
        for budget in ("2K", "4K")
    }
    assert len(parts) == 4


@pytest.mark.parametrize("status", ["unparsed", "error"])
def test_a_verdict_that_could_not_be_had_is_asked_for_again(
    fresh: ReleaseRows, status: str
) -> None:
    run, judge = Run(fresh, Abstain(), "2K"), Counting(status)
    evaluate(run)
    judge_run(run, judge)
    assert {row.status for row in verdicts(run, judge) or ()} == {status}, "it is a row"
    assert not is_settled(run, judge)
    judge.status = "correct"
    assert {row.status for row in judge_run(run, judge)} == {"correct"}
    assert is_settled(run, judge)


def test_a_run_that_is_not_finished_is_not_judged(fresh: ReleaseRows) -> None:
    never = Run(fresh, Abstain(), "2K")
    with pytest.raises(InputError, match="no responses to judge") as caught:
        judge_run(never, Counting())
    assert caught.value.item == "abstain 2K"
    assert "evaluate it first" in str(caught.value)


def test_of_several_that_keep_rows_at_once_none_loses_any(fresh: ReleaseRows) -> None:
    run = Run(fresh, Scripted(), "2K")
    rows = [run.row(item, Reply(outcome="ok", text="in May")) for item in items_of(run)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda row: keep(run, [row]), rows))
    assert responses(run) == rows
