"""Models and servers that misbehave: nothing passes silently, nothing fails because of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.models.fake_openai import (
    FakeOpenAI,
    Request,
    Step,
    babbles,
    fails,
    hangs_up,
    says,
    slowly,
)
from tests.quality.gates.families import all_cases, desk, mood, prices, refusal
from tests.quality.gates.mind import Mind, Prompt
from tests.quality.gates.runs import admitted, causes, failures, gate, model
from voxmem.errors import ModelError, UsageError
from voxmem.quality.gates import run_gates
from voxmem.quality.gates.full_history import FullHistory
from voxmem.quality.gates.question_only import QuestionOnly
from voxmem.store.rows import Ledger


class Flaky:
    """Spoils the first try of every request, then answers as another mind does."""

    def __init__(self, mind: Mind, spoil: Callable[[Step], Step]) -> None:
        self.mind = mind
        self.spoil = spoil
        self.seen: dict[str, int] = defaultdict(int)

    def __call__(self, request: Request) -> Step:
        first_turns = json.dumps(request.body["messages"][:2])
        self.seen[first_turns] += 1
        step = self.mind(request)
        return self.spoil(step) if self.seen[first_turns] == 1 else step


def text_of(step: Step) -> str:
    return str(json.loads(step.body)["choices"][0]["message"]["content"])


HALF = rb"\ud83d"
"""Half of a surrogate pair, as JSON escapes it: it can be neither stored nor sent back."""

BROKEN: dict[str, Callable[[Step], Step]] = {
    "prose": lambda step: says("Happy to help! The answer is green."),
    "cut": lambda step: says(text_of(step)[:-9]),
    "cut by the limit": lambda step: says(text_of(step), finish_reason="length"),
    "a field is missing": lambda step: says('{"why": "because"}'),
    "a field too many": lambda step: says(text_of(step)[:-1] + ', "sure": true}'),
    "a key twice": lambda step: says('{"why": "a", ' + text_of(step)[1:]),
    "empty": lambda step: says(""),
    "withheld": lambda step: says("", finish_reason="content_filter"),
    "half a character": lambda step: replace(step, body=says("HALF").body.replace(b"HALF", HALF)),
}

TROUBLE: dict[str, Callable[[Step], Step]] = {
    "rate limit": lambda step: fails(429, headers={"Retry-After": "1"}),
    "server error": lambda step: fails(503),
    "time-out": lambda step: slowly(step, 0.6),
    "no JSON": lambda step: babbles(),
    "hangs up": lambda step: hangs_up(),
}


@pytest.mark.parametrize("spoil", BROKEN.values(), ids=BROKEN.keys())
def test_an_unreadable_reply_is_asked_for_again(
    spoil: Callable[[Step], Step], tmp_path: Path
) -> None:
    cases = [desk()]
    flaky, gates = Flaky(Mind(cases), spoil), (QuestionOnly(), FullHistory())
    with FakeOpenAI(script=flaky) as server:
        outcome = run_gates(cases, model(server.url), Ledger(tmp_path, "gates"), gates=gates)
        asked = [request.body["messages"] for request in server.requests]
    assert admitted(outcome) == ["desk"]
    assert not failures(outcome)
    assert outcome.report.unparsed == 0
    again = [turns for turns in asked if len(turns) == 4]
    assert len(again) == len(asked) - len(again) == 8
    assert "could not be used" in json.dumps(again[0][-1])


@pytest.mark.parametrize("spoil", TROUBLE.values(), ids=TROUBLE.keys())
def test_trouble_on_the_way_is_waited_out(spoil: Callable[[Step], Step], tmp_path: Path) -> None:
    cases = [prices()]
    settings = {"timeout_s": 0.4, "concurrency": 1}
    outcome = gate(
        cases, Flaky(Mind(cases), spoil), tmp_path, settings=settings, gates=(FullHistory(),)
    )
    assert admitted(outcome) == ["prices"]
    assert not failures(outcome)


def test_a_reply_in_a_fence_after_thinking_is_read(tmp_path: Path) -> None:
    class Thinking(Mind):
        def step(self, prompt: Prompt, number: int) -> Step:
            text = json.dumps(self.reply(prompt))
            return says(f"<think>{{so many}} sessions…</think>\n```json\n{text}\n```")

    cases = [mood()]
    assert admitted(gate(cases, Thinking(cases), tmp_path)) == ["mood"]


class Mumbling(Mind):
    """Cannot be read on one question, for its first ``times`` requests of one kind."""

    def __init__(self, cases: Any, question: str, times: int) -> None:
        super().__init__(cases)
        self.question, self.times = question, times

    def step(self, prompt: Prompt, number: int) -> Step:
        mumbles = prompt.schema == "Audit" and prompt.question == self.question
        if mumbles and number <= self.times:
            return says("hm")
        return super().step(prompt, number)


class TestUnreadable:
    def test_one_pass_without_a_reply_costs_a_pass(self, tmp_path: Path) -> None:
        cases = [desk(), prices()]
        outcome = gate(cases, Mumbling(cases, desk().question.text, 3), tmp_path)
        assert admitted(outcome) == ["desk", "prices"]
        assert not failures(outcome)
        assert outcome.report.unparsed == 1
        statuses = {
            each.passes: each.status
            for each in outcome.findings
            if each.question_id == "desk" and each.gate == "full_history"
            if each.status != "not_run"
        }
        assert statuses == {1: "unparsed", 2: "passed", 3: "passed"}
        assert {each.passes for each in outcome.findings if each.question_id == "prices"} == {1, 2}

    def test_it_is_no_check_and_no_failure(self, tmp_path: Path) -> None:
        cases = [desk()]
        outcome = gate(cases, Mumbling(cases, desk().question.text, 3), tmp_path)
        assert all(each.passed for each in outcome.checks)
        assert not [each for each in outcome.checks if each.check == "full_history/reply"]

    def test_passes_that_cannot_be_read_now_and_then_do_not_go_on_for_ever(
        self, tmp_path: Path
    ) -> None:
        class Dozing(Mind):
            """Cannot be read in every other pass."""

            def step(self, prompt: Prompt, number: int) -> Step:
                if prompt.schema == "Audit" and number % 4 != 0:
                    return says("zzz")
                return super().step(prompt, number)

        cases = [desk()]
        outcome = gate(cases, Dozing(cases), tmp_path, undecided="drop", gates=(FullHistory(),))
        assert causes(outcome) == {"desk": "unparsed"}
        read = [each.status for each in outcome.findings if each.status != "not_run"]
        assert read == ["unparsed", "passed", "unparsed", "passed", "unparsed"]

    def test_three_passes_without_a_reply_end_with_an_error_and_keep_the_rest(
        self, tmp_path: Path
    ) -> None:
        cases = [desk(), prices()]
        with pytest.raises(ModelError, match="for 1 of 2 items; full_history") as stopped:
            gate(cases, Mumbling(cases, desk().question.text, 99), tmp_path)
        assert stopped.value.item == "desk"
        with FakeOpenAI(script=Mind(cases)) as server:
            outcome = run_gates(cases, model(server.url), Ledger(tmp_path, "gates"))
            assert len(server.requests) == 2, "only what could not be read is asked again"
        assert admitted(outcome) == ["desk", "prices"]

    def test_undecided_items_may_be_left_out_by_choice(self, tmp_path: Path) -> None:
        source = mood()
        cases = [source, refusal(source), prices()]
        mumbling = Mumbling(cases, source.question.text, 99)
        outcome = gate(cases, mumbling, tmp_path, undecided="drop")
        assert causes(outcome) == {"mood": "unparsed", "mood-ar": "source_dropped"}
        assert outcome.report.dropped == {"unparsed": 1, "source_dropped": 1}
        assert outcome.report.failures == {}

    def test_a_request_that_the_provider_refuses_concerns_one_item(self, tmp_path: Path) -> None:
        class Prudish(Mind):
            def step(self, prompt: Prompt, number: int) -> Step:
                if prompt.question == desk().question.text:
                    return fails(400, "not this", code="content_policy_violation")
                return super().step(prompt, number)

        cases = [desk(), prices()]
        outcome = gate(cases, Prudish(cases), tmp_path, undecided="drop")
        assert causes(outcome) == {"desk": "unparsed"}
        refused = [each for each in outcome.findings if each.status == "unparsed"]
        assert "refuses the request" in refused[0].detail


LIES: dict[str, dict[str, Any]] = {
    "a session that is not there": {"sessions": ["S999"]},
    "no session": {"sessions": []},
    "a quote that nobody said": {"quote": "the desk is mauve"},
    "an empty quote": {"quote": "…"},
    "another answer that is the gold": {"kind": "alternative", "answer": "Green."},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_problem_that_does_not_exist_fails_no_item(lie: dict[str, Any], tmp_path: Path) -> None:
    class Inventing(Mind):
        def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
            if self.asked["Audit", prompt.question] % 2 == 0:
                return []
            label, _, turns = prompt.sessions[0]
            problem = {"kind": "leak", "answer": "green", "sessions": [label]}
            return [problem | {"quote": turns[0].text} | lie]

    cases = [desk()]
    outcome = gate(cases, Inventing(cases), tmp_path)
    assert admitted(outcome) == ["desk"]
    assert not failures(outcome)
    assert outcome.report.replies["full_history"] == 2


def test_the_evidence_leaks_nothing(tmp_path: Path) -> None:
    class Inventing(Mind):
        def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
            if self.asked["Audit", prompt.question] % 2 == 0:
                return []
            (told,) = (told for told in prompt.sessions if "green" in told[2][0].text)
            quote = told[2][0].text
            return [{"kind": "leak", "answer": "green", "sessions": [told[0]], "quote": quote}]

    cases = [desk()]
    assert admitted(gate(cases, Inventing(cases), tmp_path)) == ["desk"]


@pytest.mark.parametrize(
    "contradiction",
    [
        {"verdict": "insufficient", "answer": "green"},
        {"verdict": "determined", "answer": " "},
        {"sessions": ["S1000"]},
    ],
)
def test_a_solution_that_contradicts_itself_is_asked_for_again(
    contradiction: dict[str, Any], tmp_path: Path
) -> None:
    class Confused(Mind):
        def solve(self, prompt: Prompt) -> dict[str, Any]:
            again = self.asked["Solution", prompt.question] % 2 == 0
            return super().solve(prompt) | ({} if again else contradiction)

    cases = [prices()]
    outcome = gate(cases, Confused(cases), tmp_path, settings={"concurrency": 1})
    assert admitted(outcome) == ["prices"]


class TestServersThatCannotBeAsked:
    def stopped(self, step: Step, folder: Path, **settings: Any) -> str:
        mind, cases = Mind(all_cases()), all_cases()
        good = 0

        def script(request: Request) -> Step:
            nonlocal good
            good += 1
            return mind(request) if good <= 5 else step

        with pytest.raises(ModelError) as stopped:
            gate(cases, script, folder, settings={"concurrency": 1, **settings})
        with FakeOpenAI(script=mind) as server:
            run_gates(cases, model(server.url), Ledger(folder, "gates"))
            assert len(server.requests) == 74 - 5, "what was answered before is kept"
        return str(stopped.value)

    def test_down(self, tmp_path: Path) -> None:
        line = self.stopped(fails(500, "out of order"), tmp_path)
        assert "m-1 did not answer" in line
        assert "run the same command again" in line

    def test_always_rate_limited(self, tmp_path: Path) -> None:
        line = self.stopped(fails(429, headers={"Retry-After": "9999"}), tmp_path)
        assert "asks to wait 9999 s" in line

    def test_too_short_a_context(self, tmp_path: Path) -> None:
        step = fails(400, "maximum context length is 8192", code="context_length_exceeded")
        assert "longer context, or smaller budgets" in self.stopped(step, tmp_path)

    def test_no_ears(self, tmp_path: Path) -> None:
        step = fails(400, "audio input is not supported by this model")
        assert "build with text_only" in self.stopped(step, tmp_path)


@pytest.mark.parametrize(
    ("step", "says_what"),
    [
        (fails(401, "who are you?"), "set api_key_env"),
        (fails(404, "no such model"), "correct base_url or model"),
        (fails(400, "unknown field", param="response_format"), "response_format"),
    ],
)
def test_wrong_settings_stop_at_the_first_request(
    step: Step, says_what: str, tmp_path: Path
) -> None:
    cases = all_cases()
    with FakeOpenAI(script=lambda request: step) as server:
        with pytest.raises(UsageError, match=says_what):
            run_gates(cases, model(server.url, concurrency=1), Ledger(tmp_path, "gates"))
        assert len(server.requests) == 1


def test_recordings_are_sent_as_the_server_takes_them(tmp_path: Path) -> None:
    from tests.quality.gates.families import Shelf, spoken

    shelf = Shelf()
    cases = spoken([mood()], shelf)
    with FakeOpenAI(script=Mind(cases, shelf)) as server:
        run_gates(cases, model(server.url), Ledger(tmp_path, "gates"))
        counts = sorted(
            sum(part["type"] == "input_audio" for part in each.body["messages"][1]["content"])
            for each in server.requests
        )
    # Per pass: the shortest history and the question, twice; every user turn of the longest.
    assert [count for count in counts if count] == [9, 9, 9, 9, 12, 12]


def test_one_failure_ends_the_run_but_not_what_is_under_way(tmp_path: Path) -> None:
    """With several requests in flight, those that are answered are kept."""
    cases = [replace(each) for each in all_cases()]
    mind = Mind(cases)
    answered = 0

    def script(request: Request) -> Step:
        nonlocal answered
        if mind.asked.total() >= 8:
            return fails(400, "broken for good")
        answered += 1
        return slowly(mind(request), 0.05)

    with pytest.raises(ModelError):
        gate(cases, script, tmp_path, settings={"concurrency": 4})
    assert len(list((tmp_path / "ledger" / "gates").glob("??/*"))) == answered
