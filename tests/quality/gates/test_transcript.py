"""What a prompt shows of a history, and what it must not show."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.quality.gates.families import ME, OTHER, Shelf, all_cases, mood, rain, spoken, tent
from voxmem.messages import AudioPart, TextPart
from voxmem.quality.gates import Case
from voxmem.quality.gates.cases import Scene
from voxmem.quality.gates.labels import draw
from voxmem.quality.gates.renditions import primary
from voxmem.quality.gates.transcript import View, answer_form, ask_text, note_on, tell
from voxmem.records import Cue, Turn
from voxmem.taxonomy import AnswerType
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS

ANNOTATED = View(notes=True)


def shown(case: Case, view: View = ANNOTATED) -> str:
    scene = case.longest
    parts = tell(scene, draw(scene, case.question.asker, "seed"), view)
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))


class TestWords:
    def test_nothing_that_is_heard_is_in_the_plain_transcript(self) -> None:
        for case in all_cases():
            text = shown(case, View(notes=False))
            assert "[" not in text
            assert not re.search(rf"\b({'|'.join((*DELIVERIES, *SOUNDS, *PERSONAS))})\b", text)
            for session in case.longest.sessions.values():
                assert all(turn.text in text for turn in session.turns)

    def test_sessions_stand_in_order_of_time_with_their_times(self) -> None:
        text = shown(mood())
        times = re.findall(r"--- Session S\d+, (\d{4}-\d\d-\d\d \d\d:\d\d) ---", text)
        assert len(times) == 6
        assert times == sorted(times)

    def test_no_id_is_shown(self) -> None:
        case = tent()
        mine = case.sessions["e-tent"].model_copy(update={"session_id": "evidence-1"})
        sessions = {**case.sessions, "evidence-1": mine}
        places = tuple(
            place.model_copy(update={"session_id": "evidence-1"})
            if place.session_id == "e-tent"
            else place
            for place in case.longest.placements
        )
        told = Scene(places, sessions)
        parts = tell(told, draw(told, ME, "seed"), ANNOTATED)
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        assert "The tent is large." in text
        assert not re.search(rf"evidence|haystack|filler|{'|'.join(PERSONAS)}", text)


class TestNotes:
    def test_voice_delivery_and_background(self) -> None:
        assert "vocal state: sad]: I moved the reading lamp upstairs." in shown(mood())
        sounds = "background: rain (kind: weather and water; place: bad weather)]: Let us plan"
        assert sounds in shown(rain())

    def test_what_is_not_there_is_not_noted(self) -> None:
        assert re.search(r"User \[voice [AB]\]: I finally cleaned the garage", shown(mood()))

    def test_one_voice_has_one_letter(self) -> None:
        case = tent()
        labels = draw(case.longest, ME, "seed")
        assert {labels.voices[ME], labels.voices[OTHER]} == {"A", "B"}
        letters = re.findall(r"\[voice (\w)\]: The tent is (\w+)", shown(case))
        assert len({letter for letter, _ in letters}) == 2

    def test_a_cue_on_a_phrase_says_on_which(self) -> None:
        text = "The lamp must be green."
        cue = Cue(dimension="emphasis", value="emphatic", span=(17, 22))
        turn = Turn(role="user", text=text, speaker=ME, cues=(cue,))
        labels = draw(mood().longest, ME, "seed")
        assert note_on(turn, labels).endswith("emphasis: emphatic on “green”")


class TestLabels:
    def test_another_reading_has_other_labels(self) -> None:
        scene = mood().longest
        one, same, other = (draw(scene, ME, "item", number) for number in (1, 1, 2))
        assert one == same
        assert one.sessions != other.sessions
        assert len(set(one.sessions.values())) == len(scene.placements)

    def test_labels_tell_nothing_of_time(self) -> None:
        scene = mood().longest
        ascending = 0
        for seed in range(60):
            numbers = [int(label[1:]) for label in draw(scene, ME, seed).sessions.values()]
            ascending += numbers == sorted(numbers)
        assert ascending < 5, "1 in 720 by chance"

    @pytest.mark.parametrize("written", ["{}", " {} ", "Session {}"])
    def test_a_label_is_found_again(self, written: str) -> None:
        labels = draw(mood().longest, ME, "seed")
        assert labels.session_id(written.format(labels.sessions["e-lamp"])) == "e-lamp"

    def test_an_unknown_label_is_not(self) -> None:
        assert draw(mood().longest, ME, "seed").session_id("S0") is None


class TestQuestion:
    def test_closed_options_are_part_of_it(self) -> None:
        question = mood().question
        text = ask_text(question, ("sad", "tense"), "B")
        assert text.startswith("Question, asked on 2025-09-01 07:44 by voice B: How did I sound")
        assert text.endswith("a word or a short phrase; choose from: sad, tense")

    def test_without_voices_nobody_asks(self) -> None:
        assert "by voice" not in ask_text(mood().question, (), None)

    @pytest.mark.parametrize("kind", AnswerType)
    def test_every_answer_type_has_a_form(self, kind: AnswerType) -> None:
        question = mood().question.model_copy(update={"answer_type": kind})
        assert answer_form(question, ())


class TestRecordings:
    def test_each_user_turn_is_followed_by_its_recording(self) -> None:
        shelf = Shelf()
        (case,) = spoken([mood()], shelf)
        scene = case.longest
        labels = draw(scene, ME, "seed")
        parts = tell(scene, labels, View(notes=False, clip_of=primary(case, scene)))
        heard = [part for part in parts if isinstance(part, AudioPart)]
        assert len(heard) == 2 * len(scene.placements)
        for text, audio in pairwise(parts):
            if isinstance(audio, AudioPart):
                assert isinstance(text, TextPart)
                (spec,) = (s for s, clip in shelf.clips.items() if clip.sha256 == audio.sha256)
                assert text.text.endswith(f"User: {spec.text}")
