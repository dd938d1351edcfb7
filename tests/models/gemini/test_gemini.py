"""Items in, outcomes out: the adapter against a strict server of the Gemini API."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.models.fake_openai import Step, answers, hangs_up, slowly
from tests.models.gemini.server import GeminiServer, sound
from tests.models.text.fake_gemini import blocks, fails, says
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.models.backend import open_entry
from voxmem.models.billed import limited
from voxmem.models.entry import ModelEntry
from voxmem.models.gemini import GeminiModel
from voxmem.models.gemini.files import ServiceFile, ServiceFiles
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.pace import deadline
from voxmem.models.registry import Candidate
from voxmem.prompts import load

SMALL = {"clips": {"request_bytes": 1000}}
"""So little that every request goes by the Files API."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiServer]:
    with GeminiServer() as running:
        monkeypatch.setenv("GEMINI_API_KEY", running.key)
        yield running


def entry(server: GeminiServer, **fields: Any) -> ModelEntry:
    given = {
        "name": "flash",
        "title": "Flash",
        "family": "gemini",
        "group": "proprietary",
        "backend": "gemini",
        "model": "gemini-3.8-flash",
        "decoding": {"max_output_tokens": 64, "temperature": 0.0, "seed": 7, "thinking": "low"},
        "proof": {"status": "shape proved", "by": "this test"},
        **fields,
    }
    quick = {
        "base_url": server.url,
        "backoff": 0.001,
        "poll_seconds": 0.01,
        "max_retries": 3,
        "files_folder": None,
    }
    return ModelEntry.model_validate(given | {"settings": quick | fields.get("settings", {})})


def asked(server: GeminiServer, *items: Item, at_once: int = 9, **fields: Any) -> list[Reply]:
    """The replies to items, so many of which are asked at the same time."""

    async def ask() -> list[Reply]:
        gate = asyncio.Semaphore(at_once)
        async with GeminiModel(entry(server, **fields)).opened() as model:

            async def one(item: Item) -> Reply:
                async with gate:
                    return await model.answer(arm_named("audio").told(item, load()))

            return list(await asyncio.gather(*(one(item) for item in items)))

    return asyncio.run(ask())


def told(body: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """The turns of a request; a clip as the first digits of its hash."""
    return [
        (content["role"], [_shown(part) for part in content["parts"]])
        for content in body["contents"]
    ]


def _shown(part: dict[str, Any]) -> str:
    if "text" in part:
        return str(part["text"])
    return hashlib.sha256(sound(part["inlineData"])).hexdigest()[:8]


# --- what is sent -------------------------------------------------------------------------------


def test_an_item_is_told_as_user_and_model_turns(server: GeminiServer, item: Item) -> None:
    server.script = [says("green")]
    candidate = open_entry(entry(server))
    assert isinstance(candidate, Candidate)
    assert (candidate.adapter, candidate.concurrency) == ("gemini 1", 4)
    [reply] = asked(server, item)
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "green", "STOP")
    [body] = server.requests
    clip = {place: clip.sha256[:8] for place, clip in item.clips.items()}
    assert told(body) == [
        ("user", ["Session timestamp: 2025-06-17 09:27", clip["s-lamp", 0]]),
        ("model", ["A green lamp, noted."]),
        ("user", [clip["s-lamp", 1]]),
        ("model", ["Forty it is."]),
        ("user", ["Session timestamp: 2025-07-02 18:05", clip["s-trip", 0]]),
        ("model", ["Have a good trip — Grüße!"]),
        ("user", ["Session timestamp: 2025-09-01 07:44", item.question_clip.sha256[:8]]),
    ]
    assert [part["text"] for part in body["systemInstruction"]["parts"]] == [load().candidate.text]
    assert body["generationConfig"] == {
        "maxOutputTokens": 64,
        "temperature": 0.0,
        "seed": 7,
        "thinkingConfig": {"thinkingLevel": "LOW"},
    }
    assert len({setting["category"] for setting in body["safetySettings"]}) == 4
    # Four sessions' worth of base64, and nothing twice.
    assert reply.call.bytes_sent == server.received > 4 / 3 * 100_000
    assert reply.call.delivery == "native"
    assert server.files == {}


