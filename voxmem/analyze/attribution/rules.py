"""From what an auditor reports to one of the five classes: a fixed, ordered set of rules.

The first rule that applies decides. The order is that in which a memory query can fail: evidence is
recognised, then bound, then operated on; what fits no stage is unsupported (VoxMem, Table 19 and
Appendix E.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voxmem.analyze.attribution.audit import Finding
from voxmem.analyze.attribution.records import ErrorClass
from voxmem.records import AskedQuestion
from voxmem.taxonomy import ACOUSTIC, Subtype

CUE_KEYED = (Subtype.CUE_TO_FACT, Subtype.MATCHING)
"""The subtypes whose sessions are found by a cue (VoxMem, Table 19)."""
_FAILED_OPERATIONS = (
    "wrong_count", "other_point", "wrong_comparison", "wrong_members", "wrong_order", "not_done",
)  # fmt: skip


def is_cue_keyed(question: AskedQuestion) -> bool:
    """Whether a voice, a delivery or a sound is the key by which the question finds sessions."""
    return question.subtype in CUE_KEYED and question.evidence_type in ACOUSTIC


@dataclass(frozen=True)
class Rule:
    """One rule: what it is called, what it makes of a finding, and when."""

    name: str
    error_class: ErrorClass
    applies: Callable[[Finding, bool], bool]
    """Given a finding and whether a cue is the key."""
    what: str
    """In a sentence."""


RULES: tuple[Rule, ...] = (
    Rule(
        "equivalent",
        "not_attributable",
        lambda found, cue_keyed: found.relation == "equivalent",
        "The answer is found to mean what the reference means.",
    ),
    Rule(
        "nothing specific",
        "recognition",
        lambda found, cue_keyed: found.commits != "answer" and found.cue_identified != "yes",
        "There is no specific answer of the right kind, and the cue is not named.",
    ),
    Rule(
        "operation not done",
        "operation",
        lambda found, cue_keyed: (
            found.commits != "answer"
            or (found.relation == "not_done" and found.cue_identified == "yes")
        ),
        "The cue is named, and what is asked for is not done with it (case i of Appendix E.2).",
    ),
    Rule(
        "outside the evidence",
        "recognition",
        lambda found, cue_keyed: found.source == "elsewhere" and not cue_keyed,
        "The answer comes from a session that is no evidence, and no cue is the key.",
    ),
    Rule(
        "misread",
        "recognition",
        lambda found, cue_keyed: (
            found.source == "evidence" and found.relation in ("other_value", "unrelated")
        ),
        "An evidence session is read wrongly.",
    ),
    Rule(
        "another speaker",
        "binding",
        lambda found, cue_keyed: found.source == "other_speaker",
        "What is in the conversation is laid to the wrong person.",
    ),
    Rule(
        "another session",
        "binding",
        lambda found, cue_keyed: found.source == "elsewhere",
        "The answer comes from a session that is no evidence, and a cue is the key.",
    ),
    Rule(
        "another point",
        "operation",
        lambda found, cue_keyed: found.source == "evidence" and found.relation == "other_point",
        "The state is that of another time.",
    ),
    Rule(
        "operation failed",
        "operation",
        lambda found, cue_keyed: (
            found.source == "evidence" and found.relation in _FAILED_OPERATIONS
        ),
        "The evidence is there; counting, comparing, collecting or ordering it went wrong (case ii "
        "of Appendix E.2).",
    ),
    Rule(
        "no session has it",
        "unsupported",
        lambda found, cue_keyed: True,
        "A specific answer of the right kind that no rule of a stage covers: no session has it.",
    ),
)


def classify(found: Finding, question: AskedQuestion) -> Rule:
    """The rule that decides: it names the class and itself."""
    cue_keyed = is_cue_keyed(question)
    return next(rule for rule in RULES if rule.applies(found, cue_keyed))
