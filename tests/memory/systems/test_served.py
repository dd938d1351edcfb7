"""A model of the catalogue, behind its protocol, that reads what memories kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.memory.systems.scripted import SYSTEM, Say, told
from tests.models.fake_openai import FakeOpenAI, Request, Step, says
from voxmem.memory.systems.summariser import PROMPT
from voxmem.models.outcome import Reply
from voxmem.models.registry import create
from voxmem.records import Usage

HISTORY = [
    [Say("I paid for the fern by cash."), "Noted."],
    [Say("The fern costs 9 euros.", voice=1), "All right."],
]
ENTRY = """
models:
  - name: reader
    title: Reader
    family: reader
    group: text
    backend: openai
    model: reader-1
    price:
      tiers: [{{up_to: 1000, input_text: 1.0, input_audio: 1.0, output: 10.0}},
              {{input_text: 100.0, input_audio: 100.0, output: 100.0}}]
      as_of: "2026-01-01"
      source: made up
    proof: {{status: not proved, by: nothing}}
    settings: {{base_url: "{url}"}}
"""


def script(request: Request) -> Step:
    """Notes or an answer."""
    return says("notes" if request.body["messages"][0]["content"] == PROMPT else "by cash")


def answered(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Reply, list[Request]]:
    """What a system of that name answers, and what the server was asked."""
    item, ears = told(HISTORY, Say("How did I pay?"))
    monkeypatch.setenv("VOXMEM_CACHE", str(folder / "cache"))
    monkeypatch.setenv("VOXMEM_MODELS", str(folder / "models.yaml"))

    async def run() -> Reply:
        system = replace(create(name), perceive=lambda: ears)  # type: ignore[type-var]
        async with system.opened() as ready:
            return await ready.answer(item)

    with FakeOpenAI(script=script) as server:
        (folder / "models.yaml").write_text(ENTRY.format(url=server.url))
        return asyncio.run(run()), list(server.requests)


def flat(request: Request) -> list[tuple[str, str]]:
    """Role and text of every message."""
    return [
        (
            message["role"],
            message["content"]
            if isinstance(message["content"], str)
            else "\n".join(part["text"] for part in message["content"]),
        )
        for message in request.body["messages"]
    ]


def test_a_store_of_speakers_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reply, (request,) = answered("speaker-store@reader", tmp_path, monkeypatch)

    assert (reply.outcome, reply.text) == ("ok", "by cash")
    assert flat(request) == [
        ("system", SYSTEM),
        ("user", "Session timestamp: 2024-03-01 12:00\nVoice A: I paid for the fern by cash."),
        ("assistant", "Noted."),
        ("user", "Session timestamp: 2024-03-02 12:00\nVoice B: The fern costs 9 euros."),
        ("assistant", "All right."),
        ("user", "Session timestamp: 2024-06-09 12:00\nVoice A: How did I pay?"),
    ]


def test_a_summary_is_written_and_read_and_every_call_is_priced_by_its_own_tier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply, requests = answered("summary@reader", tmp_path, monkeypatch)

    assert reply.text == "by cash"
    assert len(requests) == 3
    assert [role for role, _ in flat(requests[-1])] == [
        "system", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert flat(requests[-1])[2] == ("assistant", "My notes: notes")
    assert reply.usage == Usage(input_tokens=3 * 812, output_tokens=3 * 9, thinking_tokens=3 * 4)
    assert reply.call.dollars == pytest.approx(3 * (812 * 1.0 + 9 * 10.0) / 1e6)


def test_notes_outlive_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered("summary@reader", tmp_path, monkeypatch)
    monkeypatch.undo()

    reply, requests = answered("summary@reader", tmp_path, monkeypatch)  # at another address

    assert [request.body["messages"][0]["content"] for request in requests] == [SYSTEM]
    assert reply.call.notes[-1] == "0 of 2 notes written for this item"
    assert reply.usage.input_tokens == 812