def test_a_session_without_a_last_reply_does_not_break_the_turns(
    server: GeminiServer, item: Item
) -> None:
    server.script = [says("green")]
    lamp = item.sessions["s-lamp"]
    cut = lamp.model_copy(update={"turns": lamp.turns[:3]})
    [reply] = asked(server, replace(item, sessions={**item.sessions, "s-lamp": cut}))
    assert reply.outcome == "ok"
    roles = [content["role"] for content in server.requests[0]["contents"]]
    assert roles == ["user", "model", "user", "model", "user"]
    assert len(server.requests[0]["contents"][2]["parts"]) == 3


def test_a_folded_system_text_and_a_budget_of_thinking(server: GeminiServer, item: Item) -> None:
    server.script = [says("green")]
    asked(
        server,
        item,
        model="gemini-2.5-pro",
        delivery="folded",
        decoding={"temperature": None, "thinking": -1},
    )
    [body] = server.requests
    assert server.models == ["gemini-2.5-pro"]
    assert "systemInstruction" not in body
    assert told(body)[0][1][0] == load().candidate.text
    assert body["generationConfig"] == {
        "maxOutputTokens": 1024,
        "thinkingConfig": {"thinkingBudget": -1},
    }


@pytest.mark.parametrize(
    ("model", "thinking", "wrong"),
    [
        ("gemini-2.5-pro", "LOW", "not a level"),
        ("gemini-3.8-flash", 512, "not a budget"),
        ("gemini-3.8-flash", "SOME", "no such level"),
    ],
)
def test_thinking_that_the_series_does_not_know_is_refused_before_anything_is_sent(
    server: GeminiServer, model: str, thinking: str | int, wrong: str
) -> None:
    with pytest.raises(UsageError, match=wrong):
        open_entry(entry(server, model=model, decoding={"thinking": thinking}))


def test_a_setting_that_does_not_exist_is_named_without_its_value(server: GeminiServer) -> None:
    with pytest.raises(UsageError, match="api_key: Extra inputs") as caught:
        open_entry(entry(server, settings={"api_key": "sk-secret"}))
    assert "sk-secret" not in str(caught.value)


def test_no_more_is_asked_at_a_time_than_the_pace_says(server: GeminiServer, item: Item) -> None:
    server.script = [slowly(says("green"), 0.05)] * 6
    replies = asked(server, *[item] * 6, pace={"concurrency": 2})
    assert [reply.outcome for reply in replies] == ["ok"] * 6
    assert server.most_open == 2


# --- the Files API ------------------------------------------------------------------------------


def test_a_clip_is_uploaded_once_for_items_at_the_same_time_and_for_later_runs(
    server: GeminiServer, item: Item, tmp_path: Path
) -> None:
    server.script = [says("green")] * 3
    kept = {**SMALL, "settings": {"files_folder": str(tmp_path / "files")}}
    replies = asked(server, item, item, **kept)
    assert [reply.outcome for reply in replies] == ["ok", "ok"]
    assert len(server.files) == 4
    stored = sorted(hashlib.sha256(file.data).hexdigest() for file in server.files.values())
    assert stored == sorted(
        {item.question_clip.sha256, *(clip.sha256 for clip in item.clips.values())}
    )
    parts = [part for content in server.requests[0]["contents"] for part in content["parts"]]
    files = [part["fileData"] for part in parts if "fileData" in part]
    assert [file["mimeType"] for file in files] == ["audio/flac"] * 4
    assert sum(reply.call.bytes_sent for reply in replies) == server.received
    assert replies[0].call.notes == ("4 clips by the Files API",)

    before = server.received
    [again] = asked(server, item, **kept)
    assert again.outcome == "ok"
    assert len(server.files) == 4
    assert again.call.bytes_sent == server.received - before < 5000


def test_the_order_of_clips_is_kept_by_way_of_files(server: GeminiServer, item: Item) -> None:
    server.script = [says("green")]
    asked(server, item, **SMALL)
    shown = {f"{server.url}/v1beta/{file.name}": file.data for file in server.files.values()}
    parts = [part for content in server.requests[0]["contents"] for part in content["parts"]]
    heard = [
        hashlib.sha256(shown[part["fileData"]["fileUri"]]).hexdigest()
        for part in parts
        if "fileData" in part
    ]
    clips = [clip.sha256 for clip in item.clips.values()]
    assert heard == [*clips, item.question_clip.sha256]


def test_files_that_the_service_has_dropped_are_uploaded_again(
    server: GeminiServer, item: Item, tmp_path: Path
) -> None:
    server.script = [says("green")] * 2
    kept = {**SMALL, "settings": {"files_folder": str(tmp_path)}}
    asked(server, item, **kept)
    server.ago = timedelta(hours=49)  # the service's clock alone
    [reply] = asked(server, item, **kept)
    assert (reply.outcome, reply.text) == ("ok", "green")
    # The service names one missing file at a time: one more request finds out all.
    assert reply.call.attempts == 2
    assert "had dropped, 1 time" in reply.call.notes[1]
    assert len(server.files) == 8


