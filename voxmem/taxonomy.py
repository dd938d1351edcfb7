"""The two axes of the benchmark and everything that is defined over them (VoxMem, Tables 3-7, 10).

Evidence types say *what* must be remembered, memory operations say *how* it is used. Their
product, less information extraction over speech semantics, gives 15 cells; the subtypes of the
three answerable operations give 30 routes. Answer refusal has no subtypes: it is derived from
answerable items by five rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EvidenceType(StrEnum):
    """What is answer-critical (VoxMem, Table 4)."""

    SPEECH_SEMANTICS = "speech_semantics"
    SPEAKER_IDENTITY = "speaker_identity"
    PARALINGUISTIC = "paralinguistic"
    ENVIRONMENTAL = "environmental"


class Operation(StrEnum):
    """How remembered evidence is used (VoxMem, Appendix A.1)."""

    INFORMATION_EXTRACTION = "information_extraction"
    MULTI_SESSION_REASONING = "multi_session_reasoning"
    TEMPORAL_EVOLUTION_TRACKING = "temporal_evolution_tracking"
    ANSWER_REFUSAL = "answer_refusal"


class Subtype(StrEnum):
    """The eight answerable subtypes (VoxMem, Table 3)."""

    CONTEXT_TO_CUE = "context_to_cue"
    CUE_TO_FACT = "cue_to_fact"
    COUNTING = "counting"
    MATCHING = "matching"
    AGGREGATION = "aggregation"
    LATEST_STATE = "latest_state"
    HISTORICAL_STATE = "historical_state"
    EVOLUTION = "evolution"


class AnswerType(StrEnum):
    """The shapes that a gold answer takes (VoxMem, Appendix C.4)."""

    CATEGORICAL = "categorical"
    YES_NO = "yes_no"
    NUMBER = "number"
    ORDERED_LIST = "ordered_list"
    UNORDERED_SET = "unordered_set"
    FREE_TEXT = "free_text"


class Derivation(StrEnum):
    """The five rules that make an answer-refusal item from an answerable one (VoxMem, Table 10)."""

    COMPLETE_REMOVAL = "complete_removal"
    PARTIAL_REMOVAL = "partial_removal"
    CUE_NEUTRALIZATION = "cue_neutralization"
    BINDING_REMOVAL = "binding_removal"
    AMBIGUITY = "ambiguity"


ACOUSTIC = (EvidenceType.SPEAKER_IDENTITY, EvidenceType.PARALINGUISTIC, EvidenceType.ENVIRONMENTAL)
"""The audio-native evidence types: absent from any transcript by construction."""

SUBTYPES: dict[Operation, tuple[Subtype, ...]] = {
    Operation.INFORMATION_EXTRACTION: (Subtype.CONTEXT_TO_CUE, Subtype.CUE_TO_FACT),
    Operation.MULTI_SESSION_REASONING: (Subtype.COUNTING, Subtype.MATCHING, Subtype.AGGREGATION),
    Operation.TEMPORAL_EVOLUTION_TRACKING: (
        Subtype.LATEST_STATE,
        Subtype.HISTORICAL_STATE,
        Subtype.EVOLUTION,
    ),
    Operation.ANSWER_REFUSAL: (),
}

OPERATION_OF: dict[Subtype, Operation] = {
    subtype: operation for operation, subtypes in SUBTYPES.items() for subtype in subtypes
}


@dataclass(frozen=True, order=True)
class Cell:
    """One operation over one evidence type (VoxMem, Figure 1a)."""

    operation: Operation
    evidence: EvidenceType


@dataclass(frozen=True, order=True)
class Route:
    """One subtype over one evidence type (VoxMem, Table 3)."""

    evidence: EvidenceType
    subtype: Subtype

    @property
    def operation(self) -> Operation:
        return OPERATION_OF[self.subtype]

    @property
    def cell(self) -> Cell:
        return Cell(self.operation, self.evidence)


CELLS: tuple[Cell, ...] = tuple(
    Cell(operation, evidence)
    for operation in Operation
    for evidence in EvidenceType
    if (operation, evidence) != (Operation.INFORMATION_EXTRACTION, EvidenceType.SPEECH_SEMANTICS)
)
"""The 15 valid cells, in the paper's order."""

ROUTES: tuple[Route, ...] = tuple(
    Route(cell.evidence, subtype) for cell in CELLS for subtype in SUBTYPES[cell.operation]
)
"""The 30 answerable routes: 6 of information extraction, 12 and 12 of the other two."""


def derivations(route: Route) -> tuple[Derivation, ...]:
    """The refusal rules that apply to items of ``route`` (VoxMem, Table 10).

    Complete removal needs a sole answer-bearing session; partial removal needs several;
    neutralisation needs an acoustic cue; binding removal needs a voice; ambiguity fits all.
    """
    single = route.operation is Operation.INFORMATION_EXTRACTION
    rules = [Derivation.COMPLETE_REMOVAL if single else Derivation.PARTIAL_REMOVAL]
    if route.evidence in ACOUSTIC:
        rules.append(Derivation.CUE_NEUTRALIZATION)
    if route.evidence is EvidenceType.SPEAKER_IDENTITY:
        rules.append(Derivation.BINDING_REMOVAL)
    rules.append(Derivation.AMBIGUITY)
    return tuple(rules)
