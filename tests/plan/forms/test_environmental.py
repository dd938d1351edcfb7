"""Forms over what was audible behind the speech."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta

import pytest

from tests.plan.forms import checks
from tests.plan.forms.drafts import MANY, candidates, forms_over, rivalled
from voxmem.plan.draft import when_of
from voxmem.plan.forms import load
from voxmem.plan.forms.channels.background import KIND
from voxmem.plan.preview import preview
from voxmem.records import Plan
from voxmem.semantics import Answer, Channel, Insufficient, answer, mask
from voxmem.taxonomy import AnswerType, EvidenceType
from voxmem.vocabulary import DEFAULT_SOUNDS, SOUNDS

ENVIRONMENTAL = EvidenceType.ENVIRONMENTAL
FORMS = forms_over(ENVIRONMENTAL)
BARE = [name for name in FORMS if load()[name].bare]


def sounds(plan: Plan) -> list[str]:
    """The sounds of the evidence, in order of time."""
    return [str(item.sound) for item in plan.sessions if item.role == "evidence"]


def kinds(plan: Plan) -> list[str]:
    return [SOUNDS[sound][0] for sound in sounds(plan)]


def scenes(plan: Plan) -> list[str]:
    return [SOUNDS[sound][1] for sound in sounds(plan)]


def test_every_route_has_forms_and_every_answer_type_occurs() -> None:
    checks.routes_are_covered(ENVIRONMENTAL, 3)
    assert checks.answer_types(ENVIRONMENTAL) == set(AnswerType)


def test_the_number_of_evidence_sessions_is_the_papers() -> None:
    assert 2.3 < checks.mean_evidence(ENVIRONMENTAL) < 2.75


@pytest.mark.parametrize("form", FORMS)
def test_a_perfect_transcript_does_not_answer(form: str) -> None:
    for plan in rivalled(form):
        episodes = mask(preview(plan.sessions), {Channel.SOUND})
        found = answer(plan.question.query, episodes, plan.question.asker)
        assert isinstance(found, Insufficient)


@pytest.mark.parametrize("form", FORMS)
def test_no_question_is_about_where_anybody_was(form: str) -> None:
    for wording in load()[form].wordings:
        assert not re.search(r"\b(place|location|where was I|where I was)\b", wording)


@pytest.mark.parametrize("form", BARE)
def test_a_silent_conversation_more_changes_nothing(form: str) -> None:
    for plan in candidates(form):
        question = plan.question
        later = when_of(plan.sessions[-1]) + timedelta(days=1)
        silent = plan.sessions[0].model_copy(
            update={"session_id": "silent", "sound": None, "timestamp": later}
        )
        found = answer(question.query, preview((*plan.sessions, silent)), question.asker)
        assert found == Answer(question.gold)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [name for name in FORMS if "{count}" in load()[name].wordings[0]])
def test_what_is_counted_is_conversations_with_something_audible(form: str) -> None:
    assert load()[form].bare
    for wording in load()[form].wordings:
        assert re.search(r"\b(sound|background|heard|audible)\b", wording), wording


# --- particular forms -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["sound_by_entity", "sound_latest", "sound_fact_on_topic"])
def test_any_sound_of_the_palette_may_be_the_one(form: str) -> None:
    heard = Counter(sound for plan in candidates(form, "demo", 2 * MANY) for sound in sounds(plan))
    assert set(heard) == set(DEFAULT_SOUNDS)
    assert max(heard.values()) < 5 * min(heard.values())


def test_sounds_of_one_kind_are_different_events() -> None:
    """Only the kind makes them alike."""
    for plan in candidates("kind_same"):
        several = all(len(KIND.carriers[kind]) > 1 for kind in kinds(plan))
        assert len(set(sounds(plan))) == 2 or not several
        same = len(set(kinds(plan))) == 1
        assert plan.question.gold == ("yes" if same else "no")


def test_a_car_horn_is_never_to_be_told_from_a_vehicle() -> None:
    for form in ("kind_by_entity", "kind_same", "kind_distinct", "kind_merged"):
        for plan in candidates(form):
            assert not {"vehicles", "alarms and signals"} <= set(kinds(plan))
            assert not all(kind in plan.question.text for kind in ("vehicles", "alarms"))


def test_all_kinds_that_were_heard_are_the_answer() -> None:
    sizes: Counter[int] = Counter()
    for plan in candidates("kind_merged", "paper", MANY):
        assert plan.question.gold == tuple(sorted(set(kinds(plan))))
        sizes[len(plan.question.gold)] += 1
    assert set(sizes) == {1, 2, 3}


def test_the_odd_scene_is_the_answer() -> None:
    for plan in candidates("scene_odd_one_out"):
        times = Counter(scenes(plan))
        (odd,) = [
            item.entities[0]
            for item, scene in zip(plan.sessions, scenes(plan), strict=True)
            if times[scene] == 1
        ]
        assert plan.question.gold == odd


def test_a_sound_may_have_been_heard_before_it_last_was() -> None:
    before = 0
    for plan in candidates("sound_last_stage", "paper", MANY):
        value = plan.question.query.value  # type: ignore[union-attr]
        stages = [at for at, sound in enumerate(sounds(plan), start=1) if sound == value]
        assert plan.question.gold == stages[-1]
        before += len(stages) > 1
    assert before > MANY / 10