def test_a_file_that_never_stays_ends_the_item_and_not_the_run(
    server: GeminiServer, item: Item
) -> None:
    lost = "You do not have permission to access the File {} or it may not exist."
    server.script = [fails(403, lost.format(name)) for name in ("f0x", "f4x", "f5x")]
    [reply] = asked(server, item, **SMALL)
    assert reply.outcome == "error"
    assert "gone once uploaded" in (reply.error or "")
    assert len(server.files) == 4 + 2


def test_a_file_is_used_when_it_is_ready(server: GeminiServer, item: Item) -> None:
    server.script = [says("green")]
    server.states = ("PROCESSING", "PROCESSING", "ACTIVE")
    [reply] = asked(server, item, **SMALL)
    assert reply.outcome == "ok"
    assert server.looks == 2 * 4


def test_a_file_that_does_not_get_ready_is_an_error(server: GeminiServer, item: Item) -> None:
    server.states = ("PROCESSING",)
    [reply] = asked(server, item, **SMALL, settings={"active_seconds": 0.05})
    assert reply.outcome == "error"
    assert "was not ready within 0.05 s" in (reply.error or "")
    assert server.requests == []


@pytest.mark.parametrize(
    ("code", "outcome"), [(3, "unsupported"), (13, "error")], ids=["the clip", "the service"]
)
def test_a_file_that_cannot_be_processed(
    server: GeminiServer, item: Item, code: int, outcome: str
) -> None:
    server.states = ("PROCESSING", "FAILED")
    server.error = {"code": code, "message": "no audio found"}
    [reply] = asked(server, item, **SMALL)
    assert reply.outcome == outcome
    assert "no audio found" in (reply.error or "")


def test_an_upload_outlives_the_item_that_began_it(server: GeminiServer, item: Item) -> None:
    # Its item is given up while the pace holds the upload back; another waits for it.
    server.script = [says("green")]
    server.uploads_fail = [fails(429, wait="0.3s")]

    async def ask() -> Reply:
        slow = {**SMALL, "pace": {"bytes_per_minute": 3e6}, "settings": {"uploads": 1}}
        async with GeminiModel(entry(server, **slow)).opened() as model:
            told = arm_named("audio").told(item, load())
            with pytest.raises(TimeoutError):
                async with deadline(0.15):
                    await model.answer(told)
            return await model.answer(told)

    assert asyncio.run(ask()).outcome == "ok"
    assert len(server.files) == 4


def test_a_part_of_an_upload_that_fails_is_sent_again_by_us_alone(
    server: GeminiServer, item: Item
) -> None:
    server.script = [says("green")]
    server.uploads_fail = [fails(503), answers({}), hangs_up()]
    [reply] = asked(server, item, **SMALL)
    assert reply.outcome == "ok"
    assert len(server.files) == 4
    assert reply.call.seconds < 1.0  # the library would wait a second for each


def test_a_part_of_an_upload_that_is_refused_is_not_sent_again(
    server: GeminiServer, item: Item
) -> None:
    server.uploads_fail = [fails(400, "Unsupported MIME type: audio/flac")] * 4
    [reply] = asked(server, item, **SMALL)
    assert reply.outcome == "unsupported"
    assert (server.uploads_fail, server.files, server.requests) == ([], {}, [])


@pytest.mark.parametrize(("limit", "files"), [(200_000, 4), (300_000, 0)])
def test_clips_are_inside_a_request_that_stays_within_its_limit(
    server: GeminiServer, item: Item, limit: int, files: int
) -> None:
    server.script = [says("green")]  # the clips are 188,000 bytes, and 251,000 in base64
    asked(server, item, clips={"request_bytes": limit})
    assert len(server.files) == files
    assert server.received > 188_000


def test_what_is_written_down_survives_half_a_line_and_ends_in_time(tmp_path: Path) -> None:
    now = 1_000_000.0

    def files(address: str = "a") -> ServiceFiles:
        return ServiceFiles(tmp_path, address=address, clock=lambda: now)

    one, two = (
        ServiceFile(
            sha256=name, name=f"files/{name}", uri=name, mime_type="audio/wav", expires=now + 7200
        )
        for name in ("one", "two")
    )
    files().put(one)
    [written] = tmp_path.iterdir()
    with written.open("ab") as out:
        out.write(b'\n{"sha256":"half')
    files().put(two)
    assert (files().get("one"), files().get("two")) == (one, two)
    assert files("another").get("one") is None
    now += 3601  # within the margin
    assert files().get("one") is None
    assert written.read_bytes() == b""


