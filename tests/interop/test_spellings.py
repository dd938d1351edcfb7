"""Names of the published dataset that are not known: read by what they say, and said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interop.foreign import Row, item, refusal
from tests.interop.test_published import imported, rejections
from voxmem.errors import InputError
from voxmem.interop.official.fields import id_field, role_field
from voxmem.interop.official.golds import gold_of, gold_value
from voxmem.interop.official.spellings import answer_type, subtype
from voxmem.store.root import Root
from voxmem.taxonomy import SUBTYPES, AnswerType, EvidenceType, Operation, Subtype

MSR, TET, AR = (
    Operation.MULTI_SESSION_REASONING,
    Operation.TEMPORAL_EVOLUTION_TRACKING,
    Operation.ANSWER_REFUSAL,
)


def renamed(row: Row, names: dict[str, str]) -> Row:
    sessions = [
        {names.get(field, field): value for field, value in each.items()}
        for each in row["sessions"]
    ]
    return row | {"sessions": sessions}


def test_a_dataset_in_other_spellings(root: Root, tmp_path: Path) -> None:
    names = {"session_id": "conversation", "role": "haystack"}
    rows = [
        renamed(row, names)
        | {
            "context_length": "32k",
            "evidence_type": "Speaker Information",
            "memory_operation": "Multi-Session Reasoning" if row["paired_question_id"] is None
            else "AR",
            "subtype": "session_count",
            "expected_response": row["expected_response"].replace("_", " ").title(),
        }
        for row in (item(length="32K"), refusal(length="32K"))
    ]  # fmt: skip
    found = imported(root, tmp_path / "data", rows)
    assert rejections(found) == []
    question, denied = found.asked["q_00010"], found.asked["q_00011"]
    assert question.evidence_type is EvidenceType.SPEAKER_IDENTITY
    assert (question.subtype, denied.source_operation) == (Subtype.COUNTING, MSR)
    assert (question.gold, denied.gold) == (2, None)
    assert {history.budget for history in found.histories} == {"32K"}
    assert found.histories[0].placements[1].role == "samekey_haystack"
    assert found.release.counts["note: subtype 'session_count' read as counting"] == 2


def test_an_answer_type_of_no_known_name(root: Root, tmp_path: Path) -> None:
    short = item() | {"answer_type": "short_span", "gold_json": '"the red one"'}
    listed = item("q_2") | {"answer_type": "several", "gold_json": '["a", "b"]'}
    found = imported(root, tmp_path / "data", [short, listed])
    assert found.asked["q_00010"].answer_type is AnswerType.FREE_TEXT
    assert found.release.counts["note: answer_type 'short_span' read as free_text"] == 1
    (rejection,) = rejections(found)
    assert rejection.item == "q_2_8k"
    assert "does not say whether the order of the gold counts" in rejection.reason


def test_what_decides_nothing_may_be_lacking(root: Root, tmp_path: Path) -> None:
    mute = {"answer_normalization": None, "benchmark_version": None, "family_id": None}
    found = imported(root, tmp_path / "data", [item() | mute, item("q_2")])
    assert rejections(found) == []
    assert found.asked["q_00010"].family_id == "q_00010"
    assert found.release.counts["note: rows without a family_id"] == 1


@pytest.mark.parametrize("operation", [MSR, TET, Operation.INFORMATION_EXTRACTION])
def test_every_subtype_is_read(operation: Operation) -> None:
    for kind in SUBTYPES[operation]:
        for text in (kind.value, kind.value.replace("_", "-").title(), f"{operation}/{kind}"):
            assert subtype(text, operation) is kind


def test_subtypes_are_not_guessed() -> None:
    assert subtype("latest", TET) is Subtype.LATEST_STATE
    assert subtype("latest", MSR) is None
    assert subtype("counting_or_matching", MSR) is None
    assert subtype("counting", AR) is Subtype.COUNTING
    assert subtype("", AR) is None


@pytest.mark.parametrize(
    ("text", "normalization", "gold", "kind"),
    [
        ("yes_no", "boolean", True, AnswerType.YES_NO),
        ("Ordered List", "x", ["a"], AnswerType.ORDERED_LIST),
        ("set", "x", ["a"], AnswerType.UNORDERED_SET),
        ("labels", "unordered", ["a"], AnswerType.UNORDERED_SET),
        ("labels", "exact_ordered", ["a"], AnswerType.ORDERED_LIST),
        ("labels", "x", ["a"], None),
        ("x", "y", "b", AnswerType.FREE_TEXT),
        ("x", "y", 3, AnswerType.NUMBER),
        ("x", "y", False, AnswerType.YES_NO),
    ],
)
def test_answer_types(text: str, normalization: str, gold: object, kind: AnswerType | None) -> None:
    assert answer_type(text, normalization, gold) is kind


@pytest.mark.parametrize(
    ("text", "kind", "gold"),
    [
        ("true", AnswerType.YES_NO, "yes"),
        ("false", AnswerType.YES_NO, "no"),
        ('"No"', AnswerType.YES_NO, "no"),
        ("3", AnswerType.NUMBER, 3),
        ("3.0", AnswerType.NUMBER, 3),
        ("2.5", AnswerType.NUMBER, "2.5"),
        ('"4"', AnswerType.NUMBER, 4),
        ('["b", "a", 1]', AnswerType.ORDERED_LIST, ("b", "a", "1")),
        ('["a"]', AnswerType.UNORDERED_SET, ("a",)),
        ('" sad "', AnswerType.CATEGORICAL, "sad"),
        ("7", AnswerType.CATEGORICAL, "7"),
    ],
)
def test_golds(text: str, kind: AnswerType, gold: object) -> None:
    found = gold_of(gold_value(text), kind)
    assert (found, type(found)) == (gold, type(gold))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", AnswerType.CATEGORICAL),
        ("null", AnswerType.CATEGORICAL),
        ("{}", AnswerType.CATEGORICAL),
        ("[]", AnswerType.ORDERED_LIST),
        ('[["a"]]', AnswerType.ORDERED_LIST),
        ('["a", " "]', AnswerType.ORDERED_LIST),
        ('"a"', AnswerType.ORDERED_LIST),
        ('["a"]', AnswerType.FREE_TEXT),
        ("NaN", AnswerType.NUMBER),
        ("1e999", AnswerType.NUMBER),
        ("true", AnswerType.NUMBER),
        ('"maybe"', AnswerType.YES_NO),
        ("1", AnswerType.YES_NO),
    ],
)
def test_golds_that_are_none(text: str, kind: AnswerType) -> None:
    with pytest.raises(InputError, match="the gold"):
        gold_of(gold_value(text), kind)


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda each: each.pop("session_id"), "no field that must be the session id: timestamp"),
        (
            lambda each: each.update(a=each["session_id"], b=each.pop("session_id")),
            "no field that must be the session id: timestamp, role, turns, a, b",
        ),
    ],
)
def test_fields_that_could_be_anything(change: Change, said: str) -> None:
    sessions = item()["sessions"]
    for each in sessions:
        change(each)
    with pytest.raises(InputError, match=said):
        id_field(sessions, ["s1", "s3"])


def test_no_role_label() -> None:
    sessions = [{"session_id": "s1", "role": "x", "kind": "y"}]
    with pytest.raises(InputError, match="must be the role label: session_id, role, kind"):
        role_field(sessions)


def test_a_usual_name_that_says_something_else_is_passed_over() -> None:
    sessions = [each | {"type": "chat", "label": "x"} for each in item()["sessions"]]
    assert role_field(sessions) == "role"
    for each in sessions:
        each["session_type"] = each.pop("role")
    assert role_field(sessions) == "session_type"
