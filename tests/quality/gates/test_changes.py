"""Changed scenes do what the definition says, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.quality.gates.families import (
    OTHER,
    Shelf,
    all_cases,
    desk,
    mood,
    prices,
    rain,
    spoken,
    tent,
)
from voxmem.quality.gates import Case
from voxmem.quality.gates.changes import removal, reordering
from voxmem.quality.gates.renditions import control
from voxmem.query import About, Named, ReadCue, Reading, Same
from voxmem.records import AnswerSpace, Cue
from voxmem.semantics import Answer, Insufficient
from voxmem.speech.clips import spec_of

SOURCES = [case for case in all_cases() if case.question.gold is not None]
IDS = [case.question.question_id for case in SOURCES]


@pytest.mark.parametrize("case", SOURCES, ids=IDS)
def test_the_histories_bear_the_gold_out(case: Case) -> None:
    for scene in (case.shortest, case.longest):
        assert scene.decide(case.question) == Answer(case.question.gold)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", SOURCES, ids=IDS)
def test_a_removal_takes_one_evidence_session_and_the_gold(case: Case) -> None:
    for number in range(4):
        change = removal(case, case.question.question_id, number)
        assert change is not None
        before = {place.session_id for place in case.longest.placements}
        (gone,) = before - {place.session_id for place in change.scene.placements}
        assert gone in case.question.evidence_session_ids
        assert not change.keeps(case)


def test_passes_remove_different_sessions() -> None:
    what = {removal(prices(), "prices", number).what for number in range(8)}  # type: ignore[union-attr]
    assert what == {"without e-kettle", "without e-toaster"}


def test_order_decides_where_it_is_the_question() -> None:
    for number in range(8):
        change = reordering(desk(), "desk", number)
        assert change is not None
        assert change.decision in (Answer("red"), Answer("blue"))


def test_order_decides_nothing_where_it_is_not() -> None:
    change = reordering(prices(), "prices", 1)
    assert change is not None
    assert change.decision == Answer(75)


def test_a_reordering_keeps_the_times_and_the_other_sessions() -> None:
    case = desk()
    change = reordering(case, "desk", 1)
    assert change is not None
    before, after = case.longest.placements, change.scene.placements
    assert [place.timestamp for place in after] == [place.timestamp for place in before]
    evidence = set(case.question.evidence_session_ids)
    for old, new in zip(before, after, strict=True):
        assert (old.session_id in evidence) == (new.session_id in evidence)
        assert old.session_id == new.session_id or old.session_id in evidence


def test_the_earliest_budget_is_the_first_that_holds_them_all() -> None:
    case = desk()
    assert case.earliest_budget(["f0"]) == "2K"
    assert case.earliest_budget(["f0", "f3"]) == "4K"


class TestControls:
    def heard(self, case: Case, shelf: Shelf) -> dict[tuple[str, int], tuple[str, str, str | None]]:
        (told,) = spoken([case], shelf)
        found = control(told)
        assert not isinstance(found, str)
        assert all(clip.sha256 in shelf.bytes for clip in found.clips.values())
        self.decision = found.scene.decide(case.question)
        return {
            place: (clip.spec.text, clip.sha256, clip.pair_sha256)
            for place, clip in found.clips.items()
        }

    def test_the_cued_turn_is_exchanged_for_its_pair(self) -> None:
        found = self.heard(mood(), Shelf())
        assert list(found) == [("e-lamp", 0)]
        (_, sha, pair) = found["e-lamp", 0]
        assert sha == pair
        assert self.decision == Insufficient("cue_absent")

    def test_every_turn_with_the_sound_is_exchanged_for_its_stem(self) -> None:
        assert list(self.heard(rain(), Shelf())) == [("e-picnic", 0), ("e-picnic", 1)]
        assert self.decision == Insufficient("cue_absent")

    def test_a_delivery_stays_where_the_sound_is_taken_away(self) -> None:
        case = rain()
        picnic = case.sessions["e-picnic"]
        cued = picnic.turns[0].model_copy(update={"cues": mood().sessions["e-lamp"].turns[0].cues})
        picnic = picnic.model_copy(update={"turns": (cued, *picnic.turns[1:])})
        shelf = Shelf()
        (told,) = spoken([replace(case, sessions={**case.sessions, "e-picnic": picnic})], shelf)
        found = control(told)
        assert not isinstance(found, str)
        clip = shelf.clips[spec_of(cued)]
        assert found.clips["e-picnic", 0].sha256 == clip.stem_sha256 != clip.pair_sha256
        assert found.scene.sessions["e-picnic"].turns[0].cues == cued.cues

    @pytest.mark.parametrize(
        ("deliveries", "gold", "silenced"),
        [(("sad", "sad"), "yes", {"e-lamp"}), (("sad", "excited"), "no", {"e-lamp", "r-lamp"})],
    )
    def test_a_comparison_is_silenced_so_that_its_answer_turns(
        self, deliveries: tuple[str, str], gold: str, silenced: set[str]
    ) -> None:
        """Two neutral voices are "the same", a neutral and a sad one are not."""
        case = mood()
        anchors, sessions = [], dict(case.sessions)
        for name, delivery in zip(("e-lamp", "r-lamp"), deliveries, strict=True):
            cue = Cue(dimension="vocal_state", value=delivery)
            turns = sessions[name].turns
            said = (turns[0].model_copy(update={"cues": (cue,)}), *turns[1:])
            sessions[name] = sessions[name].model_copy(update={"turns": said})
            anchors.append((About(entity=sessions[name].entities[0]),))
        reading = Reading(
            select=Named(anchors=tuple(anchors)), read=ReadCue(dimension="vocal_state")
        )
        question = case.question.model_copy(
            update={
                "query": Same(of=reading),
                "gold": gold,
                "space": AnswerSpace(options=("yes", "no"), closed=True),
                "evidence_session_ids": ("e-lamp", "r-lamp"),
            }
        )
        case = replace(case, question=question, sessions=sessions)
        assert case.longest.decide(question) == Answer(gold)
        found = control(spoken([case], Shelf())[0])
        assert not isinstance(found, str)
        assert {name for name, _ in found.clips} == silenced

    def test_without_controls_the_reason_is_given(self) -> None:
        shelf = Shelf()
        (told,) = spoken([mood()], shelf)
        for spec, clip in shelf.clips.items():
            shelf.clips[spec] = clip.model_copy(update={"pair_sha256": None})
        assert control(told) == "no_paired_rendition"

    def test_a_voice_is_exchanged_only_if_all_its_words_are_spoken(self) -> None:
        shelf = Shelf()
        (told,) = spoken([tent()], shelf)
        first, second = tent().sessions["e-tent"].user_turns
        shelf.speak(spec_of(first).model_copy(update={"voice": OTHER}))
        assert control(told) == "no_exchanged_voice"
        shelf.speak(spec_of(second).model_copy(update={"voice": OTHER}))
        found = control(told)
        assert not isinstance(found, str)
        assert {clip.spec.voice for clip in found.clips.values()} == {OTHER}