def test_a_folder_that_cannot_be_written_is_named(server: GeminiServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="files_folder"):
        asked(server, settings={"files_folder": str(tmp_path / "file" / "below")})


# --- outcomes -----------------------------------------------------------------------------------

USAGE = {
    "promptTokenCount": 900,
    "candidatesTokenCount": 5,
    "thoughtsTokenCount": 40,
    "cachedContentTokenCount": 512,
    "promptTokensDetails": [
        {"modality": "TEXT", "tokenCount": 80},
        {"modality": "AUDIO", "tokenCount": 820},
    ],
}


def ends(finish_reason: str, text: str | None = None) -> Step:
    return says(text, finish_reason)


SETTLED: list[tuple[Step, str, str | None]] = [
    (ends("STOP", "in May"), "ok", "in May"),
    (says("in May", thought="hm"), "ok", "in May"),
    (ends("MAX_TOKENS", "in M"), "truncated", "in M"),
    (ends("MAX_TOKENS"), "truncated_empty", None),
    (says(None, "MAX_TOKENS", thought="hm"), "truncated_empty", None),
    (ends("SAFETY"), "blocked", None),
    (ends("RECITATION", "Call me"), "blocked", "Call me"),
    (ends("PROHIBITED_CONTENT"), "blocked", None),
    (ends("SPII"), "blocked", None),
    (ends("BLOCKLIST"), "blocked", None),
    (ends("LANGUAGE"), "blocked", None),
    (blocks("PROHIBITED_CONTENT"), "rejected", None),
    (blocks("SAFETY"), "rejected", None),
    (blocks("JAILBREAK"), "rejected", None),
    (
        fails(
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed "
            "(1048576).",
            code="INVALID_ARGUMENT",
        ),
        "context_overflow",
        None,
    ),
    (fails(400, "Unsupported MIME type: audio/flac"), "unsupported", None),
    (
        fails(400, "Request payload size exceeds the limit: 20971520 bytes."),
        "unsupported",
        None,
    ),
    (fails(413), "unsupported", None),
    (fails(400, "Request contains an invalid argument."), "error", None),
]


def test_every_answer_has_its_outcome_at_once(server: GeminiServer, item: Item) -> None:
    server.script = [step for step, _, _ in SETTLED]
    replies = asked(server, *(item for _ in SETTLED), at_once=1)
    assert [(reply.outcome, reply.text) for reply in replies] == [
        (outcome, text) for _, outcome, text in SETTLED
    ]
    assert len(server.requests) == len(SETTLED)
    for reply in replies:
        assert reply.call.attempts == 1
        assert (reply.error is None) == (reply.finish_reason is not None)


def test_usage_is_told_apart(server: GeminiServer, item: Item) -> None:
    candidate = {"content": {"parts": [{"text": "in May"}]}, "finishReason": "STOP"}
    server.script = [answers({"candidates": [candidate], "usageMetadata": USAGE})]
    [reply] = asked(server, item)
    assert reply.usage.model_dump() == {
        "input_tokens": 900,
        "output_tokens": 45,
        "thinking_tokens": 40,
        "audio_tokens": 820,
        "cached_tokens": 512,
    }


def test_an_empty_generation_is_tried_a_fixed_number_of_times_and_counted(
    server: GeminiServer, item: Item
) -> None:
    server.script = [says(None), says(" \n"), says("green")]
    [reply] = asked(server, item)
    assert (reply.outcome, reply.text, reply.call.attempts) == ("ok", "green", 3)
    assert reply.call.notes == ("2 empty generations (1400 input tokens)",)
    server.script = [says(None)] * 9
    [reply] = asked(server, item)
    assert (reply.outcome, reply.text, reply.call.attempts) == ("empty", None, 3)
    assert reply.call.notes == ("3 empty generations (2100 input tokens)",)
    assert reply.call.possibly_billed == 2, "and the third is its answer"


