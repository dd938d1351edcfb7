"""Every task form gives plans that test what they claim to test."""

from __future__ import annotations

import re
from collections import Counter
from statistics import mean

import pytest

from tests.plan.builders import FORMS, HOUSE, draft, planned
from voxmem.config import DEMO
from voxmem.errors import ConstructionError
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import MAX_EVIDENCE_TURNS
from voxmem.plan.examples import examples
from voxmem.plan.forms import FORMS as REGISTRY
from voxmem.plan.forms import add, load
from voxmem.plan.validate import at_budget, check
from voxmem.taxonomy import ROUTES, AnswerType, EvidenceType, Operation
from voxmem.vocabulary import CONFUSABLE, PERSONAS, SOUNDS

INDICES = (0, 1, 5)
MANY = range(12)


def test_every_route_has_a_form() -> None:
    assert {form.route for form in load().values()} == set(ROUTES)


def test_a_name_is_taken_once() -> None:
    form = load()["total"]
    with pytest.raises(ValueError, match="already a form 'total'"):
        add("total", form.route, form.build)
    assert REGISTRY["total"] is form


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("index", INDICES)
def test_all_consequences_hold_at_every_budget(form: str, index: int) -> None:
    assert check(planned(form, index), DEMO) == []


@pytest.mark.parametrize("form", FORMS)
def test_golds_vary_with_the_index(form: str) -> None:
    golds = Counter(planned(form, index).question.gold for index in MANY)
    assert len(golds) >= 2
    if planned(form, 0).question.answer_type is AnswerType.YES_NO:
        assert golds == {"yes": 6, "no": 6}


@pytest.mark.parametrize("form", FORMS)
def test_the_answer_space_holds_the_gold(form: str) -> None:
    for index in INDICES:
        question = planned(form, index).question
        gold, space = question.gold, question.space
        if isinstance(gold, int) and question.answer_type is AnswerType.NUMBER:
            assert space.low is not None
            assert space.high is not None
            assert space.low <= gold <= space.high
        elif isinstance(gold, tuple):
            assert set(gold) <= set(space.options)
            assert len(gold) == space.length
        else:
            assert str(gold) in space.options


def words(text: object) -> list[str]:
    return re.findall(r"[a-z0-9]+", str(text).lower())


def says(text: str, phrase: object) -> bool:
    return f" {' '.join(words(phrase))} " in f" {' '.join(words(text))} "


@pytest.mark.parametrize("form", FORMS)
def test_an_open_question_does_not_say_its_answer(form: str) -> None:
    for index in MANY:
        question = planned(form, index).question
        if question.space.closed:
            continue
        golds = question.gold if isinstance(question.gold, tuple) else (question.gold,)
        assert not [gold for gold in golds if says(question.text, gold)]


@pytest.mark.parametrize("form", FORMS)
def test_a_closed_question_lists_its_options_apart_from_yes_and_no(form: str) -> None:
    question = planned(form, 0).question
    if question.space.closed and question.answer_type is not AnswerType.YES_NO:
        listed = question.text.partition("Choose from ")[2]
        assert [option for option in question.space.options if not says(listed, option)] == []
        assert list(question.space.options) == sorted(question.space.options)
        pairs = {frozenset((a, b)) for a in question.space.options for b in question.space.options}
        assert not pairs & CONFUSABLE


@pytest.mark.parametrize("form", FORMS)
def test_nobody_is_named(form: str) -> None:
    for index in INDICES:
        text = planned(form, index).question.text
        assert not [persona for persona in PERSONAS if persona in text]
        assert "{" not in text
        assert len(text) <= 180


@pytest.mark.parametrize("form", FORMS)
def test_sessions_are_on_days_of_their_own_inside_the_window(form: str) -> None:
    plan = planned(form, 0)
    days = [item.timestamp.date() for item in plan.sessions if item.timestamp]
    first, last = DEMO.window
    assert len(set(days)) == len(plan.sessions)
    assert first <= min(days)
    assert max(days) <= last < plan.question.query_timestamp.date()
    assert days == sorted(days)


