"""Each gate finds the fault that it is there for, planted in what it reads or hears."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.quality.gates.families import (
    ME,
    OTHER,
    Shelf,
    desk,
    mood,
    prices,
    rain,
    refusal,
    retold,
    session,
    spoken,
    tent,
)
from tests.quality.gates.mind import Mind, Prompt
from tests.quality.gates.runs import admitted, causes, failures, gate
from voxmem.quality.gates import Case, another_wording
from voxmem.quality.gates.answer_validity import AnswerValidity
from voxmem.quality.gates.full_history import FullHistory
from voxmem.quality.gates.question_only import QuestionOnly
from voxmem.records import AnswerSpace, ClipSpec
from voxmem.speech.clips import spec_of


class TestQuestionOnly:
    def test_a_wording_that_gives_the_gold_away(self, tmp_path: Path) -> None:
        cases = [mood("How sad did I sound when I spoke about the reading lamp?")]
        outcome = gate(cases, Mind(cases), tmp_path)
        assert causes(outcome) == {"mood": "question_only/tries: wording"}
        (failure,) = failures(outcome)
        assert (failure.value, failure.threshold) == (1.0, 0.25)
        assert "it says so" in failure.detail

    def test_a_wording_that_names_another_answer_is_harmless(self, tmp_path: Path) -> None:
        cases = [mood("Did I sound excited when I spoke about the reading lamp, or how?")]
        assert admitted(gate(cases, Mind(cases), tmp_path)) == ["mood"]

    def test_world_knowledge(self, tmp_path: Path) -> None:
        class Reader(Mind):
            def guess(self, prompt: Prompt) -> dict[str, Any]:
                return {"why": "everybody knows", "basis": "world_knowledge", "answer": "75"}

        cases = [prices()]
        outcome = gate(cases, Reader(cases), tmp_path)
        assert causes(outcome) == {"prices": "question_only/tries: world_knowledge"}

    @pytest.mark.parametrize(
        ("options", "dropped"),
        [
            (("red", "blue", "green", "black"), {}),
            ((*map(str, range(24)), "green"), "question_only/tries: prior"),
        ],
    )
    def test_a_guess_that_always_hits_counts_only_where_luck_is_rare(
        self, tmp_path: Path, options: tuple[str, ...], dropped: Any
    ) -> None:
        class Biased(Mind):
            def guess(self, prompt: Prompt) -> dict[str, Any]:
                return {"why": "green it is", "basis": "guess", "answer": "green"}

        told = desk()
        space = AnswerSpace(options=options)
        cases = [replace(told, question=told.question.model_copy(update={"space": space}))]
        outcome = gate(cases, Biased(cases), tmp_path, gates=(QuestionOnly(),))
        assert causes(outcome) == ({"desk": dropped} if dropped else {})

    def test_blind_hits_are_compared_with_chance_over_all_items(self, tmp_path: Path) -> None:
        class Biased(Mind):
            def guess(self, prompt: Prompt) -> dict[str, Any]:
                return {"why": "sad it is", "basis": "guess", "answer": "sad"}

        cases = [mood()]
        outcome = gate(cases, Biased(cases), tmp_path, gates=(QuestionOnly(),))
        (blind,) = outcome.report.blind
        assert (blind.readings, blind.hits, blind.chance) == (2, 2.0, 0.5)


class TestAcousticTranscript:
    def test_words_that_betray_the_delivery(self, tmp_path: Path) -> None:
        told = retold(mood(), "e-lamp", "I am so sad that the reading lamp is gone.")
        cases = [replace(told)]
        mind = Mind([told])
        outcome = gate(cases, mind, tmp_path)
        assert causes(outcome) == {"mood": "acoustic_transcript/words: transcript_suffices"}
        (failure,) = failures(outcome)
        assert failure.value == 1.0

    def test_it_is_not_mended_by_another_wording(self, tmp_path: Path) -> None:
        told = retold(mood(), "e-lamp", "I am so sad that the reading lamp is gone.")
        revise = another_wording({"mood": ("How was I?", "And how did I sound?")})
        assert not gate([told], Mind([told]), tmp_path, revise=revise).revised

    def test_a_hunch_is_no_proof_where_luck_is_likely(self, tmp_path: Path) -> None:
        class Guessing(Mind):
            def solve(self, prompt: Prompt) -> dict[str, Any]:
                if prompt.acoustic:
                    return super().solve(prompt)
                return {"why": "a hunch", "verdict": "likely", "answer": "sad", "sessions": []}

        cases = [mood()]
        assert admitted(gate(cases, Guessing(cases), tmp_path)) == ["mood"]

    def test_the_words_of_speech_are_meant_to_suffice(self, tmp_path: Path) -> None:
        outcome = gate([prices()], Mind([prices()]), tmp_path)
        assert "acoustic_transcript" not in {each.gate for each in outcome.findings}


class TestAnswerValidity:
    def test_words_that_say_something_else_than_the_annotation(self, tmp_path: Path) -> None:
        dearer = "The kettle was 35, all told."
        mind = Mind([prices()])
        kettle = session("e-kettle", dearer, about="the kettle", says=("price", 35))
        mind.meaning[dearer] = (kettle, kettle.turns[0])
        outcome = gate([retold(prices(), "e-kettle", dearer)], mind, tmp_path)
        assert causes(outcome) == {"prices": "answer_validity/whole: other_answer"}
        assert "determined '80'" in failures(outcome)[0].detail

    def test_words_that_say_nothing(self, tmp_path: Path) -> None:
        told = retold(prices(), "e-kettle", "The kettle was a bargain.")
        outcome = gate([told], Mind([prices()]), tmp_path)
        assert causes(outcome) == {"prices": "answer_validity/whole: no_answer"}

    def test_an_answer_that_is_only_likely(self, tmp_path: Path) -> None:
        class Unsure(Mind):
            def solve(self, prompt: Prompt) -> dict[str, Any]:
                return super().solve(prompt) | {"verdict": "likely"}

        outcome = gate([prices()], Unsure([prices()]), tmp_path)
        assert causes(outcome) == {"prices": "answer_validity/whole: not_unique"}

    def test_a_gold_that_outlives_its_evidence(self, tmp_path: Path) -> None:
        """A filler states the last colour again; its annotation does not say so."""
        again = "The desk stays in the colour of grass."
        told = desk(
            session("f0", "Nothing new."),
            session("f1", again),
            session("f2", "Really nothing."),
            session("f3", "Nothing at all."),
        )
        mind = Mind([told])
        meant = session("f1", again, about="the desk", says=("colour", "green"))
        mind.meaning[again] = (meant, meant.turns[0])
        outcome = gate([told], mind, tmp_path, gates=(AnswerValidity(),))
        (failure,) = failures(outcome)
        assert (failure.reason, failure.value) == ("survives_removal", 0.0)
        assert "without e-desk2, where the definition says 'blue'" in failure.detail

    def test_a_gold_that_outlives_its_order(self, tmp_path: Path) -> None:
        class Timeless(Mind):
            """Takes green for the answer wherever it stands."""

            def solve(self, prompt: Prompt) -> dict[str, Any]:
                found = super().solve(prompt)
                green = any(
                    "green" in turn.text for _, _, turns in prompt.sessions for turn in turns
                )
                return found | {"answer": "green"} if green else found

        outcome = gate([desk()], Timeless([desk()]), tmp_path)
        assert causes(outcome) == {"desk": "answer_validity/order: survives_order"}

    def test_an_answer_that_depends_on_order_where_it_must_not(self, tmp_path: Path) -> None:
        class FirstOnly(Mind):
            """Gives up when the toaster comes first."""

            def solve(self, prompt: Prompt) -> dict[str, Any]:
                texts = [turns[0].text for _, _, turns in prompt.sessions]
                kettle, toaster = "The kettle was 30.", "The toaster was 45."
                if {kettle, toaster} <= set(texts) and texts.index(toaster) < texts.index(kettle):
                    return {"why": "?", "verdict": "determined", "answer": "15", "sessions": []}
                return super().solve(prompt)

        outcome = gate([prices()], FirstOnly([prices()]), tmp_path)
        assert causes(outcome) == {"prices": "answer_validity/order: changed_by_order"}

    def test_a_refusal_item_with_an_answer(self, tmp_path: Path) -> None:
        cases = [refusal(mood(), neutral=False)]
        outcome = gate(cases, Mind(cases), tmp_path)
        assert causes(outcome) == {"mood-ar": "answer_validity/whole: answerable"}


class TestAcousticControl:
    @pytest.mark.parametrize("told", [mood(), rain()], ids=["delivery", "sound"])
    def test_a_control_that_still_has_the_cue(self, told: Case, tmp_path: Path) -> None:
        shelf = Shelf()
        cases = spoken([told], shelf, faulty_controls=True)
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        name = told.question.question_id
        assert causes(outcome) == {name: "acoustic_control/control: control_suffices"}
        assert "primary yields the gold" in failures(outcome)[0].detail

    def test_what_the_primary_yields_does_not_decide(self, tmp_path: Path) -> None:
        """A listener who hears nothing special lets the item pass: that is not this gate's part."""
        shelf = Shelf()
        cases = spoken([mood()], shelf)
        for sha, spec in shelf.heard.items():
            shelf.heard[sha] = spec.model_copy(update={"delivery": "neutral"})
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        assert admitted(outcome) == ["mood"]
        found = [each for each in outcome.findings if each.gate == "acoustic_control"]
        assert all("primary does not yield the gold" in each.detail for each in found)

    def tent_in_another_voice(self, shelf: Shelf) -> list[Case]:
        cases = spoken([tent()], shelf)
        for turn in tent().sessions["e-tent"].user_turns:
            shelf.speak(spec_of(turn).model_copy(update={"voice": OTHER}))
        return cases

    def test_voices_are_exchanged_where_the_words_are_spoken_by_another(
        self, tmp_path: Path
    ) -> None:
        shelf = Shelf()
        cases = self.tent_in_another_voice(shelf)
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        assert admitted(outcome) == ["tent"]
        found = [each for each in outcome.findings if each.gate == "acoustic_control"]
        assert [each.status for each in found] == ["passed", "passed"]
        assert not outcome.report.not_run

    def test_an_exchanged_voice_that_is_still_the_askers(self, tmp_path: Path) -> None:
        shelf = Shelf()
        cases = self.tent_in_another_voice(shelf)
        said = {turn.text for turn in tent().sessions["e-tent"].user_turns}
        for sha, spec in list(shelf.heard.items()):
            if spec.text in said:
                shelf.heard[sha] = spec.model_copy(update={"voice": ME})
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        assert causes(outcome) == {"tent": "acoustic_control/control: control_suffices"}

    def test_a_question_that_is_not_spoken_has_no_voice_to_compare(self, tmp_path: Path) -> None:
        shelf = Shelf()
        cases = self.tent_in_another_voice(shelf)
        del shelf.clips[ClipSpec(text=tent().question.text, voice=ME)]
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        assert outcome.report.not_run == {"acoustic_control/control: question_not_spoken": 2}