@pytest.mark.parametrize("step", [says(None), hangs_up(), ends("MALFORMED_RESPONSE")])
def test_what_may_be_billed_is_tried_again_as_far_as_a_limit_allows(
    server: GeminiServer, item: Item, step: Step
) -> None:
    server.script = [fails(503), step, step, says("green")]
    left = iter([True, False])
    with limited(lambda: next(left)):
        [reply] = asked(server, item)
    assert (reply.outcome, reply.call.attempts, reply.call.possibly_billed) == ("error", 3, 2)


PASSING = [
    fails(429, "Resource exhausted", code="RESOURCE_EXHAUSTED", wait="0.05s"),
    fails(503, "The model is overloaded", headers={"Retry-After": "0.05"}),
    fails(500),
    hangs_up(),
    Step(body=b'{"candidates": ['),
    answers({"candidates": []}),
    ends("OTHER"),
    ends("MALFORMED_RESPONSE", "{"),
]


def test_what_may_pass_is_tried_again(server: GeminiServer, item: Item) -> None:
    server.script = [step for fault in PASSING for step in (fault, says("green"))]
    replies = asked(server, *(item for _ in PASSING), at_once=1)
    assert {(reply.outcome, reply.text, reply.call.attempts) for reply in replies} == {
        ("ok", "green", 2)
    }
    server.script = [step for fault in PASSING for step in [fault] * 4]
    replies = asked(server, *(item for _ in PASSING), at_once=1)
    assert {(reply.outcome, reply.text, reply.call.attempts) for reply in replies} == {
        ("error", None, 4)
    }
    assert server.script == []


def test_a_server_that_asks_for_too_long_is_not_asked_again(
    server: GeminiServer, item: Item
) -> None:
    server.script = [fails(429, "quota", code="RESOURCE_EXHAUSTED", wait="86400s"), says("never")]
    [reply] = asked(server, item)
    assert (reply.outcome, reply.call.attempts) == ("error", 1)
    assert "asks to wait 86400 s" in (reply.error or "")


# --- settings -----------------------------------------------------------------------------------


def test_a_wrong_key_stops_the_run_and_is_never_shown(
    server: GeminiServer,
    item: Item,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "wrong-key-4711")
    caplog.set_level(logging.DEBUG)
    for fields in ({}, SMALL):
        with pytest.raises(UsageError, match="GEMINI_API_KEY") as caught:
            asked(server, item, **fields)
        assert "4711" not in str(caught.value)
    assert "4711" not in caplog.text
    monkeypatch.delenv("GEMINI_API_KEY")
    with pytest.raises(UsageError, match="holds no usable key"):
        asked(server, item)


@pytest.mark.parametrize(
    ("fields", "remedy"),
    [
        ({"model": "gemma-none"}, "correct base_url or model"),
        ({"decoding": {"thinking": "MINIMAL"}}, "change what the entry sets for thinking"),
    ],
)
def test_what_every_item_would_meet_stops_the_run(
    server: GeminiServer, item: Item, fields: dict[str, Any], remedy: str
) -> None:
    with pytest.raises(UsageError, match=remedy):
        asked(server, item, **fields)


def test_more_clips_than_the_model_takes_are_not_sent(server: GeminiServer, item: Item) -> None:
    [reply] = asked(server, item, clips={"most": 3})
    assert reply.outcome == "unsupported"
    assert server.received == 0


@pytest.mark.parametrize("fields", [{}, SMALL], ids=["inline", "files"])
def test_bytes_that_are_no_audio_are_named(
    server: GeminiServer, item: Item, fields: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match="no WAV, FLAC, Ogg or MP3"):
        asked(server, replace(item, read_audio=lambda _: b"text" * 1000), **fields)
    assert server.requests == []


def test_the_fingerprint_follows_what_decides_a_reply(server: GeminiServer) -> None:
    def print_of(**fields: Any) -> str:
        return GeminiModel(entry(server, **fields)).fingerprint

    assert print_of(settings={"timeout": 7.0}, pace={"concurrency": 1}) == print_of()
    others = [
        print_of(model="gemini-3.1-pro"),
        print_of(decoding={"temperature": 0.0, "thinking": "HIGH"}),
        print_of(delivery="folded"),
        print_of(name="other"),
    ]
    assert len({print_of(), *others}) == 5


def test_inline_audio_is_what_is_stored(server: GeminiServer, item: Item, shelf: Any) -> None:
    server.script = [says("green")]
    asked(server, item)
    parts = [part for content in server.requests[0]["contents"] for part in content["parts"]]
    sent = [sound(part["inlineData"]) for part in parts if "inlineData" in part]
    assert sent == list(shelf.bytes.values())
