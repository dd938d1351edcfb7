"""The backend ``openai`` against strict servers of the two dialects that go beyond the protocol."""

from __future__ import annotations

import asyncio
import io
import logging
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.models.fake_openai import Step, breaks_off, hangs_up
from tests.models.shapes import dashscope, vllm
from tests.models.shapes.dashscope import DashScopeServer
from tests.models.shapes.dialect import DialectServer, fails, parts_of, says, streams
from tests.models.shapes.vllm import VllmServer
from voxmem.errors import UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.models.entry import ModelEntry
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.served import open_model
from voxmem.prompts import load

QUICK = {"backoff": 0.001, "max_retries": 2}
VLLM = {"dialect": "vllm", **QUICK}
STREAMED = {**VLLM, "stream": True}
DASHSCOPE = {
    "dialect": "dashscope",
    "stream": True,
    "modalities": ["text"],
    "api_key_env": "DASHSCOPE_API_KEY",
    **QUICK,
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHSCOPE_API_KEY", "planted-key-31")


def asked(
    server: DialectServer, settings: dict[str, Any], *items: Item, **fields: Any
) -> list[Reply]:
    """The replies to items, one after the other."""
    entry = ModelEntry.model_validate(
        {
            "name": "shape",
            "title": "Shape",
            "family": "shape",
            "group": "omni-modal",
            "backend": "openai",
            "model": "served",
            "decoding": {"max_output_tokens": 64, "temperature": 0.0, "seed": 3},
            "proof": {"status": "shape proved", "by": "this test"},
            **fields,
            "settings": {"base_url": server.url, **settings},
        }
    )

    async def ask() -> list[Reply]:
        async with open_model(entry).opened() as model:
            told = [arm_named("audio").told(item, load()) for item in items]
            return [await model.answer(one) for one in told]

    return asyncio.run(ask())


def clips_of(item: Item) -> list[str]:
    return [*(clip.sha256 for clip in item.clips.values()), item.question_clip.sha256]


def samples(data: bytes) -> np.ndarray:
    return soundfile.read(io.BytesIO(data), dtype="int16")[0]


# --- vLLM: what is sent -------------------------------------------------------------------------


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
def test_vllm_is_given_every_clip_under_its_hash(item: Item, shelf: Any, audio_format: str) -> None:
    steps = [says("green", usage=vllm.USAGE)] * 2
    with VllmServer(*steps, formats=(audio_format,)) as server:
        first, second = asked(server, {**VLLM, "audio_format": audio_format}, item, item)
    assert server.refused == []
    assert (first.outcome, first.text, second.text) == ("ok", "green", "green")
    assert [sound.uuid for sound in server.sounds[0]] == clips_of(item)
    for sound, sha256 in zip(server.sounds[0], clips_of(item), strict=True):
        assert np.array_equal(samples(sound.data), samples(shelf.bytes[sha256]))
    assert server.sounds[0] == server.sounds[1]
    assert parts_of(server.valid[0]) == [
        ["text", "input_audio"],
        ["input_audio"],
        ["text", "input_audio"],
        ["text", "input_audio"],
    ]
    assert {name: server.valid[0][name] for name in server.valid[0] if name != "messages"} == {
        "model": "served",
        "max_tokens": 64,
        "temperature": 0.0,
        "seed": 3,
    }
    assert first.usage.input_tokens == 812


def test_vllm_is_given_a_folded_text_before_all_else(item: Item) -> None:
    with VllmServer(says("green", usage=vllm.USAGE)) as server:
        asked(server, VLLM, item, delivery="folded")
    assert parts_of(server.valid[0])[0] == ["text", "text", "input_audio"]


def test_vllm_streams_if_it_is_asked_to(item: Item) -> None:
    with VllmServer(streams("in ", "May", usage=vllm.USAGE)) as server:
        [reply] = asked(server, STREAMED, item)
    assert server.valid[0]["stream_options"] == {"include_usage": True}
    assert (reply.outcome, reply.text) == ("ok", "in May")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (812, 9)


# --- vLLM: outcomes -----------------------------------------------------------------------------


def test_vllm_refuses_more_clips_than_its_limit(item: Item) -> None:
    with VllmServer(most=3) as server:
        [reply] = asked(server, VLLM, item)
        assert reply.outcome == "unsupported"
        assert "At most 3 audio(s)" in (reply.error or "")
        assert reply.call.attempts == 1
        sent = len(server.requests)
        [reply] = asked(server, VLLM, item, clips={"most": 3})
        assert reply.outcome == "unsupported"
        assert len(server.requests) == sent


def test_vllm_refuses_a_prompt_beyond_its_context(item: Item) -> None:
    with VllmServer(context=100) as server:
        [reply] = asked(server, VLLM, item)
    assert (reply.outcome, reply.call.attempts) == ("context_overflow", 1)


@pytest.mark.parametrize("settings", [VLLM, STREAMED], ids=["whole", "streamed"])
def test_every_ending_of_vllm_has_its_outcome(item: Item, settings: dict[str, Any]) -> None:
    def ends(text: str, reason: str, **more: Any) -> Step:
        if settings is STREAMED:
            return streams(text, finish_reason=reason, usage=vllm.USAGE, **more)
        return says(text, reason, usage=vllm.USAGE)

    endings = [
        (ends("in May", "stop"), "ok", "in May"),
        (ends("in M", "length"), "truncated", "in M"),
        (ends("", "length"), "truncated_empty", None),
        (ends("", "stop"), "empty", None),
        (ends(" \n", "stop"), "empty", None),
        (error_in_the_flat_shape(), "context_overflow", None),
        (vllm.error(413, "Request Entity Too Large"), "unsupported", None),
    ]
    with VllmServer(*(step for step, _, _ in endings)) as server:
        replies = asked(server, settings, *(item for _ in endings))
    assert [(reply.outcome, reply.text) for reply in replies] == [
        (outcome, text) for _, outcome, text in endings
    ]


def error_in_the_flat_shape() -> Step:
    """As older releases answer."""
    said = "This model's maximum context length is 16384 tokens. However, you requested 122946."
    flat = {"object": "error", "message": said, "type": "BadRequestError", "code": 400}
    return fails(400, flat)


def test_what_may_pass_at_vllm_is_tried_again(item: Item) -> None:
    fine = streams("green", usage=vllm.USAGE)
    inside = '{"error": {"message": "EngineCore died", "type": "InternalServerError", "code": 500}}'
    faults = [
        vllm.error(500, "EngineCore encountered an issue.", "InternalServerError"),
        fails(503, {}),
        hangs_up(),
        breaks_off(fine),
        streams("gre", finish_reason=None, usage=None, tail=f"data: {inside}\n\n"),
        streams("gre", finish_reason="abort", usage=None),
        streams(finish_reason=None, usage=None, tail=""),
    ]
    with VllmServer(*(step for fault in faults for step in (fault, fine))) as server:
        replies = asked(server, STREAMED, *(item for _ in faults))
    assert [(reply.outcome, reply.text, reply.call.attempts) for reply in replies] == [
        ("ok", "green", 2)
    ] * len(faults)


def test_a_model_that_vllm_does_not_serve_stops_the_run(item: Item) -> None:
    with (
        VllmServer(model="another") as server,
        pytest.raises(UsageError, match="correct base_url or model"),
    ):
        asked(server, VLLM, item)


def test_the_server_of_vllm_refuses_the_other_dialects(item: Item) -> None:
    with VllmServer() as server:
        for settings in (QUICK, {**DASHSCOPE, "modalities": []}):
            assert [reply.outcome for reply in asked(server, settings, item)] == ["error"]
    assert server.valid == []


# --- DashScope: what is sent --------------------------------------------------------------------


def test_dashscope_is_given_uris_and_asked_for_a_stream_with_usage(item: Item, shelf: Any) -> None:
    with DashScopeServer(streams("in ", "May", usage=dashscope.USAGE)) as server:
        [reply] = asked(server, DASHSCOPE, item)
    assert server.refused == []
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "in May", "stop")
    for sound, sha256 in zip(server.sounds[0], clips_of(item), strict=True):
        assert np.array_equal(samples(sound.data), samples(shelf.bytes[sha256]))
    assert server.requests[0].headers["authorization"] == "Bearer planted-key-31"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (640, 31)
    assert reply.usage.thinking_tokens == 22