class TestFullHistory:
    @pytest.mark.parametrize(("filler", "budget"), [("f0", "2K"), ("f1", "2K"), ("f3", "4K")])
    def test_a_leak_names_the_earliest_budget(
        self, filler: str, budget: str, tmp_path: Path
    ) -> None:
        told = retold(desk(), filler, "Somebody said that green suits a desk best.")
        outcome = gate([told], Mind([told]), tmp_path)
        (failure,) = failures(outcome)
        assert failure.cause == "full_history/transcript: leak"
        assert (failure.sessions, failure.budget) == ((filler,), budget)
        assert f"from {budget} on" in failure.as_check().detail  # type: ignore[union-attr]

    def test_a_leak_in_a_reply_of_the_assistant(self, tmp_path: Path) -> None:
        class Reader(Mind):
            def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
                label = next(label for label, _, turns in prompt.sessions if "dog" in turns[0].text)
                quote = "noted, thank you (f1)"
                return [{"kind": "leak", "answer": "green", "sessions": [label], "quote": quote}]

        outcome = gate([desk()], Reader([desk()]), tmp_path)
        assert failures(outcome)[0].sessions == ("f1",)

    def test_another_answer_that_needs_two_sessions(self, tmp_path: Path) -> None:
        class Reader(Mind):
            def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
                labels = [
                    label
                    for label, _, turns in prompt.sessions
                    if "garage" in turns[0].text or "sleeping" in turns[0].text
                ]
                return [
                    {
                        "kind": "alternative",
                        "answer": "black",
                        "sessions": labels,
                        "quote": "cleaned the garage",
                    }
                ]

        outcome = gate([desk()], Reader([desk()]), tmp_path)
        (failure,) = failures(outcome)
        assert failure.reason == "alternative"
        assert (failure.sessions, failure.budget) == (("f0", "f3"), "4K")

    def test_a_refusal_item_that_can_be_answered(self, tmp_path: Path) -> None:
        shelf = Shelf()
        cases = spoken([refusal(mood(), neutral=False)], shelf)
        outcome = gate(cases, Mind(cases, shelf), tmp_path, gates=(FullHistory(),))
        (failure,) = failures(outcome)
        assert failure.cause == "full_history/recordings: answerable"
        assert (failure.sessions, failure.budget) == (("e-lamp-n",), "2K")

    def test_a_cue_that_is_heard_against_its_note(self, tmp_path: Path) -> None:
        """The refusal item's recording is not neutral although its note says so."""
        shelf = Shelf()
        cases = spoken([refusal(mood())], shelf)
        said = cases[0].sessions["e-lamp-n"].turns[0].text
        for sha, spec in list(shelf.heard.items()):
            if spec.text == said:
                shelf.heard[sha] = spec.model_copy(update={"delivery": "sad"})
        outcome = gate(cases, Mind(cases, shelf), tmp_path)
        assert causes(outcome) == {"mood-ar": "full_history/recordings: answerable"}
