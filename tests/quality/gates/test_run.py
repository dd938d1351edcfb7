"""The loop: clean passes, revision, dropping, resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says
from tests.quality.gates.families import (
    Shelf,
    all_cases,
    desk,
    mood,
    prices,
    rain,
    refusal,
    session,
    spoken,
    tent,
)
from tests.quality.gates.mind import Mind, Prompt
from tests.quality.gates.runs import admitted, causes, failures, gate, gate_aloud, model
from voxmem.errors import ConstructionError, ModelError
from voxmem.quality.gates import Finding, another_wording, run_gates
from voxmem.quality.gates.records import GateReport
from voxmem.records import Check, Question
from voxmem.store.root import open_root
from voxmem.store.rows import Ledger

TELLING = "How sad did I sound when I spoke about the reading lamp?"
HARMLESS = "How did I sound when I spoke about the reading lamp?"


def bodies(server: FakeOpenAI) -> list[str]:
    return [json.dumps(each.body, sort_keys=True) for each in server.requests]


class TestGoodItems:
    def test_all_are_admitted_after_two_clean_passes(self, tmp_path: Path) -> None:
        cases = all_cases()
        outcome = gate_aloud(cases, tmp_path)
        assert [each.question_id for each in outcome.admitted] == [
            each.question.question_id for each in cases
        ]
        assert not outcome.dropped
        assert not failures(outcome)
        assert outcome.report.passes == 2
        assert {each.passes for each in outcome.findings} == {1, 2}

    def test_the_second_pass_asks_anew_and_otherwise(self, tmp_path: Path) -> None:
        cases = all_cases()
        mind = Mind(cases)
        with FakeOpenAI(script=mind) as server:
            run_gates(cases, model(server.url), Ledger(tmp_path, "gates"))
            sent = bodies(server)
        assert len(sent) == len(set(sent))
        assert len(sent) % 2 == 0
        assert all(count % 2 == 0 for count in mind.asked.values())

    def test_each_part_of_each_gate_is_run_where_it_fits(self, tmp_path: Path) -> None:
        outcome = gate_aloud(all_cases(), tmp_path)
        parts: dict[str, set[str]] = {}
        for each in outcome.findings:
            if each.status == "passed":
                parts.setdefault(each.question_id, set()).add(each.name)
        words = {"question_only/tries", "answer_validity/whole", "answer_validity/removal"}
        heard = {"acoustic_transcript/words", "acoustic_control/control"}
        whole = {"full_history/recordings"}
        assert parts["mood"] == parts["rain"] == words | heard | whole
        assert parts["prices"] == parts["desk"] == words | whole | {"answer_validity/order"}
        assert parts["mood-ar"] == whole | {"answer_validity/whole"}
        assert parts["tent"] == (words | heard | whole) - {"acoustic_control/control"}
        assert outcome.report.not_run == {"acoustic_control/control: no_exchanged_voice": 2}

    def test_without_speech_what_was_not_run_is_said(self, tmp_path: Path) -> None:
        cases = all_cases()
        outcome = gate(cases, Mind(cases), tmp_path)
        assert len(outcome.admitted) == len(cases)
        assert outcome.report.not_run == {
            "acoustic_control/control: text_only": 6,
            "full_history/recordings: text_only": 12,
        }
        assert not [each for each in outcome.checks if "recordings" in each.check]

    def test_rows_name_the_model_and_the_prompt(self, tmp_path: Path) -> None:
        cases = [mood()]
        outcome = gate(cases, Mind(cases), tmp_path)
        check = next(each for each in outcome.checks if each.check == "question_only/tries")
        assert check.judge == f"m-1 {outcome.report.prompts['question_only'][:12]}"
        assert (check.subject, check.passed, check.threshold) == ("mood", True, 0.25)

    def test_findings_checks_and_report_are_kept_as_they_are(self, tmp_path: Path) -> None:
        cases = [mood(), refusal(mood())]
        outcome = gate(cases, Mind(cases), tmp_path)
        root = open_root(tmp_path)
        root.tables.write("gate_findings", "p", outcome.findings, Finding)
        root.tables.write("family_checks", "p", outcome.checks, Check)
        root.put_json("runs/gates", outcome.report)
        assert root.tables.read("gate_findings", Finding) == list(outcome.findings)
        assert root.tables.read("family_checks", Check) == outcome.checks
        assert GateReport.model_validate(root.get_json("runs/gates")) == outcome.report

    def test_no_cases_need_no_model(self, tmp_path: Path) -> None:
        outcome = run_gates([], model("http://127.0.0.1:9/v1"), Ledger(tmp_path, "gates"))
        assert outcome.report.passes == 0
        assert not outcome.admitted


class Fickle(Mind):
    """Finds fault with one question only when it reads it for the second time."""

    def reply(self, prompt: Prompt) -> dict[str, Any]:
        if prompt.schema == "Audit" and prompt.question == desk().question.text:
            if self.asked["Audit", prompt.question] == 2:
                label, _, turns = prompt.sessions[0]
                quote = turns[0].text
                return {
                    "why": "now I see it",
                    "problems": [
                        {"kind": "leak", "answer": "green", "sessions": [label], "quote": quote}
                    ],
                }
        return super().reply(prompt)


class TestFailures:
    def test_an_item_that_fails_in_the_second_pass_is_not_admitted(self, tmp_path: Path) -> None:
        cases = all_cases()
        outcome = gate(cases, Fickle(cases), tmp_path)
        assert causes(outcome) == {"desk": "full_history/transcript: leak"}
        assert [(each.passes, each.question_id) for each in failures(outcome)] == [(2, "desk")]
        assert len(outcome.admitted) == len(cases) - 1

    def test_a_dropped_source_takes_its_refusal_items_with_it(self, tmp_path: Path) -> None:
        source = mood(TELLING)
        cases = [refusal(source), source, prices()]
        outcome = gate(cases, Mind(cases), tmp_path)
        assert causes(outcome) == {
            "mood": "question_only/tries: wording",
            "mood-ar": "source_dropped",
        }
        assert admitted(outcome) == ["prices"]
        assert outcome.report.dropped == {"question_only/tries: wording": 1, "source_dropped": 1}
        assert outcome.report.admitted == 1

    def test_a_refusal_item_is_dropped_alone(self, tmp_path: Path) -> None:
        cases = [mood(), refusal(mood(), neutral=False)]
        outcome = gate(cases, Mind(cases), tmp_path)
        assert admitted(outcome) == ["mood"]
        assert causes(outcome) == {"mood-ar": "answer_validity/whole: answerable"}

    def test_a_failed_item_is_not_shown_to_dearer_gates(self, tmp_path: Path) -> None:
        cases = [mood(TELLING)]
        mind = Mind(cases)
        gate(cases, mind, tmp_path)
        assert dict(mind.asked) == {("Guess", TELLING): 3}


class TestRevision:
    def test_other_words_begin_again_with_their_refusal_items(self, tmp_path: Path) -> None:
        source = mood(TELLING)
        cases = [source, refusal(source), prices()]
        mind = Mind([*cases, mood(HARMLESS)])
        wordings = {"mood": ("How very excited was I?", TELLING, HARMLESS)}
        outcome = gate(cases, mind, tmp_path, revise=another_wording(wordings))
        assert admitted(outcome) == ["mood", "mood-ar", "prices"]
        assert {each.text for each in outcome.admitted[:2]} == {HARMLESS}
        assert outcome.admitted[0] == source.question.model_copy(update={"text": HARMLESS})
        assert [(each.before, each.after) for each in outcome.revised] == [(TELLING, HARMLESS)]
        assert outcome.report.revised == {"question_only/tries: wording": 1}
        assert [each.wording for each in failures(outcome)] == [TELLING]
        assert all(each.passed for each in outcome.checks), "the last wording failed nowhere"
        assert outcome.report.passes == 3
        clean = {each.passes for each in outcome.findings if each.question_id == "mood-ar"}
        assert clean == {1, 2, 3}
        assert {each.passes for each in outcome.findings if each.question_id == "prices"} == {1, 2}

    def test_when_all_wordings_fail_the_item_is_dropped(self, tmp_path: Path) -> None:
        also = "Did I sound sad when I spoke about the reading lamp, or how?"
        cases = [mood(TELLING)]
        mind = Mind([*cases, mood(also)])
        revise = another_wording({"mood": (TELLING, also)})
        outcome = gate(cases, mind, tmp_path, revise=revise)
        assert causes(outcome) == {"mood": "question_only/tries: wording"}
        assert outcome.report.failures == {"question_only/tries: wording": 2}
        assert [each.passed for each in outcome.checks] == [False]

    def test_no_more_than_two_wordings_are_tried(self, tmp_path: Path) -> None:
        texts = [f"How sad was I, on a scale of {at}, about the reading lamp?" for at in range(9)]
        cases = [mood(texts[0])]
        mind = Mind([mood(text) for text in texts])
        outcome = gate(cases, mind, tmp_path, revise=another_wording({"mood": texts}))
        assert len(outcome.revised) == 2
        assert outcome.report.passes == 3

    def test_what_is_heard_is_not_mended_by_words(self, tmp_path: Path) -> None:
        filler = session("f0", "Green is the best colour for a desk.")
        cases = [desk(filler, *[session(f"f{at}", f"Filler {at}.") for at in (1, 2, 3)])]
        revise = another_wording({"desk": ("What colour is it?", "And its colour?")})
        outcome = gate(cases, Mind(cases), tmp_path, revise=revise)
        assert causes(outcome) == {"desk": "full_history/transcript: leak"}
        assert not outcome.revised

    def test_a_revision_may_change_nothing_but_the_wording(self, tmp_path: Path) -> None:
        def meddle(question: Question, finding: Finding) -> Question:
            return question.model_copy(update={"text": "What?", "gold": "excited"})

        cases = [mood(TELLING)]
        with pytest.raises(ConstructionError, match="wording and nothing else"):
            gate(cases, Mind(cases), tmp_path, revise=meddle)


class TestResuming:
    def test_a_run_that_was_stopped_asks_nothing_twice(self, tmp_path: Path) -> None:
        cases = all_cases()
        with FakeOpenAI(script=Mind(cases)) as server:
            undisturbed = run_gates(cases, model(server.url), Ledger(tmp_path / "a", "gates"))
            needed = bodies(server)

        mind, answered = Mind(cases), []

        def dying(request: Request) -> Step:
            if len(answered) >= 20:
                return fails(500)
            answered.append(json.dumps(request.body, sort_keys=True))
            return mind(request)

        with pytest.raises(ModelError, match="run the same command again") as stopped:
            gate(cases, dying, tmp_path / "b", settings={"concurrency": 2})
        assert stopped.value.item is not None
        with FakeOpenAI(script=mind) as server:
            again = run_gates(cases, model(server.url), Ledger(tmp_path / "b", "gates"))
            assert sorted(bodies(server) + answered) == sorted(needed)
        assert again == undisturbed

    def test_a_finished_run_needs_no_server(self, tmp_path: Path) -> None:
        source = mood(TELLING)
        cases = [source, refusal(source), prices()]
        mind = Mind([*cases, mood(HARMLESS)])
        wordings = {"mood": (TELLING, HARMLESS)}
        first = gate(cases, mind, tmp_path, revise=another_wording(wordings))
        nowhere = model("http://127.0.0.1:9/v1")
        second = run_gates(
            cases, nowhere, Ledger(tmp_path, "gates"), revise=another_wording(wordings)
        )
        assert second == first

    def test_another_model_is_asked_anew(self, tmp_path: Path) -> None:
        cases = [prices()]
        gate(cases, Mind(cases), tmp_path)
        with FakeOpenAI(script=Mind(cases)) as server:
            run_gates(cases, model(server.url, temperature=0.3), Ledger(tmp_path, "gates"))
            assert len(server.requests) == 14

    def test_the_order_in_which_replies_come_changes_nothing(self, tmp_path: Path) -> None:
        cases = [mood(), refusal(mood()), desk()]
        one = gate(cases, Mind(cases), tmp_path / "a", settings={"concurrency": 1})
        many = gate(cases, Mind(cases), tmp_path / "b", settings={"concurrency": 8})
        assert one.findings == many.findings
        assert one.report.replies == many.report.replies


class TestBadInput:
    def test_a_question_given_twice(self, tmp_path: Path) -> None:
        with pytest.raises(ConstructionError, match="mood: the question is given twice"):
            gate([mood(), mood()], says, tmp_path)

    def test_a_history_that_lacks_a_session(self, tmp_path: Path) -> None:
        case = mood()
        sessions = {name: each for name, each in case.sessions.items() if name != "f3"}
        with pytest.raises(ConstructionError, match="lacks session f3"):
            gate([replace(case, sessions=sessions)], says, tmp_path)

    def test_a_question_without_history(self, tmp_path: Path) -> None:
        with pytest.raises(ConstructionError, match="has no history"):
            gate([replace(mood(), histories=())], says, tmp_path)

    def test_a_turn_that_was_never_spoken(self, tmp_path: Path) -> None:
        shelf = Shelf()
        told = spoken([tent(), rain()], shelf)
        shelf.clips = {spec: clip for spec, clip in shelf.clips.items() if spec.sound != "rain"}
        told = [replace(each, recordings=shelf.recordings()) for each in told]
        with pytest.raises(ConstructionError, match="e-picnic: user turn 1 has no recording"):
            gate(told, Mind(told, shelf), tmp_path)
