"""Whether a gold can be had without its evidence."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.quality.probes.builders import Bench, Made, probed, task, variant_of
from voxmem.quality.probes import tasks
from voxmem.quality.probes.golds import _halves, _heard_besides
from voxmem.records import AnswerSpace, Gold, Question
from voxmem.taxonomy import AnswerType, EvidenceType

QUESTION = "gold, from the question"
CHANNELS = "gold, from the other channels"


def asked(
    gold: Gold | None, options: tuple[str, ...] = (), *, number: int = 0, form: str = "f"
) -> Question:
    """A question with a gold, whose options are in the question if there are any."""
    (model,) = Bench(1).view().questions
    update: dict[str, Any] = {
        "question_id": f"q{number}",
        "form": form,
        "gold": gold,
        "space": AnswerSpace(options=options, closed=bool(options)),
    }
    return model.model_copy(update=update)


def halves(*golds: Gold, options: tuple[str, ...] = ()) -> list[str | None]:
    """The half that each gold of one form lies in."""
    questions = [asked(gold, options, number=at) for at, gold in enumerate(golds)]
    found = _halves(questions)
    return [found.get(item.question_id) for item in questions]


# --- halves -----------------------------------------------------------------------------------


def test_a_listed_option_lies_in_a_half_of_the_options() -> None:
    options = ("excited", "hesitant", "sad", "tense")
    assert halves(*options, options=options) == ["lower", "lower", "upper", "upper"]
    assert halves("yes", "no", options=("yes", "no")) == ["upper", "lower"]
    # Whatever the golds of other questions are.
    assert halves("sad", "sad", "sad", options=options) == ["upper"] * 3


def test_the_middle_is_left_out() -> None:
    assert halves("a", "b", "c", options=("a", "b", "c")) == ["lower", None, "upper"]
    assert halves(1, 2, 3) == ["lower", None, "upper"]
    assert halves("only") == [None]


def test_other_golds_lie_in_a_half_of_their_forms_golds() -> None:
    assert halves(9, 10, 100, 2) == ["lower", "upper", "upper", "lower"]
    assert halves("b", "a") == ["upper", "lower"]
    assert halves(("a", "b"), ("a", "c"), ("b",), ("c",)) == ["lower", "lower", "upper", "upper"]
    apart = [asked(1, number=1, form="f"), asked(5, number=2, form="g")]
    assert _halves(apart) == {}


# --- from the question ------------------------------------------------------------------------


def _clean(draw: Random, question: Question) -> Question:
    return question


def _telling(draw: Random, question: Question) -> Question:
    """Whoever asks politely means yes."""
    return question.model_copy(
        update={"text": f"{'please tell me' if question.gold == 'yes' else 'say'} what"}
    )


def test_the_question_tells_nothing_unless_it_does() -> None:
    assert probed(Bench(320, ask=_clean).view(), QUESTION).passed
    found = probed(Bench(120, ask=_telling).view(), QUESTION)
    assert not found.passed
    assert found.accuracy > 0.95


def test_yes_no_questions_are_reported_apart() -> None:
    view = Bench(120, ask=_telling).view()
    found = probed(view, "yes or no, from the question")
    assert found.passed
    assert found.detail == "reported only"
    assert found.accuracy > 0.95
    numbers = Bench(6, ask=_numbers).view()
    assert len(task(numbers, "yes or no, from the question").rows) == 0


def _numbers(draw: Random, question: Question) -> Question:
    update = {"answer_type": AnswerType.NUMBER, "gold": draw.randint(1, 4), "space": AnswerSpace()}
    return question.model_copy(update=update)


def test_every_question_is_a_group_of_its_own_and_refusals_are_left_out() -> None:
    view = Bench(20, refusals=10).view()
    asked_of = task(view, QUESTION)
    assert len(asked_of.groups) == len(set(asked_of.groups)) == 20
    assert not [name for name in asked_of.groups if name.endswith("_ar")]
    assert variant_of(view.questions[0]).gold is None


# --- from the other channels ------------------------------------------------------------------


def test_the_own_channel_is_not_looked_at() -> None:
    def loud(made: Made) -> None:
        made.cue, made.sound, made.speaker = "sad", "rain", "p07"

    view = Bench(1, plant=loud).view()
    (question,) = view.questions
    for evidence, own in (
        (EvidenceType.PARALINGUISTIC, "sad"),
        (EvidenceType.ENVIRONMENTAL, "rain"),
        (EvidenceType.SPEAKER_IDENTITY, "p07"),
        (EvidenceType.SPEECH_SEMANTICS, "nothing"),
    ):
        seen = _heard_besides(view, question.model_copy(update={"evidence_type": evidence}))
        words = " ".join(seen)
        assert own not in words
        assert sum(name in words for name in ("sad", "rain", "p07")) == (
            3 if own == "nothing" else 2
        )
        assert seen["form same"] == 1


def test_each_evidence_session_counts_and_no_other_session_does() -> None:
    def at_evidence(made: Made) -> None:
        made.sound = "train" if made.role == "evidence" else "rain"

    view = Bench(1, plant=at_evidence).view()
    seen = _heard_besides(view, view.questions[0])
    assert seen["environmental train"] == seen["same: environmental train"] == 2
    assert not [name for name in seen if "rain" in name and "train" not in name]


@pytest.mark.parametrize("planted", [False, True])
def test_other_channels_tell_nothing_unless_they_do(planted: bool) -> None:
    bench = Bench(120 if planted else 320)
    view = bench.view()
    golds = {item.question_id: item.gold for item in view.questions}
    if planted:
        for name, session in list(view.sessions.items()):
            sound = "siren" if golds[name.partition("_")[0]] == "yes" else None
            turns = tuple(
                turn.model_copy(update={"sound": sound}) if turn.role == "user" else turn
                for turn in session.turns
            )
            bench.sessions[name] = session.model_copy(update={"turns": turns})
    found = probed(view, CHANNELS)
    assert found.passed is not planted
    if planted:
        assert found.accuracy > 0.95


def test_single_evidence_types_are_reported_only() -> None:
    single = [item for item in tasks(Bench(3).view()) if item.name.startswith("gold over")]
    assert {item.name for item in single} == {
        f"gold over {evidence}, from the other channels" for evidence in EvidenceType
    }
    assert not any(item.decides for item in single)
    assert len(next(item for item in single if "paralinguistic" in item.name).rows) == 3
