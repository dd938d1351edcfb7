"""Bodies that are made while they are sent: the JSON that they are, and their size to the byte."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from voxmem.messages import AudioPart, Message, TextPart
from voxmem.models.clips import GivenClips
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.wire import Body

NASTY = 'a "quoted" \\ line\nbreak \u2028 {"type":"input_audio"} Grüße \U0001f3b5'


def body(endpoint: ChatEndpoint, messages: list[Message]) -> tuple[bytes, int, int]:
    async def run() -> tuple[bytes, int, int]:
        clips = GivenClips("wav")
        wanted = [part.sha256 for message in messages for part in message.clips]
        async with clips.held(wanted, lambda sha: b"RIFF" + sha.encode() * 20_000):
            made = Body(endpoint, messages, clips)
            chunks = list(made.chunks())
            assert b"".join(chunks) == bytes(made)
            return bytes(made), made.size, max(map(len, chunks))

    return asyncio.run(run())


@pytest.mark.parametrize("dialect", ["openai", "vllm", "dashscope"])
def test_a_body_is_json_of_the_size_it_says(dialect: Any) -> None:
    endpoint = ChatEndpoint(
        base_url="http://x/v1", model=NASTY, dialect=dialect, stream=dialect == "dashscope"
    )
    clip = AudioPart(sha256="ab" * 32, seconds=1.0)
    messages = [
        Message(role="system", parts=(TextPart(text=NASTY),)),
        Message(role="user", parts=(TextPart(text=NASTY), clip)),
        Message(role="assistant", parts=(TextPart(text=NASTY),)),
        Message(role="user", parts=(clip, clip)),
    ]
    data, size, largest = body(endpoint, messages)
    assert len(data) == size
    assert largest < 3_000_000, "no more than a few clips at a time"
    read = json.loads(data)
    assert read["model"] == NASTY
    assert [turn["role"] for turn in read["messages"]] == ["system", "user", "assistant", "user"]
    assert read["messages"][0]["content"] == read["messages"][2]["content"] == NASTY
    assert [part["type"] for part in read["messages"][3]["content"]] == ["input_audio"] * 2


def test_a_body_without_clips_is_json_too() -> None:
    endpoint = ChatEndpoint(base_url="http://x/v1", model="m", extra_body={"top_p": 0.5})
    data, size, _ = body(endpoint, [Message(role="user", parts=(TextPart(text="hi"),))])
    assert len(data) == size
    assert json.loads(data) == {
        "model": "m",
        "max_tokens": 1024,
        "temperature": 0.0,
        "top_p": 0.5,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
    }
