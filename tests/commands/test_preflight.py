"""``voxmem models preflight`` over a real socket: a server that listens, and one that does not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from tests.evaluate.preflight.listeners import HEARD, speak
from tests.models.fake_openai import USAGE, FakeOpenAI, Request, Step, answers
from voxmem.commands.models import app
from voxmem.evaluate import preflight
from voxmem.models.catalogue import VARIABLE

RATE = 10
"""Tokens that the server counts a second of audio."""


def _parts(request: Request) -> list[list[dict[str, Any]]]:
    """The parts of each user turn."""
    turns = [each["content"] for each in request.body["messages"] if each["role"] == "user"]
    return [[{"type": "text", "text": turn}] if isinstance(turn, str) else turn for turn in turns]


def _answer(request: Request, text: str) -> Step:
    clips = [part for turn in _parts(request) for part in turn if part["type"] == "input_audio"]
    sizes = [len(part["input_audio"]["data"]) * 3 // 4 for part in clips]
    tokens = 50 + sum(-(-size * RATE // 48_000) for size in sizes)
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None}
    message = {"role": "assistant", "content": text, "refusal": None}
    return answers(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "listener",
            "choices": [{**choice, "message": message}],
            "usage": {**USAGE, "prompt_tokens": tokens, "total_tokens": tokens + 9},
        }
    )


def deaf(request: Request) -> Step:
    return _answer(request, "I did not hear anything.")


def honest(request: Request) -> Step:
    """Knows a clip by the id that the dialect of vLLM gives it."""
    turns = _parts(request)
    system = request.body["messages"][0]["content"]
    rule = re.search(r"your whole answer is the word (\w+)", system)
    when = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", turns[-1][-1]["text"])
    if rule:
        return _answer(request, rule[1])
    for first, *rest in turns[:-1]:
        if when and when[0] in first.get("text", ""):
            return _answer(request, HEARD[rest[0]["uuid"]])
    return _answer(request, "what?")


@pytest.fixture
def trying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[int, dict[str, Any]]]:
    """The exit code of a preflight against a server, and what it found."""
    usual = preflight.run.__kwdefaults__ or {}
    monkeypatch.setattr(preflight.run, "__kwdefaults__", {**usual, "speak": speak})

    def run(url: str) -> tuple[int, dict[str, Any]]:
        entry = {
            "name": "mine",
            "title": "Mine",
            "family": "none",
            "group": "omni-modal",
            "backend": "openai",
            "model": "listener",
            "context": 8192,
            "proof": {"status": "not proved", "by": "nothing"},
            "settings": {"base_url": url, "dialect": "vllm"},
        }
        file = tmp_path / "models.yaml"
        file.write_text(yaml.safe_dump({"models": [entry]}))
        monkeypatch.setenv(VARIABLE, str(file))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        arguments = ["preflight", "mine", "--root", str(tmp_path / "root"), "--json"]
        ended = CliRunner().invoke(app, arguments, catch_exceptions=False)
        return ended.exit_code, json.loads(ended.stdout)

    return run


def test_a_server_that_listens_passes_and_is_not_asked_again(
    trying: Callable[[str], tuple[int, dict[str, Any]]],
) -> None:
    with FakeOpenAI(script=honest, strict=False) as server:
        code, found = trying(server.url)
        asked = len(server.requests)
        assert (code, trying(server.url)) == (0, (0, found))
        assert len(server.requests) == asked == found["requests"]
    assert {each["status"] for each in found["findings"]} == {"passed"}
    assert found["tokens_per_second"] == pytest.approx(RATE, rel=0.01)
    clips = [part for turn in _parts(server.requests[-1]) for part in turn if "uuid" in part]
    assert len(clips) == 32


def test_a_server_that_does_not_listen_is_refused(
    trying: Callable[[str], tuple[int, dict[str, Any]]],
) -> None:
    with FakeOpenAI(script=deaf, strict=False) as server:
        code, found = trying(server.url)
    assert code == 1
    assert [(each["check"], each["means"]) for each in found["findings"]] == [
        ("hears clips", "refused")
    ]
