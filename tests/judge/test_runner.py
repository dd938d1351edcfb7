"""Model judges over a run: every reply has its true status, and nothing is paid twice."""

from __future__ import annotations

import gc
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.judge.bench import (
    SECRET,
    always,
    answered,
    make_run,
    record,
    says_verdict,
    told,
    write_catalogue,
)
from tests.models.fake_openai import (
    FakeOpenAI,
    Request,
    Step,
    answers,
    babbles,
    fails,
    hangs_up,
    says,
    slowly,
    streams,
)
from voxmem import interruption
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.evaluate.run import Run
from voxmem.judge import make_judge
from voxmem.judge.runner import is_settled, judge_run, judged, part_of, standing, verdicts
from voxmem.models.outcome import Reply
from voxmem.prompts import FILES, load
from voxmem.records import Verdict
from voxmem.store.rows import Ledger

PRICE = {
    "as_of": "2026-01-01",
    "source": "a test",
    "tiers": [{"input_text": 1000.0, "input_audio": 1000.0, "output": 10000.0}],
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Points the judges ``a``, ``b`` and ``c`` at a server."""

    def point(server: FakeOpenAI, **common: Any) -> None:
        settings = {"base_url": server.url, **common.pop("settings", {})}
        write_catalogue(tmp_path, monkeypatch, "a", "b", "c", settings=settings, **common)

    return point


def by_question(rows: list[Verdict]) -> dict[str, Verdict]:
    return {row.item_id.removesuffix("_8k").removesuffix("_8K"): row for row in rows}


# --- what a judge says --------------------------------------------------------------------------

SAID: dict[str, tuple[Step, str]] = {
    "json": (says('{"verdict": "correct"}'), "correct"),
    "other keys": (says('{"why": "it says so", "verdict": "incorrect"}'), "incorrect"),
    "twice": (says('{"verdict":"correct"} … {"verdict":"incorrect"}'), "unparsed"),
    "a boolean": (says('{"verdict": true}'), "correct"),
    "single quotes": (says("{'verdict': 'incorrect'}"), "incorrect"),
    "a full stop": (says('{"verdict": "correct"}.'), "correct"),
    "a fence": (says('```json\n{"verdict": "incorrect"}\n```'), "incorrect"),
    "a bare string": (says('"correct"'), "correct"),
    "without the key": (says('{"answer": "correct"}'), "unparsed"),
    "prose": (says("The reply seems right to me, since it names the lamp."), "unparsed"),
    "thinking": (says('<think>{"verdict": "incorrect"}?</think>{"verdict": "correct"}'), "correct"),
    "another word": (says('{"verdict": "partly"}'), "unparsed"),
    "nothing": (says(""), "unparsed"),
    "no text": (says(None), "unparsed"),
    "cut": (says('{"verdict": "corr', "length"), "unparsed"),
    "thought too long": (says("", "length"), "unparsed"),
    "filtered": (says("", "content_filter"), "unparsed"),
    "a stream": (streams('{"verdict": ', '"correct"}'), "correct"),
}
FAILED: dict[str, Step] = {
    "busy": fails(500),
    "dropped": hangs_up(),
    "malformed": babbles(),
    "refused": fails(400, "cannot do that"),
}


def test_every_reply_has_its_status(tmp_path: Path, judges: Any) -> None:
    steps = [(name, step) for name, (step, _) in SAID.items()] + list(FAILED.items())
    run = make_run(tmp_path / "root", answered(len(steps)), asked=_free(len(steps)))
    expected = [status for _, status in SAID.values()] + ["error"] * len(FAILED)

    def script(request: Request) -> Step:
        return steps[int(record(request)["question"].split()[-1].rstrip("?"))][1]

    with FakeOpenAI(script=script) as server:
        judges(server)
        rows = judge_run(run, make_judge("a"))
        found = {name: row.status for (name, _), row in zip(steps, rows, strict=True)}
        assert found == dict(zip((name for name, _ in steps), expected, strict=True))
        whole = {row.status: row for row in rows}
        assert whole["error"].reply is None
        assert "HTTP 400: cannot do that" in whole["error"].detail
        assert whole["correct"].detail == ""
        assert rows[9].reply == "The reply seems right to me, since it names the lamp."
        assert verdicts(run, make_judge("a")) == rows
        assert not is_settled(run, make_judge("a"))
        sent = len(server.requests)
    with FakeOpenAI(script=always("incorrect")) as again:
        judges(again)
        second = judge_run(run, make_judge("a"))
        assert len(again.requests) == expected.count("unparsed") + expected.count("error")
        assert is_settled(run, make_judge("a"))
    assert sent == len(steps) + 3, "what may pass is tried again, once here"
    assert [row for row in second if row.status == "correct"] == [
        row for row in rows if row.status == "correct"
    ]


def _free(count: int) -> Any:
    from tests.judge.bench import questions

    return [
        each.model_copy(update={"expected_response": "answer", "gold": "x"})
        for each in questions(count)
    ]


def test_a_verdict_says_what_it_rests_on(tmp_path: Path, judges: Any) -> None:
    with FakeOpenAI(script=always("incorrect")) as server:
        judges(server, price=PRICE)
        run = make_run(tmp_path / "root", answered())
        judge = make_judge("a")
        rows = by_question(judge_run(run, judge))
    row, refusal = rows["q00"], rows["q03"]
    assert (row.judge, row.reply) == (judge.identity, '{"verdict": "incorrect"}')
    assert (row.usage.input_tokens, row.usage.output_tokens, row.call.attempts) == (812, 9, 1)
    assert row.call.dollars == pytest.approx(0.812 + 0.09)
    assert (row.rubric, refusal.rubric) == (
        load().answerable_judge.sha256,
        load().ar_judge.sha256,
    )
    assert standing(run, judge).dollars == pytest.approx(20 * 0.902)


# --- what a judge is given ----------------------------------------------------------------------


def test_the_judge_is_given_the_rubric_and_the_record_and_nothing_of_the_history(
    tmp_path: Path, judges: Any
) -> None:
    with FakeOpenAI(script=always()) as server:
        judges(server)
        judge_run(make_run(tmp_path / "root", answered()), make_judge("a"))
        sent = {record(each)["question"]: each for each in server.requests}
    assert len(sent) == 20
    assert not any(SECRET in json.dumps(each.body) for each in sent.values())
    assert all(set(each.body["messages"][-1]) == {"role", "content"} for each in sent.values())
    for number in range(20):
        request = sent[f"What about number {number}?"]
        system, user = request.body["messages"]
        rubric = load().ar_judge if number % 4 == 3 else load().answerable_judge
        assert (system["role"], user["role"]) == ("system", "user")
        assert rubric.text in json.dumps(system, ensure_ascii=False).replace("\\n", "\n").replace(
            '\\"', '"'
        )
        assert record(request)["reply"] == f"It is word{number}, I think so."
        assert ("options" in record(request)) == (number % 4 == 1)


def test_another_folder_of_prompts_is_another_judge(tmp_path: Path, judges: Any) -> None:
    for name, file in FILES.items():
        (tmp_path / file).write_text(f"OFFICIAL {name}")
    prompts = load(tmp_path)
    with FakeOpenAI(script=always()) as server:
        judges(server)
        run = make_run(tmp_path / "root", answered())
        judge_run(run, make_judge("a"))
        rows = judge_run(run, make_judge("a", prompts))
        assert len(server.requests) == 40
        said = Counter(json.dumps(each.body["messages"][0]) for each in server.requests[20:])
    assert sorted(count for text, count in said.items() if "OFFICIAL ar_judge" in text) == [5]
    assert {row.rubric for row in rows} == {
        prompts.answerable_judge.sha256,
        prompts.ar_judge.sha256,
    }


def test_a_failed_response_is_not_judged_and_not_paid_for(tmp_path: Path, judges: Any) -> None:
    replies = answered(6)
    replies["q01"] = Reply(outcome="rejected", error="HTTP 400: no")
    replies["q02"] = Reply(outcome="empty")
    replies["q03"] = Reply(outcome="error", error="HTTP 500")
    replies["q04"] = Reply(outcome="truncated", text="It is the red la")
    with FakeOpenAI(script=always()) as server:
        judges(server)
        rows = by_question(judge_run(make_run(tmp_path / "root", replies), make_judge("a")))
        assert len(server.requests) == 3
    statuses = {name: row.status for name, row in rows.items()}
    assert statuses == {
        "q00": "correct", "q01": "not_judged", "q02": "not_judged", "q03": "not_judged",
        "q04": "correct", "q05": "correct",
    }  # fmt: skip
    assert rows["q01"].detail == "outcome rejected"


# --- nothing is paid twice ----------------------------------------------------------------------


def test_a_second_judging_sends_nothing_and_needs_no_server(tmp_path: Path, judges: Any) -> None:
    run = make_run(tmp_path / "root", answered())
    with FakeOpenAI(script=always()) as server:
        judges(server)
        rows = judge_run(run, make_judge("a"))
    assert judge_run(run, make_judge("a")) == rows, "the server is gone"
    run.rows.root.tables.path("verdicts", part_of(run, make_judge("a"))).unlink()
    assert verdicts(run, make_judge("a")) is None
    assert judge_run(run, make_judge("a")) == rows, "and so is the part: the ledger has them"


def test_an_error_in_between_keeps_what_came_before(tmp_path: Path, judges: Any) -> None:
    def script(request: Request) -> Step:
        return says_verdict() if len(server.requests) <= 16 else fails(401, "the key has expired")

    run = make_run(tmp_path / "root", answered())
    with FakeOpenAI(script=script) as server:
        judges(server, pace={"concurrency": 1})
        with pytest.raises(UsageError, match="the key has expired") as caught:
            judge_run(run, make_judge("a"))
        assert caught.value.stage == "judge"
    standing_now = standing(run, make_judge("a"))
    assert (standing_now.statuses, standing_now.waiting) == ({"correct": 16}, 4)
    assert verdicts(run, make_judge("a")) is None
    with FakeOpenAI(script=always("incorrect")) as server:
        judges(server)
        rows = judge_run(run, make_judge("a"))
        assert len(server.requests) == 4
    assert Counter(row.status for row in rows) == {"correct": 16, "incorrect": 4}


def test_resuming_at_another_pace_gives_the_same(tmp_path: Path, judges: Any) -> None:
    def script(request: Request) -> Step:
        right = "1" in record(request)["question"]
        return slowly(says_verdict("correct" if right else "incorrect"), 0.05)

    with FakeOpenAI(script=script) as server:
        found = []
        for concurrency in (1, 3, 16):
            judges(server, pace={"concurrency": concurrency})
            run = make_run(tmp_path / f"root{concurrency}", answered())
            found.append([(row.item_id, row.status) for row in judge_run(run, make_judge("a"))])
        assert server.most_open > 3
    assert found[0] == found[1] == found[2]


def test_the_same_reply_in_another_run_is_judged_once(tmp_path: Path, judges: Any) -> None:
    with FakeOpenAI(script=always()) as server:
        judges(server, price=PRICE)
        same = dict.fromkeys(answered(), "insufficient evidence")
        first, second = (
            make_run(tmp_path / "root", same, system=system, budget=budget)
            for system, budget in (("one", "8K"), ("two", "16K"))
        )
        judge_run(first, make_judge("a"))
        rows = judge_run(second, make_judge("a"))
        assert len(server.requests) == 20
        third = make_run(tmp_path / "root", {"q00": "insufficient evidence."}, system="three")
        judge_run(third, make_judge("a"))
        assert len(server.requests) == 21, "another reply is another question"
    assert {(row.status, row.call.attempts, row.call.dollars) for row in rows} == {
        ("correct", 0, 0.0)
    }
    assert {row.response_id for row in rows} == {second.response_id(row.item_id) for row in rows}
    total = sum(standing(run, make_judge("a")).dollars or 0 for run in (first, second))
    assert total == pytest.approx(20 * 0.902), "what was paid once is counted once"


def test_judges_are_kept_apart(tmp_path: Path, judges: Any) -> None:
    def script(request: Request) -> Step:
        return says_verdict("correct" if request.body["model"] == "a" else "incorrect")

    run = make_run(tmp_path / "root", answered())
    with FakeOpenAI(script=script) as server:
        judges(server)
        for name in ("a", "b", "rule"):
            judge_run(run, make_judge(name))
        assert len(server.requests) == 40
    found = {name: verdicts(run, make_judge(name)) or [] for name in ("a", "b", "rule")}
    assert {row.status for row in found["a"]} == {"correct"}
    assert {row.status for row in found["b"]} == {"incorrect"}
    assert {row.judge for row in found["b"]} == {make_judge("b").identity}
    assert {row.judge for row in found["rule"]} == {"rule-1"}


def test_a_verdict_that_somebody_else_kept_meanwhile_is_taken(tmp_path: Path, judges: Any) -> None:
    one, two = (
        make_run(tmp_path / "root", answered(3), system=system) for system in ("one", "two")
    )

    def script(request: Request) -> Step:
        if len(server.requests) == 1:
            judge_run(two, make_judge("a"))
        return says_verdict()

    with FakeOpenAI(script=script) as server:
        judges(server)
        found = judged(one, make_judge("a"))
        assert len(server.requests) == 4, "the one that both had begun is paid twice"
    assert (found.statuses, found.waiting) == ({"correct": 3}, 0)
    assert {row.response_id for row in verdicts(one, make_judge("a")) or ()} == {
        one.response_id(f"q{at:02}_8K") for at in range(3)
    }


# --- what stops it ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            fails(400, "Unsupported parameter: 'max_tokens' is not supported with this model.",
                  param="max_tokens", code="unsupported_parameter"),
            "set max_output_tokens_field to max_completion_tokens",
        ),
        (fails(400, "temperature does not support 0", param="temperature"), "set temperature"),
        (fails(401, "no such key"), "no such key"),
        (fails(404, "no such model"), "correct base_url or model"),
    ],
)  # fmt: skip
def test_wrong_settings_stop_before_the_second_request(
    tmp_path: Path, judges: Any, step: Step, said: str
) -> None:
    run = make_run(tmp_path / "root", answered())
    with FakeOpenAI(script=lambda request: step) as server:
        judges(server, pace={"concurrency": 8})
        with pytest.raises(UsageError, match=said):
            judge_run(run, make_judge("a"))
        assert len(server.requests) == 1
    assert run.rows.root.blobs.noted("ledger/judge/intents") == []


def test_a_first_call_that_fails_stops_and_what_always_fails_comes_last(
    tmp_path: Path, judges: Any
) -> None:
    run = make_run(tmp_path / "root", answered())

    def script(request: Request) -> Step:
        return fails(400, "odd") if record(request)["question"].endswith(" 0?") else says_verdict()

    with FakeOpenAI(script=script) as server:
        judges(server)
        found = judged(run, make_judge("a"))
        assert len(server.requests) == 1
        assert (found.stopped, found.gave_up) == ("the first call failed: HTTP 400: odd", True)
        assert (found.statuses, found.waiting, found.is_done) == ({"error": 1}, 19, False)
        again = judged(run, make_judge("a"))
        assert (again.stopped, again.statuses) == (None, {"correct": 19, "error": 1})
        assert again.errors == ("1 × HTTP 400: odd",)


def test_a_judge_that_is_gone_is_left_alone(tmp_path: Path, judges: Any) -> None:
    run = make_run(tmp_path / "root", answered())

    def script(request: Request) -> Step:
        return says_verdict() if len(server.requests) == 1 else fails(503, "gone")

    with FakeOpenAI(script=script) as server:
        judges(server, pace={"concurrency": 1, "failures": 3}, settings={"max_retries": 0})
        found = judged(run, make_judge("a"))
        assert len(server.requests) == 4
    assert found.stopped == "3 calls in a row ended in an error: HTTP 503: gone"
    assert (found.statuses, found.waiting) == ({"correct": 1, "error": 3}, 16)


def test_a_request_to_end_keeps_what_comes(
    tmp_path: Path, judges: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path / "root", answered())

    def script(request: Request) -> Step:
        if len(server.requests) == 4:
            monkeypatch.setattr(interruption, "requested", lambda: True)
        return slowly(says_verdict(), 0.05)

    with FakeOpenAI(script=script) as server:
        judges(server, pace={"concurrency": 2})
        found = judged(run, make_judge("a"))
        assert found.statuses == {"correct": len(server.requests)}
        assert 4 <= len(server.requests) <= 6
    assert found.stopped == "it was interrupted"
    assert standing(run, make_judge("a")).waiting == 20 - len(server.requests)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is heard, also where these tests were started in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_waits_for_what_is_in_flight(
    tmp_path: Path, judges: Any, interruptible: None
) -> None:
    run = make_run(tmp_path / "root", answered())

    def script(request: Request) -> Step:
        if len(server.requests) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return slowly(says_verdict(), 0.2)

    with FakeOpenAI(script=script) as server:
        judges(server, pace={"concurrency": 3})
        with pytest.raises(KeyboardInterrupt):
            judge_run(run, make_judge("a"))
        paid = len(server.requests)
        assert 4 <= paid <= 6
        assert run.rows.root.blobs.noted("ledger/judge/intents") == []
        judge_run(run, make_judge("a"))
        assert len(server.requests) == 20


def test_a_full_disk_is_one_error(
    tmp_path: Path, judges: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run, writes = make_run(tmp_path / "root", answered()), itertools.count()

    def put(ledger: Ledger, key: str, data: bytes) -> bytes:
        if next(writes) > 0:
            time.sleep(0.05)  # all at once
            raise StoreError("the disk is full")
        return data

    monkeypatch.setattr(Ledger, "put_if_absent", put)
    with FakeOpenAI(script=always()) as server:
        judges(server, pace={"concurrency": 4})
        with pytest.raises(StoreError, match="the disk is full"):
            judge_run(run, make_judge("a"))
    gc.collect()
    assert [each.message for each in caplog.records if each.name == "asyncio"] == []
    assert next(writes) > 2, "several were on their way"


def test_a_limit_is_kept(tmp_path: Path, judges: Any) -> None:
    run = make_run(tmp_path / "root", answered())
    said = json.loads(says_verdict().body)
    said["usage"] = {"prompt_tokens": 400, "completion_tokens": 10, "total_tokens": 410}
    with FakeOpenAI(script=lambda request: answers(said)) as server:
        judges(server, price=PRICE, decoding={"max_output_tokens": 20})
        judge = make_judge("a")
        found = judged(run, judge, limit_usd=5.0)
        paid = len(server.requests)
        assert 6 <= paid == found.statuses["correct"] <= 10
        assert found.new_dollars == pytest.approx(paid * 0.5)
        assert found.new_dollars <= 5.0
        assert found.stopped == "one more call could pass the limit in dollars"
        rest = judged(run, judge)
        assert (rest.waiting, len(server.requests)) == (0, 20)
        assert rest.new_dollars == pytest.approx((20 - paid) * 0.5)


def test_a_limit_without_a_price_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = {"base_url": "http://198.51.100.1/v1"}
    write_catalogue(tmp_path, monkeypatch, "a", settings=away)
    run = make_run(tmp_path / "root", answered())
    with pytest.raises(UsageError, match="a limit cannot be kept"):
        judge_run(run, make_judge("a"), limit_usd=1.0)


def test_two_processes_at_one_run(tmp_path: Path, judges: Any) -> None:
    run = make_run(tmp_path / "root", answered())
    with FakeOpenAI(script=always()) as server:
        judges(server)
        judge = make_judge("a")
        with (
            run.rows.root.locked(part_of(run, judge), item="", stage=""),
            pytest.raises(UsageError, match="another process is at it"),
        ):
            judge_run(run, judge)
        assert server.requests == []
        assert len(judge_run(run, judge)) == 20


def test_a_run_without_responses(tmp_path: Path) -> None:
    run = make_run(tmp_path / "root", answered())
    with pytest.raises(InputError, match="no responses to judge"):
        judge_run(Run(run.rows, run.system, "64K"), make_judge("rule"))


def test_progress_is_told(tmp_path: Path, judges: Any) -> None:
    seen: list[tuple[int, int]] = []
    with FakeOpenAI(script=always()) as server:
        judges(server)
        run = make_run(tmp_path / "root", answered() | {"q01": Reply(outcome="empty")})
        judge_run(run, make_judge("a"), heard=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 20) for number in range(1, 21)]


def test_told_is_one_text(tmp_path: Path, judges: Any) -> None:
    with FakeOpenAI(script=always()) as server:
        judges(server)
        judge_run(make_run(tmp_path / "root", answered(1)), make_judge("a"))
        assert told(server.requests[0]).startswith("Grade the reply in this record.")


# --- a process that is killed -------------------------------------------------------------------

JUDGE = """
import sys
from pathlib import Path
from tests.judge.bench import answered, make_run
from voxmem.judge import make_judge
from voxmem.judge.runner import judge_run
judge_run(make_run(Path(sys.argv[1]), answered()), make_judge("a"))
"""


@pytest.mark.slow
def test_a_killed_judging_repeats_at_most_the_calls_in_flight(tmp_path: Path, judges: Any) -> None:
    with FakeOpenAI(script=lambda request: slowly(says_verdict(), 0.1)) as server:
        judges(server, pace={"concurrency": 3})
        process = subprocess.Popen(
            [sys.executable, "-c", JUDGE, str(tmp_path / "root")],
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )
        while len(server.requests) < 10:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
        before = len(server.requests)
        run = make_run(tmp_path / "root", answered())
        answered_all_the_same = run.rows.root.ledger("judge").answered_intents()
        noted = run.rows.root.blobs.noted("ledger/judge/intents")
        lost = len({*noted} - {*answered_all_the_same})
        assert 1 <= lost <= 3
        rows = judge_run(run, make_judge("a"))
        assert len(server.requests) == 20 + lost
        assert before >= 10
    assert Counter(row.status for row in rows) == {"correct": 20}
    assert sum(row.call.possibly_billed for row in rows) == lost