@pytest.mark.parametrize("form", FORMS)
def test_the_cast_speaks(form: str) -> None:
    plan = planned(form, 1)
    assert {item.speaker for item in plan.sessions} <= set(plan.cast)
    assert plan.question.asker in plan.cast
    alone = load()[form].route.evidence is not EvidenceType.SPEAKER_IDENTITY
    assert len(plan.cast) == (1 if alone else len(HOUSE))


@pytest.mark.parametrize("form", FORMS)
def test_the_evidence_and_one_distractor_fit_the_smallest_budget(form: str) -> None:
    low, high = DEMO.session_turns
    for index in MANY:
        core = [
            item
            for item in at_budget(planned(form, index), DEMO.budgets[0])
            if item.role != "topical_haystack"
        ]
        assert all(low <= item.turns <= high for item in core)
        assert sum(item.turns for item in core) <= MAX_EVIDENCE_TURNS


def test_the_length_of_a_session_does_not_tell_its_role() -> None:
    turns: dict[str, list[float]] = {"evidence": [], "samekey_haystack": []}
    for form in FORMS:
        for index in MANY:
            sessions = planned(form, index).sessions
            for role, counts in turns.items():
                mine = [item.turns for item in sessions if item.role == role]
                counts.append(mean(mine))
    evidence, distractors = turns["evidence"], turns["samekey_haystack"]
    assert abs(mean(evidence) - mean(distractors)) < 0.1
    assert max(evidence) > min(evidence)


@pytest.mark.parametrize("form", FORMS)
def test_information_extraction_has_one_evidence_session_and_the_rest_have_more(form: str) -> None:
    question = planned(form, 0).question
    single = question.operation is Operation.INFORMATION_EXTRACTION
    assert (len(question.evidence_session_ids) == 1) is single


STATES = ("latest_of", "second_of", "attribute_of")


@pytest.mark.parametrize("form", [name for name in FORMS if name.endswith(STATES)])
def test_a_distractor_never_has_the_value_that_is_asked_for(form: str) -> None:
    for index in MANY:
        plan = planned(form, index)
        for item in plan.sessions:
            value = item.sound if form.startswith("sound") else item.cue and item.cue.value
            if item.role != "evidence":
                assert value != plan.question.gold


@pytest.mark.parametrize("form", [name for name in FORMS if name.startswith(("sound_", "voice_"))])
def test_no_value_stands_out_among_the_distractors(form: str) -> None:
    """A value that all distractors share would tell them from the evidence."""
    for index in INDICES:
        values = Counter(
            item.sound if form.startswith("sound") else item.cue and item.cue.value
            for item in planned(form, index).sessions
            if item.role == "samekey_haystack"
        )
        assert len(values) >= 2


def test_what_is_not_asked_about_varies_too() -> None:
    """Incidental cues and sounds occur behind the evidence about as often as behind fillers."""
    sessions = [
        item
        for form in FORMS
        for index in MANY
        for item in planned(form, index).sessions
        if item.role == "evidence" and not form.startswith(("voice_", "sound_"))
    ]
    cued = sum(item.cue is not None for item in sessions) / len(sessions)
    loud = sum(item.sound is not None for item in sessions) / len(sessions)
    assert DEMO.cue_rate / 2 < cued < DEMO.cue_rate * 2
    assert DEMO.sound_rate / 2 < loud < DEMO.sound_rate * 2
    other = [planned("voice_attribute_of", index).sessions for index in MANY]
    assert any(item.sound in SOUNDS for sessions in other for item in sessions)


def test_a_topic_that_is_used_up_is_an_error_that_says_so() -> None:
    empty = draft("total", 0)
    for _ in catalog().topics[empty.topic]:
        empty.entity()
    with pytest.raises(ConstructionError, match="no entity left"):
        empty.entity()


def test_a_window_that_is_used_up_is_an_error_that_says_so() -> None:
    with pytest.raises(ConstructionError, match="too few days"):
        draft("total", 0).days(100)


def test_an_example_of_every_form() -> None:
    found = examples()
    assert {row.form for row in found} == set(FORMS)
    assert all(row.question for row in found)