def test_dashscope_tells_audio_and_cached_tokens(item: Item) -> None:
    with DashScopeServer(streams("in May", usage=dashscope.USAGE)) as server:
        [reply] = asked(server, DASHSCOPE, item)
    assert (reply.usage.audio_tokens, reply.usage.cached_tokens) == (500, 256)


def test_dashscope_takes_a_field_of_its_own(item: Item) -> None:
    with DashScopeServer(streams("in May", usage=dashscope.USAGE)) as server:
        asked(server, {**DASHSCOPE, "extra_body": {"reasoning_effort": "none"}}, item)
    assert server.valid[0]["reasoning_effort"] == "none"


def test_an_entry_of_dashscope_without_a_stream_is_refused_before_anything_is_sent(
    item: Item,
) -> None:
    with DashScopeServer() as server:
        with pytest.raises(UsageError, match="set stream to true"):
            asked(server, {**DASHSCOPE, "stream": False}, item)
        assert server.requests == []


# --- DashScope: outcomes ------------------------------------------------------------------------


def test_every_ending_of_dashscope_has_its_outcome(item: Item) -> None:
    refused = "Input data may contain inappropriate content."
    inside = '{"error": {"code": "data_inspection_failed", "message": "Output data may be."}}'
    endings: list[tuple[Step, str, str | None]] = [
        (streams("in M", finish_reason="length", usage=dashscope.USAGE), "truncated", "in M"),
        (
            streams(finish_reason="length", usage=dashscope.USAGE, thoughts=("Let me see",)),
            "truncated_empty",
            None,
        ),
        (streams(finish_reason="stop", usage=dashscope.USAGE), "empty", None),
        (
            streams(finish_reason="stop", usage=dashscope.USAGE, thoughts=("Well",)),
            "empty",
            None,
        ),
        (streams("May", finish_reason="content_filter", usage=None), "blocked", "May"),
        (dashscope.error(400, "data_inspection_failed", refused), "rejected", None),
        (dashscope.error(400, "DataInspectionFailed", refused), "rejected", None),
        (streams(finish_reason=None, usage=None, tail=f"data: {inside}\n\n"), "rejected", None),
    ]
    with DashScopeServer(*(step for step, _, _ in endings)) as server:
        replies = asked(server, DASHSCOPE, *(item for _ in endings))
    assert [(reply.outcome, reply.text) for reply in replies] == [
        (outcome, text) for _, outcome, text in endings
    ]
    assert {reply.call.attempts for reply in replies} == {1}
    # The usage chunk is kept as evidence that an empty generation ran.
    assert [reply.usage.input_tokens for reply in replies[1:4]] == [640] * 3


