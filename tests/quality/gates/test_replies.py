"""Replies are read strictly, and what is asked for is what servers can enforce."""

from __future__ import annotations

import json

import pytest

from tests.models.fake_openai import check_request
from voxmem.models.outcome import Reply
from voxmem.models.text.schema import wire_schema
from voxmem.quality.gates.catalogue import GATES
from voxmem.quality.gates.prompts import prompt
from voxmem.quality.gates.replies import Audit, Guess, RefusalAudit, Solution, parse

GOOD = '{"why": "w", "verdict": "likely", "answer": "a", "sessions": ["S1"]}'


def said(text: str | None, finish_reason: str = "stop") -> Reply:
    return Reply(outcome="ok", text=text, finish_reason=finish_reason)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"<think>maybe {{x}}</think>\n{GOOD}",
        f"<thinking>\nno\n</thinking>```json\n{GOOD}```",
    ],
)
def test_one_object_is_read(text: str) -> None:
    found = parse(said(text), Solution)
    assert isinstance(found, Solution)
    assert (found.verdict, found.answer, found.sessions) == ("likely", "a", ["S1"])


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "likely a",
        GOOD[:-1],
        f"Here you are: {GOOD}",
        f"{GOOD} {GOOD}",
        f"[{GOOD}]",
        GOOD.replace('"likely"', '"maybe"'),
        GOOD.replace('"likely"', "true"),
        GOOD.replace('"a"', "null"),
        GOOD.replace('["S1"]', '"S1"'),
        GOOD.replace('"why": "w", ', ""),
        GOOD.replace('"why"', '"Why"'),
        GOOD[:-1] + ', "sure": 1}',
        GOOD[:-1] + ', "verdict": "determined"}',
        GOOD.replace('"', "'"),
        "[" * 3000,
    ],
)
def test_everything_else_is_not(text: str | None) -> None:
    assert isinstance(parse(said(text), Solution), str)


def test_a_repeated_key_inside_a_problem_is_seen() -> None:
    problem = '{"kind": "leak", "kind": "alternative", "answer": "", "sessions": [], "quote": ""}'
    found = parse(said(f'{{"why": "", "problems": [{problem}]}}'), Audit)
    assert found == "a key occurs twice in one object"


def test_a_reply_that_was_cut_off_is_not_read_even_if_it_parses() -> None:
    assert "cut off" in str(parse(said(GOOD, "length"), Solution))


@pytest.mark.parametrize("shape", [Guess, Solution, Audit, RefusalAudit])
def test_servers_are_sent_closed_schemas(shape: type[Solution]) -> None:
    schema = wire_schema(shape)
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    assert next(iter(schema["properties"])) == "why", "a verdict comes after its reasons"
    assert "$ref" not in json.dumps(schema)
    wanted = {"name": shape.__name__, "strict": True, "schema": schema}
    check_request(
        {
            "model": "m",
            "messages": [{"role": "user", "content": "?"}],
            "response_format": {"type": "json_schema", "json_schema": wanted},
        }
    )


def test_a_refusal_audit_knows_one_problem_alone() -> None:
    problem = {"kind": "leak", "answer": "a", "sessions": ["S1"], "quote": "q"}
    assert isinstance(
        parse(said(json.dumps({"why": "", "problems": [problem]})), RefusalAudit), str
    )


class TestPrompts:
    @pytest.mark.parametrize("gate", GATES, ids=[gate.name for gate in GATES])
    def test_each_gate_has_its_own(self, gate: object) -> None:
        for name in gate.prompts:  # type: ignore[attr-defined]
            text = prompt(name)
            assert len(text.sha256) == 64
            assert "Reply with one JSON object and nothing else" in text.text

    @pytest.mark.parametrize(
        ("name", "shape"),
        [
            ("question_only", Guess),
            ("acoustic_transcript", Solution),
            ("acoustic_control", Solution),
            ("answer_validity", Solution),
            ("full_history", Audit),
            ("full_history_refusal", RefusalAudit),
        ],
    )
    def test_they_describe_the_shape_that_is_read(self, name: str, shape: type[Solution]) -> None:
        text = prompt(name).text
        for field in _names(wire_schema(shape)):
            assert f'"{field}"' in text


def _names(schema: dict[str, object]) -> list[str]:
    """Every field and every permitted word of a schema."""
    names: list[str] = list(schema.get("properties", {}))  # type: ignore[call-overload]
    names += schema.get("enum", [])  # type: ignore[arg-type]
    names += [schema["const"]] if "const" in schema else []  # type: ignore[list-item]
    for inner in (*schema.get("properties", {}).values(), schema.get("items")):  # type: ignore[attr-defined]
        names += _names(inner) if inner else []
    return names
