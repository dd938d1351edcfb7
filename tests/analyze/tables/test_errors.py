"""Table 20 of the paper, Figures 7 and 10 and the prose of Appendix E, from rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analyze.attribution.study_64k import study
from tests.analyze.marks import question, scores
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.scores import Scores
from voxmem.analyze.study import Study
from voxmem.analyze.tables import error_counts, error_profiles
from voxmem.analyze.tables.error_counts import ErrorCountRow
from voxmem.analyze.tables.error_profiles import ErrorProfileRow

TABLE_20 = {
    # recognition, binding, operation, unsupported, not attributable, total, cells
    ("subtype", "context_to_cue"): (428, 58, 16, 116, 23, 641, 26),
    ("subtype", "cue_to_fact"): (85, 387, 12, 9, 6, 499, 26),
    ("subtype", "counting"): (61, 0, 97, 18, 1, 177, 20),
    ("subtype", "matching"): (132, 19, 31, 37, 7, 226, 19),
    ("subtype", "aggregation"): (87, 0, 1, 12, 1, 101, 11),
    ("subtype", "latest_state"): (99, 0, 17, 29, 2, 147, 14),
    ("subtype", "historical_state"): (152, 27, 3, 50, 4, 236, 20),
    ("subtype", "evolution"): (117, 4, 8, 56, 1, 186, 17),
    ("evidence", "speaker_identity"): (163, 244, 82, 45, 23, 557, None),
    ("evidence", "paralinguistic"): (707, 178, 71, 49, 18, 1023, None),
    ("evidence", "environmental"): (291, 73, 32, 233, 4, 633, None),
    ("all", "all"): (1161, 495, 185, 327, 45, 2213, None),
}
PROFILES = {
    # macro-averaged, in per cent: Section 4.4 and Appendix E.3
    ("operation", "information_extraction", "binding"): 46,
    ("operation", "multi_session_reasoning", "recognition"): 48,
    ("operation", "multi_session_reasoning", "operation"): 32,
    ("operation", "temporal_evolution_tracking", "recognition"): 55,
    ("operation", "temporal_evolution_tracking", "operation"): 5,
    ("evidence", "speaker_identity", "binding"): 48,
    ("evidence", "paralinguistic", "recognition"): 63,
    ("evidence", "environmental", "recognition"): 41,
    ("evidence", "environmental", "unsupported"): 39,
    ("subtype", "cue_to_fact", "binding"): 78,
    ("subtype", "counting", "operation"): 54,
    ("subtype", "matching", "operation"): 13,
    ("subtype", "aggregation", "recognition"): 89,
}


def profiles() -> dict[tuple[str, str, str], ErrorProfileRow]:
    return {(row.by, row.value, row.error_class): row for row in error_profiles.make(study()).rows}


def test_table_20() -> None:
    rows: dict[tuple[str, str], ErrorCountRow] = {
        (row.by, row.value): row for row in error_counts.make(study()).rows
    }
    for group, (*counts, cells) in TABLE_20.items():
        row = rows[group]
        found = [
            row.recognition, row.binding, row.operation, row.unsupported, row.not_attributable,
            row.attributed,
        ]  # fmt: skip
        assert found == counts, group
        assert cells in (None, row.cells), group


def test_what_is_excluded() -> None:
    row = error_counts.make(study()).rows[-1]
    assert (row.by, row.attempts, row.incorrect) == ("all", 4740, 4137)
    assert (row.refusals, row.empty, row.cut, row.open) == (1595, 167, 162, 0)
    assert row.refusals + row.empty + row.cut + row.attributed == row.incorrect


def test_the_profiles_of_the_figures() -> None:
    rows = profiles()
    for group, wanted in PROFILES.items():
        assert f"{100 * (rows[group].share or 0):.0f}" == str(wanted), group
    subtypes = [row for (by, _, _), row in rows.items() if by == "subtype"]
    binding = [row.share or 0 for row in subtypes if row.error_class == "binding"]
    assert sorted(binding)[-2] < 0.145  # 0 to 14 % beside Cue-to-Fact
    rest = [
        row.share or 0
        for row in subtypes
        if row.error_class == "operation" and row.value not in ("counting", "matching")
    ]
    assert max(rest) < 0.125  # at most 12 %
    pooled = rows["all", "all", "operation"].pooled
    assert f"{100 * (pooled.value or 0):.1f}" == "8.4"
    assert f"{100 * (rows['all', 'all', 'not_attributable'].pooled.value or 0):.1f}" == "2.0"


def test_macro_averages_are_no_pooled_shares() -> None:
    """They differ where the errors of a group are unevenly spread (Appendix E)."""
    rows = profiles()
    speaker = rows["evidence", "speaker_identity", "binding"]
    assert f"{100 * (speaker.pooled.value or 0):.0f}" == "44"


def test_the_rules_that_decided() -> None:
    rows = {row.rule: row.errors for row in error_counts.by_rule(study()).rows}
    assert rows["another point"] == 4


def test_a_cell_needs_five_errors() -> None:
    one = question("q0")
    errors = tuple(_error(f"q{at}") for at in range(5))
    asked = [one, *(question(f"q{at}") for at in range(1, 5))]
    whole = Study(scores([[[3] * 5]], asked), attributions={"rule-1": errors})
    assert {row.share for row in error_profiles.make(whole).rows} == {0.0, 1.0}
    fewer = replace(whole, attributions={"rule-1": errors[:4]})
    assert {row.share for row in error_profiles.make(fewer).rows} == {None}
    row = error_counts.make(fewer).rows[-1]
    assert (row.attributed, row.cells, row.open) == (4, 0, 1)
    assert "rule-1 has not read 1 of 5 wrong responses" in error_counts.make(fewer).notes[-1]
    assert not any("has not read" in note for note in error_counts.make(whole).notes)


@pytest.mark.parametrize("make", [error_counts.make, error_counts.by_rule, error_profiles.make])
def test_nothing_to_attribute_is_an_empty_table_that_says_so(make) -> None:  # type: ignore[no-untyped-def]
    empty = Study(Scores.of([], [], [], "rule-1"))
    assert make(empty).rows == ()
    assert "No model" in make(empty).notes[0]
    unaudited = Study(scores([[[3, 2]]]))
    assert make(unaudited).rows == ()
    assert any("No errors were attributed" in note for note in make(unaudited).notes)


def _error(question_id: str) -> Attribution:
    return Attribution(
        response_id=question_id, item_id=f"{question_id}_8K", question_id=question_id, budget="8K",
        system="m0", arm="audio", auditor="rule-1", error_class="binding", rule="another speaker",
    )  # fmt: skip