@pytest.mark.parametrize(
    ("limits", "outcome"),
    [({"longest_input": 20}, "context_overflow"), ({"longest_seconds": 1.0}, "unsupported")],
)
def test_dashscope_refuses_what_is_too_long(
    item: Item, limits: dict[str, Any], outcome: str
) -> None:
    with DashScopeServer(**limits) as server:
        [reply] = asked(server, DASHSCOPE, item)
    assert (reply.outcome, reply.call.attempts) == (outcome, 1)


def test_dashscope_limits_the_rate(item: Item) -> None:
    said = "You exceeded your current requests list."
    limited = dashscope.error(429, "limit_requests", said, **{"Retry-After": "0.05"})
    with DashScopeServer(limited, streams("green", usage=dashscope.USAGE)) as server:
        [reply] = asked(server, DASHSCOPE, item)
    assert (reply.outcome, reply.call.attempts) == ("ok", 2)
    quota = dashscope.error(429, "insufficient_quota", "You exceeded your current quota.")
    with DashScopeServer(quota) as server, pytest.raises(UsageError, match="settle the account"):
        asked(server, DASHSCOPE, item)
    assert len(server.valid) == 1


def test_a_key_of_another_region_stops_the_run_and_is_never_shown(
    item: Item, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DASHSCOPE_API_KEY", "of-another-region-55")
    with (
        DashScopeServer() as server,
        pytest.raises(UsageError, match="DASHSCOPE_API_KEY") as caught,
    ):
        asked(server, DASHSCOPE, item)
    assert "region-55" not in str(caught.value) + caplog.text


def test_the_server_of_dashscope_refuses_the_other_dialects(item: Item) -> None:
    with DashScopeServer() as server:
        other = {**DASHSCOPE, "dialect": "vllm"}
        assert [reply.outcome for reply in asked(server, other, item)] == ["error"]
        silent = {**DASHSCOPE, "modalities": []}
        assert [reply.outcome for reply in asked(server, silent, item)] == ["error"]
    assert server.valid == []
