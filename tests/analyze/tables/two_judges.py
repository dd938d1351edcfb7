"""Whole counts for Table 13 of VoxMem: two judges over the 8K predictions of the fifteen models.

The counts of the slices are the ones that every printed digit of the table allows, with evidence
types and operations adding up to one total; a transport problem spreads them over the models.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.analyze.marks import question
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.readings import readings
from voxmem.analyze.scores import Mark, Scores
from voxmem.analyze.study import Choices, Study
from voxmem.records import AskedQuestion, Response
from voxmem.taxonomy import EvidenceType, Operation

Slice = tuple[int, int, int]
"""Right by both, by the first alone, by the second alone."""

EVIDENCE: dict[str, Slice] = {
    "speech_semantics": (1656, 12, 34),
    "speaker_identity": (777, 37, 59),
    "paralinguistic": (763, 18, 48),
    "environmental": (454, 6, 31),
}
OPERATIONS: dict[str, Slice] = {
    "information_extraction": (864, 41, 45),
    "multi_session_reasoning": (1154, 5, 28),
    "temporal_evolution_tracking": (1062, 24, 49),
    "answer_refusal": (570, 3, 50),
}
MODELS: dict[str, Slice] = {
    "Qwen3.8-Omni-Flash": (337, 5, 14),
    "Gemini-3.1-Pro": (336, 5, 7),
    "Gemini-3.8-Flash": (330, 5, 7),
    "Qwen3.5-Omni-Plus": (318, 5, 11),
    "Gemini-2.5-Pro": (253, 5, 4),
    "Qwen3-Omni-30B-A3B": (253, 5, 13),
    "Gemma-4-E4B-it": (245, 5, 11),
    "MiniCPM-o-4.5": (236, 5, 15),
    "Ultravox-v0.6-Llama-3.1-8B": (223, 5, 15),
    "Audio-Flamingo-Next": (212, 5, 15),
    "Baichuan-Audio-7B": (204, 5, 14),
    "MiMo-Audio-7B-Instruct": (200, 5, 14),
    "FireRedAudio-9B": (188, 5, 15),
    "Phi-4-Multimodal": (160, 4, 14),
    "Baichuan-Omni-1.5-7B": (155, 4, 3),
}
CELLS = {
    "information_extraction": (0, 65, 107, 58),
    "multi_session_reasoning": (85, 34, 66, 36),
    "temporal_evolution_tracking": (110, 27, 49, 32),
    "answer_refusal": (37, 21, 42, 30),
}
"""Questions by operation and evidence type (Table 1)."""
REJECTING = "Qwen3.5-Omni-Plus"
REJECTED = {
    ("information_extraction", "speaker_identity"): 2,
    ("answer_refusal", "speaker_identity"): 1,
    ("information_extraction", "paralinguistic"): 1,
    ("multi_session_reasoning", "paralinguistic"): 1,
    ("multi_session_reasoning", "speech_semantics"): 1,
    ("temporal_evolution_tracking", "speech_semantics"): 1,
}
"""15 times 799 less the 11,978 of the table: rejected by a provider."""
CAPABILITY = "I do not have access to previous conversations."
NAMES = [(op, evidence) for op in OPERATIONS for evidence in EVIDENCE]


@cache
def counts() -> NDArray[np.int64]:
    """``[3, cells, models]``: the kinds of a :data:`Slice` in every cell of every model."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    shape = (3, len(NAMES), len(MODELS))
    at = np.arange(np.prod(shape)).reshape(shape)
    rows, targets = [], []
    for kind in range(3):
        for name, wanted in {**EVIDENCE, **OPERATIONS}.items():
            rows.append(at[kind, [name in cell for cell in NAMES]].ravel())
            targets.append(wanted[kind])
        for model, one in enumerate(MODELS.values()):
            rows.append(at[kind, :, model])
            targets.append(one[kind])
    margins = np.array([np.isin(np.arange(at.size), row) for row in rows], dtype=float)
    room = np.array([np.isin(np.arange(at.size), one) for one in at.reshape(3, -1).T], dtype=float)
    found = milp(
        np.zeros(at.size),
        integrality=np.ones(at.size),
        bounds=Bounds(0, np.inf),
        constraints=[
            LinearConstraint(margins, targets, targets),
            LinearConstraint(room, 0, _sizes().ravel()),
        ],
    )
    assert found.success, found.message
    return np.asarray(np.rint(found.x), dtype=np.int64).reshape(shape)


def _sizes() -> NDArray[np.int64]:
    """``[cells, models]``: the items that were not rejected."""
    sizes = np.array([[n] * len(MODELS) for row in CELLS.values() for n in row])
    for cell, lost in REJECTED.items():
        sizes[NAMES.index(cell), list(MODELS).index(REJECTING)] -= lost
    return sizes


@cache
def study() -> Study:
    """Both judges, and what the replies say: of the refusals that the second judge alone credits
    32 name the model's means."""
    asked = _questions()
    first, second = _marks()
    entrants = tuple(
        Entrant(name=name, system=name, family=name.split("-")[0].lower()) for name in MODELS
    )
    a = Scores(entrants, ("8K",), asked, first, "gemini-3.7-flash-1")
    b = Scores(entrants, ("8K",), asked, second, "gpt-5.6-luna-1")
    said = readings(a, _replies(a, b))
    return Study(a, Choices(resamples=200), (b,), readings=said)


def _questions() -> tuple[AskedQuestion, ...]:
    return tuple(
        question(
            f"{op}-{evidence}-{at}",
            gold=None if op == "answer_refusal" else "tea",
            operation=Operation(op),
            evidence_type=EvidenceType(evidence),
        )
        for op, evidence in NAMES
        for at in range(CELLS[op][list(EVIDENCE).index(evidence)])
    )


def _marks() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    both, first, second = counts()
    sides = []
    for alone, other in ((first, second), (second, first)):
        marks = np.full((len(MODELS), 1, 799), Mark.INCORRECT, dtype=np.uint8)
        for model, name in enumerate(MODELS):
            start = 0
            for cell, names in enumerate(NAMES):
                size = CELLS[names[0]][list(EVIDENCE).index(names[1])]
                here = marks[model, 0, start : start + size]
                here[: both[cell, model]] = Mark.CORRECT
                mine = both[cell, model] + (other[cell, model] if alone is second else 0)
                here[mine : mine + alone[cell, model]] = Mark.CORRECT
                if name == REJECTING and REJECTED.get(names):
                    here[-REJECTED[names] :] = Mark.REJECTED
                start += size
        sides.append(marks)
    return sides[0], sides[1]


def _replies(a: Scores, b: Scores) -> list[Response]:
    refusal = a.where(stratum="refusal")
    odd = np.argwhere(b.right & ~a.right & refusal)
    return [
        Response(
            response_id=f"{who}-{what}",
            item_id=str(what),
            question_id=a.questions[what].question_id,
            budget="8K",
            system=a.entrants[who].system,
            arm="audio",
            outcome="ok",
            text=CAPABILITY if at < 32 else "The conversation does not say.",
            prompt_hash="p",
        )
        for at, (who, _, what) in enumerate(odd)
    ]
