"""The client against a server over real sockets: what it sends, and how it takes what comes."""

from __future__ import annotations

import asyncio
import io
import logging
import time
import traceback
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np
import openai
import pytest
import soundfile
from openai.types.chat import ChatCompletion

from tests.models.fake_openai import (
    FakeOpenAI,
    Step,
    answers,
    babbles,
    breaks_off,
    fails,
    hangs_up,
    says,
    slowly,
    streams,
)
from voxmem.errors import InputError, UsageError
from voxmem.messages import AudioPart, Message, TextPart, build_messages
from voxmem.models.audio import AudioCache
from voxmem.models.chat import ChatClient
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.records import Clip, Usage

HELLO = (Message(role="user", parts=(TextPart(text="hello"),)),)
KEY = "planted-key-5f1d3c"


def no_audio(sha256: str) -> bytes:
    raise AssertionError(f"no clip was expected, {sha256} was read")


def endpoint(server: FakeOpenAI, **settings: Any) -> ChatEndpoint:
    return ChatEndpoint(**{"base_url": server.url, "model": "m-1", **settings})


class Waits(list[float]):
    """Stands in for sleeping and remembers how long."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def ask(
    server: FakeOpenAI,
    *,
    messages: tuple[Message, ...] = HELLO,
    audio: Callable[[str], bytes] = no_audio,
    waits: Waits | None = None,
    **settings: Any,
) -> Reply:
    async def run() -> Reply:
        sleep = Waits() if waits is None else waits
        async with ChatClient(endpoint(server, **settings), sleep=sleep) as client:
            return await client.complete(messages, audio=audio)

    return asyncio.run(run())


def conversation(item: Item, **how: Any) -> tuple[Message, ...]:
    return build_messages(
        "Be brief.",
        item.spoken_sessions(),
        item.question.query_timestamp,
        item.question_clip,
        **how,
    )


# --- the fake is the real protocol ----------------------------------------------------------------


def test_the_official_client_understands_the_fake() -> None:
    with FakeOpenAI(says("a plum"), streams("a ", "plum"), fails(429)) as server:
        client = openai.OpenAI(base_url=server.url, api_key="k", max_retries=0)
        turn: Any = [{"role": "user", "content": "what?"}]
        whole = client.chat.completions.create(model="m", messages=turn)
        assert isinstance(whole, ChatCompletion)
        assert whole.choices[0].message.content == "a plum"
        chunks = list(client.chat.completions.create(model="m", messages=turn, stream=True))
        assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "a plum"
        assert chunks[-1].usage is not None
        assert chunks[-1].usage.prompt_tokens == 812
        with pytest.raises(openai.RateLimitError):
            client.chat.completions.create(model="m", messages=turn)


@pytest.mark.parametrize(
    "body",
    [
        {"model": "m"},
        {"model": "m", "messages": [{"role": "model", "content": "x"}]},
        {"model": "m", "messages": [{"role": "user", "content": [{"type": "input_audio"}]}]},
        {"model": "m", "messages": [{"role": "user", "content": "x"}], "max_token": 3},
    ],
)
def test_the_fake_refuses_what_is_no_chat_request(body: dict[str, Any]) -> None:
    import httpx

    with FakeOpenAI(says("never said")) as server:
        assert httpx.post(f"{server.url}/chat/completions", json=body).status_code == 400
        assert server.requests == []


# --- what is sent ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["openai", "vllm", "dashscope"])
def test_every_field_of_the_request(
    item: Item, dialect: str, samples_of: Callable[[Clip], np.ndarray]
) -> None:
    settings: dict[str, Any] = {
        "dialect": dialect,
        "max_output_tokens": 64,
        "max_output_tokens_field": "max_completion_tokens",
        "temperature": 0.25,
        "seed": 11,
        "modalities": ["text"],
        "stream": dialect == "dashscope",
        "extra_body": {"top_p": 0.5},
    }
    with FakeOpenAI(streams("green") if dialect == "dashscope" else says("green")) as server:
        reply = ask(
            server,
            messages=conversation(item),
            audio=AudioCache("wav").over(item.read_audio),
            **settings,
        )
    assert reply.outcome == "ok"
    (request,) = server.requests
    body = dict(request.body)
    turns = body.pop("messages")
    expected: dict[str, Any] = {
        "model": "m-1",
        "max_completion_tokens": 64,
        "temperature": 0.25,
        "seed": 11,
        "modalities": ["text"],
        "top_p": 0.5,
    }
    if dialect == "dashscope":
        expected |= {"stream": True, "stream_options": {"include_usage": True}}
    assert body == expected

    assert [turn["role"] for turn in turns] == [
        "system", "user", "assistant", "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert turns[0]["content"] == "Be brief."
    assert [turns[i]["content"] for i in (2, 4, 6)] == [
        "A green lamp, noted.",
        "Forty it is.",
        "Have a good trip — Grüße!",
    ]
    users = [turns[i]["content"] for i in (1, 3, 5, 7)]
    texts = [[part["text"] for part in parts if part["type"] == "text"] for parts in users]
    assert texts == [
        ["Session timestamp: 2025-06-17 09:27"],
        [],
        ["Session timestamp: 2025-07-02 18:05"],
        ["Session timestamp: 2025-09-01 07:44"],
    ]
    clips = [*item.clips.values(), item.question_clip]
    for parts, clip in zip(users, clips, strict=True):
        assert parts[-1]["type"] == "input_audio"  # the time comes before the audio
        assert parts[-1].get("uuid") == (clip.sha256 if dialect == "vllm" else None)
        sent = parts[-1]["input_audio"]
        assert set(sent) == {"data", "format"}
        assert sent["format"] == "wav"
        data = sent["data"]
        if dialect == "dashscope":
            assert data.startswith("data:;base64,")
            data = data.removeprefix("data:;base64,")
        wav = io.BytesIO(b64decode(data, validate=True))
        info = soundfile.info(wav)
        assert (info.format, info.subtype) == ("WAV", "PCM_16")
        assert (info.samplerate, info.channels, info.frames) == (24_000, 1, clip.samples)
        wav.seek(0)
        np.testing.assert_array_equal(soundfile.read(wav, dtype="int16")[0], samples_of(clip))
    assert "SECRET" not in str(request.body)


def test_optional_fields_stay_out() -> None:
    with FakeOpenAI(says("hi")) as server:
        ask(server, temperature=None)
    assert set(server.requests[0].body) == {"model", "messages", "max_tokens"}


def test_stored_flac_is_sent_as_it_is(item: Item) -> None:
    with FakeOpenAI(says("green"), strict=False) as server:
        ask(
            server,
            messages=conversation(item),
            audio=item.read_audio,
            dialect="vllm",
            audio_format="flac",
        )
    part = server.requests[0].body["messages"][-1]["content"][-1]["input_audio"]
    assert part["format"] == "flac"
    assert b64decode(part["data"]) == item.read_audio(item.question_clip.sha256)


def test_a_clip_under_the_wrong_format_is_not_sent(item: Item) -> None:
    with FakeOpenAI(says("green")) as server:
        with pytest.raises(InputError, match="not WAV") as caught:
            ask(server, messages=conversation(item), audio=item.read_audio)
        assert caught.value.item in {clip.sha256 for clip in item.clips.values()}
        assert server.requests == []


def test_folded_system_text_leads_the_first_user_turn(item: Item) -> None:
    with FakeOpenAI(says("green")) as server:
        ask(
            server,
            messages=conversation(item, delivery="folded"),
            audio=AudioCache("wav").over(item.read_audio),
        )
    turns = server.requests[0].body["messages"]
    assert turns[0]["role"] == "user"
    assert [part.get("text") for part in turns[0]["content"]] == [
        "Be brief.",
        "Session timestamp: 2025-06-17 09:27",
        None,
    ]
    assert "system" not in {turn["role"] for turn in turns}


# --- outcomes -------------------------------------------------------------------------------------

OVERFLOW = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."


@pytest.mark.parametrize(
    ("step", "outcome", "text", "finish"),
    [
        (says("in May"), "ok", "in May", "stop"),
        (says("null"), "ok", "null", "stop"),
        (says("in May", None), "ok", "in May", None),
        (says(""), "empty", None, "stop"),
        (says(None), "empty", None, "stop"),
        (says(" \n"), "empty", None, "stop"),
        (says("in M", "length"), "truncated", "in M", "length"),
        (says(None, "length"), "truncated_empty", None, "length"),
        (says(None, "content_filter"), "blocked", None, "content_filter"),
        (says("in", "content_filter"), "blocked", "in", "content_filter"),
        (says(None, refusal="I cannot say."), "ok", "I cannot say.", "stop"),
    ],
)
def test_generations(step: Step, outcome: str, text: str | None, finish: str | None) -> None:
    with FakeOpenAI(step) as server:
        reply = ask(server)
    assert len(server.requests) == 1
    assert (reply.outcome, reply.text, reply.finish_reason) == (outcome, text, finish)
    assert reply.error is None
    assert reply.usage == Usage(input_tokens=812, output_tokens=9, thinking_tokens=4)


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (
            fails(400, OVERFLOW, code="context_length_exceeded", param="messages"),
            "context_overflow",
        ),
        (fails(400, OVERFLOW, param="max_tokens"), "context_overflow"),
        (fails(400, "Range of input length should be [1, 98304]"), "context_overflow"),
        (fails(400, "Output data may contain…", code="data_inspection_failed"), "rejected"),
        (fails(400, "Input data may contain…", code="DataInspectionFailed"), "rejected"),
        (fails(400, "filtered", code="content_filter"), "rejected"),
        (fails(403, "flagged", code="content_policy_violation"), "rejected"),
        (fails(400, "At most 1 audio(s) may be provided in one prompt."), "unsupported"),
        (fails(413, "too large"), "unsupported"),
        (fails(400, "something else"), "error"),
        (fails(400, "max_tokens must be at least 1, got -186."), "context_overflow"),
        (fails(400, "Multimodal file size is too large"), "unsupported"),
        (fails(400, "Exceeded limit on max bytes per data-uri item"), "unsupported"),
        (fails(400, "Failed to load audio: file too large"), "unsupported"),
        (answers({"error": {"message": "no", "code": "data_inspection_failed"}}), "rejected"),
    ],
)
def test_refusals_that_no_retry_can_change(step: Step, outcome: str) -> None:
    waits = Waits()
    with FakeOpenAI(step, says("never asked for")) as server:
        reply = ask(server, waits=waits)
    assert (len(server.requests), waits) == (1, [])
    assert (reply.outcome, reply.text, reply.call.attempts) == (outcome, None, 1)
    assert reply.error


@pytest.mark.parametrize(
    "step",
    [
        fails(500),
        fails(503),
        fails(429),
        Step(status=502, body=b"<html>bad gateway</html>", content_type="text/html"),
        hangs_up(),
        breaks_off(says("half an answer")),
        babbles(),
        babbles(b""),
        babbles(b"[]"),
        answers({"choices": []}),
        answers({"choices": [{"finish_reason": "stop"}]}),
        answers({"error": {"message": "upstream", "code": 503}}),
        says("partly", "error"),
        streams("half", finish_reason=None, done=False),
        breaks_off(streams("half an answer and more of it")),
    ],
)
def test_transient_failures_are_tried_again(step: Step) -> None:
    waits = Waits()
    with FakeOpenAI(step, step, says("at last")) as server:
        reply = ask(server, waits=waits)
    assert (reply.outcome, reply.text, reply.error) == ("ok", "at last", None)
    assert reply.call.attempts == len(server.requests) == 3
    assert server.requests[0].body == server.requests[2].body
    assert len(waits) == 2
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0

    with FakeOpenAI(*[step] * 9) as server:
        reply = ask(server, max_retries=2)
    assert (reply.outcome, reply.text, reply.call.attempts) == ("error", None, 3)
    assert reply.error
    assert len(server.requests) == 3


def test_no_server_is_an_error_too() -> None:
    with FakeOpenAI() as server:
        pass
    reply = ask(server, max_retries=1)
    assert (reply.outcome, reply.call.attempts) == ("error", 2)
    assert reply.error is not None
    assert reply.error.startswith("connection: ")


def test_a_slow_server_times_out_and_is_asked_again() -> None:
    started = time.monotonic()
    with FakeOpenAI(slowly(says("late"), 30), says("in time")) as server:
        reply = ask(server, timeout=0.3)
        assert (reply.outcome, reply.text, len(server.requests)) == ("ok", "in time", 2)
    with FakeOpenAI(slowly(says("late"), 30)) as server:
        reply = ask(server, timeout=0.3, max_retries=0)
    assert reply.outcome == "error"
    assert reply.error == "timeout: no complete response within 0.3 s"
    assert time.monotonic() - started < 5


# --- how long it waits ----------------------------------------------------------------------------


def test_retry_after_is_honoured_in_seconds_and_as_a_date() -> None:
    dated = {
        "Date": "Tue, 29 Sep 2026 00:00:00 GMT",
        "Retry-After": "Tue, 29 Sep 2026 00:00:40 GMT",
    }
    waits = Waits()
    with FakeOpenAI(
        fails(429, headers={"Retry-After": "7"}), fails(503, headers=dated), says("now")
    ) as server:
        assert ask(server, waits=waits).call.attempts == 3
    assert len(waits) == 2
    assert 7 <= waits[0] <= 7.5
    assert 40 <= waits[1] <= 40.5


def test_a_wait_beyond_the_limit_is_not_shortened_but_ends_the_call() -> None:
    waits = Waits()
    with FakeOpenAI(fails(429, headers={"Retry-After": "900"}), says("never")) as server:
        reply = ask(server, waits=waits, max_wait=60)
    assert (reply.outcome, len(server.requests), waits) == ("error", 1, [])
    assert reply.error == "HTTP 429: it went wrong (asks to wait 900 s)"


def test_waits_are_the_same_in_every_run_and_differ_between_requests() -> None:
    def waits_for(text: str) -> Waits:
        waits = Waits()
        with FakeOpenAI(*[fails(500)] * 5) as server:
            ask(server, waits=waits, messages=(Message(role="user", parts=(TextPart(text=text),)),))
        return waits

    assert waits_for("a") == waits_for("a") != waits_for("b")
    assert len(waits_for("a")) == 4


def test_real_sleeping_waits() -> None:
    async def run(server: FakeOpenAI) -> Reply:
        async with ChatClient(endpoint(server, backoff=0.01)) as client:
            return await client.complete(HELLO, audio=no_audio)

    started = time.monotonic()
    with FakeOpenAI(fails(429, headers={"Retry-After": "0.4"}), says("now")) as server:
        assert asyncio.run(run(server)).text == "now"
    assert time.monotonic() - started >= 0.4


def test_no_more_requests_at_once_than_allowed() -> None:
    async def run(server: FakeOpenAI) -> list[Reply]:
        async with ChatClient(endpoint(server, concurrency=3)) as client:
            return list(
                await asyncio.gather(*(client.complete(HELLO, audio=no_audio) for _ in range(9)))
            )

    with FakeOpenAI(script=lambda _: slowly(says("yes"), 0.05)) as server:
        replies = asyncio.run(run(server))
    assert [reply.text for reply in replies] == ["yes"] * 9
    assert server.most_open == 3


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [-5, 10**30, "7", 1.5, True])
def test_usage_that_no_model_can_have_is_not_believed(tokens: object) -> None:
    usage = {"prompt_tokens": tokens, "completion_tokens": 3}
    said = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": usage}
    with FakeOpenAI(answers(said)) as server:
        reply = ask(server)
    assert reply.usage == Usage(output_tokens=3)


@pytest.mark.parametrize("step", [answers({"x": "y" * 9_000_000}), streams("y" * 9_000_000)])
def test_an_answer_without_end_is_cut_off(step: Step) -> None:
    with FakeOpenAI(step) as server:
        reply = ask(server, max_retries=0)
    assert reply.outcome == "error"
    assert "more than 8388608 bytes came" in str(reply.error)
    assert reply.call.possibly_billed == 1


def test_half_a_surrogate_pair_can_be_kept() -> None:
    body = b'{"choices": [{"message": {"content": "ok \\ud83d"}, "finish_reason": "stop"}]}'
    with FakeOpenAI(babbles(body)) as server:
        reply = ask(server)
    assert (reply.outcome, reply.text) == ("ok", "ok \ufffd")
    assert reply.model_dump_json()


def test_a_stream_is_one_answer_with_its_usage() -> None:
    with FakeOpenAI(streams("the ", "grüne\u2028", "Lampe")) as server:
        reply = ask(server, stream=True)
    assert server.requests[0].body["stream_options"] == {"include_usage": True}
    assert (reply.outcome, reply.text) == ("ok", "the grüne\u2028Lampe")
    assert reply.finish_reason == "stop"
    assert reply.usage == Usage(input_tokens=812, output_tokens=9, thinking_tokens=4)


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (streams(), "empty"),
        (streams("in M", finish_reason="length"), "truncated"),
        (streams(finish_reason="length"), "truncated_empty"),
        (streams(finish_reason="content_filter"), "blocked"),
        (streams("in May", finish_reason=None), "ok"),
        (streams("in May", done=False), "ok"),
    ],
)
def test_how_streams_end(step: Step, outcome: str) -> None:
    with FakeOpenAI(step) as server:
        reply = ask(server, stream=True)
    assert (reply.outcome, len(server.requests)) == (outcome, 1)
    assert reply.usage.input_tokens == 812


def test_an_error_inside_a_stream() -> None:
    refused = Step(
        body=b'data: {"error": {"code": "data_inspection_failed", "message": "no"}}\n\n',
        content_type="text/event-stream",
    )
    with FakeOpenAI(refused, strict=False) as server:
        assert ask(server, stream=True).outcome == "rejected"


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "settings", "remedy"),
    [
        (
            fails(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead.",
                code="unsupported_parameter",
                param="max_tokens",
            ),
            {},
            "max_output_tokens_field to max_completion_tokens",
        ),
        (
            fails(400, "Unsupported value: 'temperature' does not support 0", param="temperature"),
            {},
            "temperature to null",
        ),
        (fails(400, "Unrecognized request argument: 'seed'"), {"seed": 3}, "seed to null"),
        (fails(400, "unknown field `top_k`"), {"extra_body": {"top_k": 1}}, "'top_k' out of extra"),
        (fails(401, "who are you"), {}, "api_key_env"),
        (fails(403, "not for you"), {}, "api_key_env"),
        (fails(404, "no such model"), {}, "base_url or model"),
        (fails(429, "quota used up", code="insufficient_quota"), {}, "settle the account"),
        (fails(400, "Access denied", code="Arrearage"), {}, "settle the account"),
        (Step(status=307, headers={"Location": "/elsewhere"}), {}, "base_url or model"),
    ],
)
def test_wrong_settings_stop_the_run_and_name_the_remedy(
    step: Step, settings: dict[str, Any], remedy: str
) -> None:
    with FakeOpenAI(step, says("never"), strict=False) as server:
        with pytest.raises(UsageError, match=remedy) as caught:
            ask(server, **settings)
        assert len(server.requests) == 1
    assert caught.value.item == "m-1"


def test_a_field_that_was_not_sent_is_no_matter_of_settings() -> None:
    refusal = fails(400, "Unsupported value: 'seed'", param="seed")
    with FakeOpenAI(refusal) as server:
        assert ask(server).outcome == "error"
    with FakeOpenAI(refusal) as server, pytest.raises(UsageError):
        ask(server, seed=1)
    with FakeOpenAI(fails(400, "bad messages", param="messages")) as server:
        assert ask(server).outcome == "error"


# --- the key --------------------------------------------------------------------------------------


def test_the_key_is_sent_and_shown_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []

    async def run(server: FakeOpenAI) -> None:
        settings = endpoint(server, api_key_env="PLANTED_KEY", max_retries=1)
        async with ChatClient(settings, sleep=Waits()) as client:
            for _ in range(3):
                reply = await client.complete(HELLO, audio=no_audio)
                shown.extend((repr(reply), reply.model_dump_json()))
            shown.extend((repr(client), repr(vars(client)), repr(settings), str(settings.identity)))
            with pytest.raises(UsageError) as caught:
                await client.complete(HELLO, audio=no_audio)
            shown.extend(traceback.format_exception(caught.value))

    echo = f"the key {KEY} of account 7 is over its rate"
    with FakeOpenAI(
        fails(429, echo), fails(429, echo), hangs_up(), hangs_up(), says("hi"), fails(401, echo),
        key=KEY,
    ) as server:  # fmt: skip
        asyncio.run(run(server))
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    assert any("[key]" in line for line in shown)
    assert len(caplog.records) > 4
    for line in (*shown, caplog.text):
        assert KEY not in line


def test_a_refused_key_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    with (
        FakeOpenAI(says("never"), key="another") as server,
        pytest.raises(UsageError, match=r"valid key into \$PLANTED_KEY") as caught,
    ):
        ask(server, api_key_env="PLANTED_KEY")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("value", [None, "", " ", "two words", f"{KEY}\nmore", f"{KEY}é"])
def test_a_missing_or_broken_key_is_told_before_any_request(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLANTED_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("PLANTED_KEY", value)
    with FakeOpenAI(says("never")) as server:
        with pytest.raises(UsageError, match="PLANTED_KEY holds no usable key") as caught:
            ask(server, api_key_env="PLANTED_KEY")
        assert server.requests == []
    assert KEY not in str(caught.value)


def test_errors_that_echo_the_request_are_cut() -> None:
    with FakeOpenAI(fails(400, "what is " + "QUJD" * 10_000)) as server:
        reply = ask(server)
    assert reply.error is not None
    assert len(reply.error) < 320


def test_audio_parts_are_named_by_their_hash(item: Item) -> None:
    parts = [part for message in conversation(item) for part in message.clips]
    assert parts == [
        AudioPart(sha256=clip.sha256, seconds=clip.samples / 24_000)
        for clip in [*item.clips.values(), item.question_clip]
    ]
