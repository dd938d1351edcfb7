"""The paper's numbers, its models and its questions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.analyze.marks import question
from voxmem.records import AskedQuestion
from voxmem.taxonomy import SUBTYPES, EvidenceType, Operation

PAPER: dict[str, Any] = json.loads(Path(__file__).with_name("paper.json").read_text())
BUDGETS: tuple[str, ...] = tuple(PAPER["budgets"])
MODELS: tuple[str, ...] = tuple(PAPER["overall"])
COMPLETE: tuple[str, ...] = tuple(PAPER["table_16"])
"""The ten with a full run at 64K (Table 14)."""
EVIDENCE = tuple(one.value for one in EvidenceType)
REFUSAL = Operation.ANSWER_REFUSAL.value
SOURCES = {
    "speech_semantics": (0, 22, 15),
    "speaker_identity": (11, 6, 4),
    "paralinguistic": (21, 12, 9),
    "environmental": (15, 9, 6),
}
"""Refusal items by evidence type and operation of the source: the paper prints the two margins,
this is one matrix that has them."""


class Leaf(NamedTuple):
    """Questions that no table tells apart."""

    operation: str
    evidence: str
    source: str
    """The operation of the source; of an answerable item its own."""


def shown(name: str) -> str:
    """The catalogue's name of a model of the paper."""
    return name.lower()


@cache
def leaves() -> dict[Leaf, int]:
    """Leaf → its questions."""
    sources = [one.value for one in SUBTYPES if SUBTYPES[one]]
    found = {
        Leaf(operation, evidence, operation): n
        for operation, row in PAPER["counts"]["cells"].items()
        if operation != REFUSAL
        for evidence, n in row.items()
    }
    for evidence, row in SOURCES.items():
        found |= {Leaf(REFUSAL, evidence, s): n for s, n in zip(sources, row, strict=True)}
    return {leaf: n for leaf, n in found.items() if n}


@cache
def questions() -> tuple[AskedQuestion, ...]:
    """The 799, leaf by leaf."""
    return tuple(
        question(
            f"q{leaf.operation}-{leaf.evidence}-{leaf.source}-{at}",
            gold=None if leaf.operation == REFUSAL else "tea",
            evidence_type=EvidenceType(leaf.evidence),
            operation=Operation(leaf.operation),
            source_operation=Operation(leaf.source),
        )
        for leaf, n in leaves().items()
        for at in range(n)
    )


_IE, _MSR, _TET = (one.value for one in SUBTYPES if SUBTYPES[one])
_SEM, _SPK, _PARA, _ENV = EVIDENCE
REJECTED: dict[str, dict[str, dict[Leaf, int]]] = {
    "8K": {
        "Qwen3.8-Omni-Flash": {
            Leaf(_IE, _SPK, _IE): 2,
            Leaf(_IE, _PARA, _IE): 1,
            Leaf(_MSR, _SEM, _MSR): 1,
            Leaf(_MSR, _SPK, _MSR): 1,
            Leaf(_TET, _SEM, _TET): 1,
            Leaf(REFUSAL, _PARA, _IE): 1,
        }
    },
    "16K": {"Qwen3.8-Omni-Flash": {Leaf(REFUSAL, _ENV, _TET): 1}},
    "32K": {
        "Qwen3.8-Omni-Flash": {Leaf(_TET, _SEM, _TET): 1},
        "Qwen3.5-Omni-Plus": {
            Leaf(_IE, _SPK, _IE): 1,
            Leaf(_IE, _PARA, _IE): 1,
            Leaf(_TET, _PARA, _TET): 1,
        },
        "MiniCPM-o-4.5": {
            Leaf(_IE, _ENV, _IE): 2,
            Leaf(_TET, _SEM, _TET): 1,
            Leaf(_TET, _SPK, _TET): 2,
            Leaf(_TET, _PARA, _TET): 1,
        },
        "MiMo-Audio-7B-Instruct": {
            Leaf(_IE, _SPK, _IE): 1,
            Leaf(REFUSAL, _SEM, _TET): 1,
            Leaf(REFUSAL, _ENV, _IE): 1,
        },
    },
}
"""Budget → model → items that are in no denominator. The paper says that there are some: 7 at 8K,
with the margins of Table 13. Whose they are is not printed; with none, no whole counts have what is
printed at 8K, 16K and 32K, and with these some have."""


def judged(budget: str, model: str) -> NDArray[np.int64]:
    """The items of each leaf that are in the denominator."""
    lost = REJECTED.get(budget, {}).get(model, {})
    return np.array([n - lost.get(leaf, 0) for leaf, n in leaves().items()])
