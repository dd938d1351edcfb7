"""Forms over who spoke."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.plan.forms import checks
from tests.plan.forms.drafts import MANY, candidates, forms_over, rivalled
from voxmem.plan.forms import load
from voxmem.plan.preview import preview
from voxmem.records import Plan
from voxmem.semantics import Answer, Channel, Insufficient, answer, mask
from voxmem.semantics.consequences import references
from voxmem.taxonomy import AnswerType, EvidenceType, Operation

SPEAKER = EvidenceType.SPEAKER_IDENTITY
FORMS = forms_over(SPEAKER)


def test_every_route_has_forms_and_every_answer_type_occurs() -> None:
    checks.routes_are_covered(SPEAKER, 3)
    assert checks.answer_types(SPEAKER) == set(AnswerType)


def test_the_number_of_evidence_sessions_is_the_papers() -> None:
    assert 2.3 < checks.mean_evidence(SPEAKER) < 2.75


@pytest.mark.parametrize("form", FORMS)
def test_extraction_has_one_session_beside_those_it_refers_to(form: str) -> None:
    for plan in candidates(form):
        count = len(plan.question.evidence_session_ids)
        if plan.question.operation is Operation.INFORMATION_EXTRACTION:
            assert count == 1 + len(references(plan.question.query))
        else:
            assert 2 <= count <= 4


@pytest.mark.parametrize("form", FORMS)
def test_a_perfect_transcript_does_not_answer(form: str) -> None:
    for plan in rivalled(form):
        episodes = mask(preview(plan.sessions), {Channel.SPEAKER})
        found = answer(plan.question.query, episodes, plan.question.asker)
        assert isinstance(found, Insufficient)


# --- particular forms -------------------------------------------------------------------------

WHOSE = [
    name for name in FORMS if load()[name].answer_type is AnswerType.CATEGORICAL and "whose" in name
]


@pytest.mark.parametrize("form", WHOSE)
def test_whose_voice_it_is_is_any_of_three(form: str) -> None:
    golds = checks.golds(form)
    assert set(golds) == {"me", "the person who talked", "someone else"}
    assert min(golds.values()) > MANY / 4


@pytest.mark.parametrize("form", WHOSE)
def test_the_person_referred_to_is_never_the_asker(form: str) -> None:
    """Else two options would say the same."""
    for plan in candidates(form):
        (where,) = references(plan.question.query)
        (model,) = [item for item in plan.sessions if where[0].entity in item.entities]
        assert model.speaker != plan.question.asker


def order_of(plan: Plan) -> list[str]:
    return [item.speaker for item in plan.sessions]


def test_a_line_of_voices_tells_nothing_by_its_length() -> None:
    """The number of changes is even among those that the number of sessions permits."""
    by_count: dict[int, Counter[int]] = {}
    for plan in candidates("speaker_changes", "paper", MANY):
        assert isinstance(plan.question.gold, int)
        by_count.setdefault(len(plan.sessions), Counter())[plan.question.gold] += 1
    assert set(by_count) == {3, 4}
    for count, golds in by_count.items():
        assert set(golds) == set(range(1, count))
        assert max(golds.values()) < 2 * min(golds.values())


def test_who_comes_back_does_not_show_in_how_many_there_are() -> None:
    people: dict[object, Counter[int]] = {"yes": Counter(), "no": Counter()}
    for plan in candidates("speaker_returns", "paper", MANY):
        people[plan.question.gold][len(set(order_of(plan)))] += 1
    assert set(people["yes"]) == set(people["no"]) == {2, 3}


def test_most_of_three_conversations_are_one_persons() -> None:
    for plan in candidates("who_talked_more"):
        speakers = Counter(order_of(plan))
        assert sorted(speakers.values()) == [1, 2]
        mine = speakers[plan.question.asker] == 2
        assert plan.question.gold == ("me" if mine else "someone else")


@pytest.mark.parametrize("form", ["what_i_said", "what_they_said", "my_total", "my_values"])
def test_others_say_something_else(form: str) -> None:
    """Whoever ignores the voices finds no answer."""
    for plan in rivalled(form):
        without = mask(preview(plan.sessions), {Channel.SPEAKER})
        found = answer(plan.question.query, without, plan.question.asker)
        assert found != Answer(plan.question.gold)  # type: ignore[arg-type]
        others = [item for item in plan.sessions if item.speaker != plan.question.asker]
        assert others
