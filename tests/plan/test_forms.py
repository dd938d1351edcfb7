"""The committed list of task forms, and the example of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.plan.builders import FORMS, PAPER, first
from voxmem.plan.forms import FORMS as REGISTRY
from voxmem.plan.forms import Form, add, forms_of, load
from voxmem.plan.forms import form as register
from voxmem.plan.requests import quotas
from voxmem.plan.validate import fits
from voxmem.query import Query, Term
from voxmem.semantics import CHANNEL_OF
from voxmem.semantics.outline import outline
from voxmem.taxonomy import CELLS, ROUTES, AnswerType, Cell, EvidenceType, Operation, Subtype


def test_there_are_some_ninety_forms_or_more_and_several_on_every_route() -> None:
    assert len(FORMS) >= 88
    assert {form.route for form in load().values()} == set(ROUTES)
    assert all(len(forms_of(route)) >= 2 for route in ROUTES)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_has_all_that_a_question_needs(name: str) -> None:
    form, question = load()[name], first(name).question
    assert form.name == name
    assert len(set(form.wordings)) >= 4
    assert isinstance(question.query, Term)
    assert TypeAdapter(Query).validate_json(question.query.model_dump_json()) == question.query
    assert question.answer_type is form.answer_type
    assert question.gold is not None
    assert fits(question.gold, question.space, form.answer_type)
    assert (question.evidence_type, question.subtype) == (form.route.evidence, form.route.subtype)
    assert question.operation is form.route.operation


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_space_says_what_may_be_answered(name: str) -> None:
    question = first(name).question
    match question.answer_type:
        case AnswerType.NUMBER:
            assert question.space.low is not None
            assert question.space.high is not None
        case AnswerType.YES_NO:
            assert question.space.options == ("yes", "no")
        case AnswerType.CATEGORICAL | AnswerType.ORDERED_LIST | AnswerType.UNORDERED_SET:
            assert len(question.space.options) >= 2


@pytest.mark.parametrize("name", FORMS)
def test_a_question_reads_the_channel_of_its_evidence(name: str) -> None:
    question = first(name).question
    assert CHANNEL_OF[question.evidence_type] in outline(question.query).channels


def test_all_answer_types_occur_over_every_evidence_type() -> None:
    for evidence in EvidenceType:
        found = {form.answer_type for form in load().values() if form.route.evidence is evidence}
        assert found == set(AnswerType)


# --- how many of each -------------------------------------------------------------------------


def _share_of_yes_no(counts: dict[str, int], cell: Cell) -> float:
    names = [name for name in counts if load()[name].route.cell == cell]
    yes_no = [name for name in names if load()[name].answer_type is AnswerType.YES_NO]
    return sum(counts[name] for name in yes_no) / sum(counts[name] for name in names)


def test_the_paper_asks_every_form_twice_and_fills_every_cell() -> None:
    counts = quotas(PAPER)
    assert set(counts) == set(FORMS)
    assert min(counts.values()) >= 2
    found = Counter(dict.fromkeys(CELLS, 0))
    for name, count in counts.items():
        found[load()[name].route.cell] += count
    for cell in CELLS:
        if cell.operation is not Operation.ANSWER_REFUSAL:
            assert found[cell] == PAPER.target(cell)
            assert _share_of_yes_no(counts, cell) <= PAPER.yes_no_share


def test_all_answer_types_occur_in_the_paper() -> None:
    asked = Counter[AnswerType]()
    for name, count in quotas(PAPER).items():
        asked[load()[name].answer_type] += count
    assert set(asked) == set(AnswerType)
    assert min(asked.values()) >= 20


# --- registering ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("update", "message"),
    [({}, "already a form 'total'"), ({"name": "new", "wordings": ()}, "'new' has no wordings")],
)
def test_a_form_that_cannot_be_registered(update: dict[str, Any], message: str) -> None:
    total, before = load()["total"], dict(REGISTRY)
    fields = {name: getattr(total, name) for name in ("name", "route", "answer_type", "wordings")}
    with pytest.raises(ValueError, match=message):
        add(Form(**{**fields, **update}, build=total.build))
    assert before == REGISTRY


def test_a_builder_is_registered_under_its_functions_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("voxmem.plan.forms.FORMS", registry := {})
    made: Callable[..., Any] = register(
        EvidenceType.SPEECH_SEMANTICS, Subtype.COUNTING, AnswerType.NUMBER, "How many?", bare=True
    )
    build = made(_how_many)
    assert build is _how_many
    assert registry["how_many"].bare
    assert registry["how_many"].wordings == ("How many?",)


def _how_many(draft: Any) -> Any:
    raise AssertionError("is not called")
