"""The taxonomy against what the paper prints."""

from __future__ import annotations

import pytest

from voxmem.taxonomy import (
    ACOUSTIC,
    CELLS,
    OPERATION_OF,
    ROUTES,
    SUBTYPES,
    AnswerType,
    Cell,
    Derivation,
    EvidenceType,
    Operation,
    Route,
    Subtype,
    derivations,
)

QUESTIONS: dict[str, dict[str, int]] = {
    "information_extraction": {
        "speech_semantics": 0,
        "speaker_identity": 65,
        "paralinguistic": 107,
        "environmental": 58,
    },
    "multi_session_reasoning": {
        "speech_semantics": 85,
        "speaker_identity": 34,
        "paralinguistic": 66,
        "environmental": 36,
    },
    "temporal_evolution_tracking": {
        "speech_semantics": 110,
        "speaker_identity": 27,
        "paralinguistic": 49,
        "environmental": 32,
    },
    "answer_refusal": {
        "speech_semantics": 37,
        "speaker_identity": 21,
        "paralinguistic": 42,
        "environmental": 30,
    },
}
"""Operation → evidence type → questions, as the paper counts them (799 in all)."""


def test_sizes() -> None:
    assert [len(axis) for axis in (EvidenceType, Operation, Subtype)] == [4, 4, 8]
    assert [len(product) for product in (ROUTES, CELLS)] == [30, 15]
    assert (len(Derivation), len(AnswerType)) == (5, 6)
    assert len(set(ROUTES)) == len(ROUTES)
    assert len(set(CELLS)) == len(CELLS)


def test_cells_are_those_the_paper_has_questions_in() -> None:
    assert sum(sum(row.values()) for row in QUESTIONS.values()) == 799
    assert set(CELLS) == {
        Cell(Operation(operation), EvidenceType(evidence))
        for operation, row in QUESTIONS.items()
        for evidence, count in row.items()
        if count > 0
    }


def test_cells_stand_in_the_papers_order() -> None:
    order = [(operation, evidence) for operation, row in QUESTIONS.items() for evidence in row]
    assert [(cell.operation, cell.evidence) for cell in CELLS] == order[1:]


def test_every_subtype_belongs_to_one_operation() -> None:
    assert [len(SUBTYPES[operation]) for operation in Operation] == [2, 3, 3, 0]
    assert sorted(OPERATION_OF) == sorted(Subtype)
    for operation, subtypes in SUBTYPES.items():
        assert all(OPERATION_OF[subtype] is operation for subtype in subtypes)


def test_routes_are_the_subtypes_of_the_answerable_cells() -> None:
    per_operation = [
        sum(route.operation is operation for route in ROUTES) for operation in Operation
    ]
    assert per_operation == [6, 12, 12, 0]
    assert {route.cell for route in ROUTES} == {
        cell for cell in CELLS if cell.operation is not Operation.ANSWER_REFUSAL
    }
    semantic = {route.subtype for route in ROUTES if route.evidence not in ACOUSTIC}
    assert semantic == set(Subtype) - set(SUBTYPES[Operation.INFORMATION_EXTRACTION])


def rules(evidence: str, subtype: str) -> list[str]:
    return [str(rule) for rule in derivations(Route(EvidenceType(evidence), Subtype(subtype)))]


@pytest.mark.parametrize("evidence", ["paralinguistic", "environmental"])
@pytest.mark.parametrize("subtype", ["context_to_cue", "cue_to_fact"])
def test_refusals_from_one_session_with_a_cue(evidence: str, subtype: str) -> None:
    assert rules(evidence, subtype) == ["complete_removal", "cue_neutralization", "ambiguity"]


@pytest.mark.parametrize("subtype", [str(item) for item in Subtype][2:])
def test_refusals_from_several_sessions(subtype: str) -> None:
    assert rules("speech_semantics", subtype) == ["partial_removal", "ambiguity"]
    for evidence in ("paralinguistic", "environmental"):
        assert rules(evidence, subtype) == ["partial_removal", "cue_neutralization", "ambiguity"]


def test_refusals_from_a_voice() -> None:
    rest = ["cue_neutralization", "binding_removal", "ambiguity"]
    assert rules("speaker_identity", "cue_to_fact") == ["complete_removal", *rest]
    assert rules("speaker_identity", "matching") == ["partial_removal", *rest]


def test_rules_of_each_kind_apply_where_they_can() -> None:
    applies = {
        rule: {route for route in ROUTES if rule in derivations(route)} for rule in Derivation
    }
    complete, partial, neutral, binding, ambiguity = (len(applies[rule]) for rule in Derivation)
    assert (complete, partial, complete + partial) == (6, 24, 30)
    assert (neutral, binding, ambiguity) == (24, 8, 30)
    assert all(route.evidence in ACOUSTIC for route in applies[Derivation.CUE_NEUTRALIZATION])
