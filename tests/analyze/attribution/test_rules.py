"""The ordered rules: the definitions of Table 19, the fixed cases of E.2, the six cases of E.5."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest

from tests.analyze.marks import question
from voxmem.analyze.attribution.audit import (
    Commitment,
    CueIdentified,
    Finding,
    Relation,
    Source,
)
from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.analyze.attribution.rules import RULES, classify, is_cue_keyed
from voxmem.records import AskedQuestion
from voxmem.taxonomy import OPERATION_OF, EvidenceType, Subtype

SPEAKER, VOICE, SOUND = (
    EvidenceType.SPEAKER_IDENTITY, EvidenceType.PARALINGUISTIC, EvidenceType.ENVIRONMENTAL,
)  # fmt: skip


def asked(subtype: Subtype, evidence: EvidenceType = SOUND) -> AskedQuestion:
    return question("q0", subtype=subtype, operation=OPERATION_OF[subtype], evidence_type=evidence)


def finding(**facts: Any) -> Finding:
    """A specific answer that names no cue, unless said otherwise."""
    return Finding(**({"commits": "answer", "cue_identified": "no"} | facts))


CASES = {
    "E.5 case 1: compares what two threads are about, and names no delivery": (
        asked(Subtype.AGGREGATION, VOICE),
        finding(commits="generic", source="evidence", relation="unrelated"),
        "recognition",
    ),
    "E.5 case 2: counts ten sessions on the topic, of which two have the speaker": (
        asked(Subtype.COUNTING, SPEAKER),
        finding(source="elsewhere", relation="wrong_count"),
        "recognition",
    ),
    "E.5 case 3: words of another session, where a delivery points to one": (
        asked(Subtype.CUE_TO_FACT, VOICE),
        finding(source="elsewhere", source_session="s26", relation="other_value"),
        "binding",
    ),
    "E.5 case 5: two of three mentions counted": (
        asked(Subtype.COUNTING, SPEAKER),
        finding(source="evidence", relation="wrong_count"),
        "operation",
    ),
    "E.5 case 5b: both deliveries described, called the same": (
        asked(Subtype.MATCHING, VOICE),
        finding(cue_identified="yes", source="evidence", relation="wrong_comparison"),
        "operation",
    ),
    "E.5 case 6: an inventory of sounds that is nowhere": (
        asked(Subtype.AGGREGATION, SOUND),
        finding(source="nowhere", relation="wrong_count"),
        "unsupported",
    ),
    "E.2 (i): names the crackling fire, and does not count": (
        asked(Subtype.COUNTING),
        finding(commits="other_type", cue_identified="yes", source="evidence", relation="not_done"),
        "operation",
    ),
    "E.2 (i): the same without the right cue": (
        asked(Subtype.COUNTING),
        finding(commits="other_type", source="evidence", relation="not_done"),
        "recognition",
    ),
    "E.2 (ii): a wrong verdict over two sessions that were found": (
        asked(Subtype.MATCHING, SPEAKER),
        finding(source="evidence", relation="wrong_comparison"),
        "operation",
    ),
    "E.2 (iii): the answer means what the reference means": (
        asked(Subtype.CONTEXT_TO_CUE, VOICE),
        finding(source="evidence", relation="equivalent"),
        "not_attributable",
    ),
    "Table 19, recognition: commits to nothing": (
        asked(Subtype.HISTORICAL_STATE, VOICE),
        finding(commits="none", source="nowhere", relation="unrelated"),
        "recognition",
    ),
    "Table 19, recognition: another type": (
        asked(Subtype.CUE_TO_FACT),
        finding(commits="other_type", source="nowhere", relation="unrelated"),
        "recognition",
    ),
    "Table 19, recognition: a non-evidence session, and no cue is the key": (
        asked(Subtype.CONTEXT_TO_CUE),
        finding(source="elsewhere", relation="other_value"),
        "recognition",
    ),
    "Table 19, recognition: a wrong value from an evidence session": (
        asked(Subtype.CONTEXT_TO_CUE, VOICE),
        finding(source="evidence", relation="other_value"),
        "recognition",
    ),
    "Table 19, binding: with another speaker": (
        asked(Subtype.HISTORICAL_STATE, SPEAKER),
        finding(source="other_speaker", relation="other_value"),
        "binding",
    ),
    "Table 19, binding: a non-evidence session in Matching": (
        asked(Subtype.MATCHING),
        finding(source="elsewhere", relation="wrong_comparison"),
        "binding",
    ),
    "Table 19, operation: another point on the trajectory": (
        asked(Subtype.LATEST_STATE),
        finding(source="evidence", relation="other_point"),
        "operation",
    ),
    "Table 19, unsupported: specific, and no session has it": (
        asked(Subtype.CONTEXT_TO_CUE),
        finding(source="nowhere", relation="other_value"),
        "unsupported",
    ),
    "words are no cue: Matching over speech semantics": (
        asked(Subtype.MATCHING, EvidenceType.SPEECH_SEMANTICS),
        finding(cue_identified="not_asked", source="elsewhere", relation="wrong_comparison"),
        "recognition",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_cases_of_the_paper(case: str) -> None:
    about, found, wanted = CASES[case]
    assert classify(found, about).error_class == wanted


def test_every_rule_decides_something_and_every_finding_is_decided() -> None:
    """No rule is hidden by those before it, and there is no finding without a class."""
    decided = set()
    for commits, cue, source, relation in product(
        *map(get_args, (Commitment, CueIdentified, Source, Relation))
    ):
        found = Finding(commits=commits, cue_identified=cue, source=source, relation=relation)
        for subtype, evidence in product(Subtype, EvidenceType):
            rule = classify(found, asked(subtype, evidence))
            decided.add(rule.name)
            if rule.error_class == "binding" and source == "elsewhere":
                assert is_cue_keyed(asked(subtype, evidence))
            if rule.error_class == "not_attributable":
                assert relation == "equivalent"
    assert decided == {rule.name for rule in RULES}
    assert {rule.error_class for rule in RULES} == set(ERROR_CLASSES)


def test_stages_come_in_order() -> None:
    """Earliest stage first: binding after recognition, unsupported last of all."""
    order = [rule.error_class for rule in RULES]
    assert order[0] == "not_attributable"
    assert order.index("recognition") < order.index("binding")
    assert order[-1] == "unsupported"
    assert set(order[:-1]) == set(ERROR_CLASSES) - {"unsupported"}
