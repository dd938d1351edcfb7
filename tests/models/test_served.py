"""Items in, replies out: the adapter, the item, the audio cache, the registry."""

from __future__ import annotations

import asyncio
import dataclasses
import io
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.models.fake_openai import FakeOpenAI, says
from voxmem.errors import ConstructionError, InputError, UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.models import registry
from voxmem.models.audio import AudioCache, convert
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.entry import ClipLimits
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate, System
from voxmem.models.served import ServedModel
from voxmem.prompts import load
from voxmem.records import StoredClip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path))


def model(url: str, *, name: str = "scripted", **settings: Any) -> ServedModel:
    return ServedModel(name, ChatEndpoint(**{"base_url": url, "model": "m-1", **settings}))


def answers(system: ServedModel, *items: Item) -> list[Reply]:
    async def ask() -> list[Reply]:
        async with system.opened() as asked:
            return [await asked.answer(arm_named("audio").told(item, load())) for item in items]

    return asyncio.run(ask())


def test_a_model_is_told_the_whole_item(item: Item) -> None:
    with FakeOpenAI(says("green")) as server:
        candidate: Candidate = model(server.url)
        assert isinstance(candidate, Candidate)
        [reply] = answers(model(server.url), item)
    assert (reply.outcome, reply.text) == ("ok", "green")
    turns = server.requests[0].body["messages"]
    assert turns[0] == {"role": "system", "content": load().candidate.text}
    assert len(turns) == 8
    assert "SECRET" not in str(server.requests[0].body)


def test_folding_follows_the_endpoint(item: Item) -> None:
    with FakeOpenAI(says("green")) as server:
        answers(model(server.url, delivery="folded"), item)
    first = server.requests[0].body["messages"][0]
    assert first["role"] == "user"
    assert first["content"][0]["text"] == load().candidate.text


def test_a_clip_is_decoded_once_for_several_items(item: Item, shelf: Any) -> None:
    with FakeOpenAI(says("a"), says("b"), says("c")) as server:
        assert [reply.text for reply in answers(model(server.url), item, item, item)] == [
            "a",
            "b",
            "c",
        ]
    assert sorted(shelf.reads) == sorted(shelf.bytes)
    first, _, last = server.requests
    assert first.body == last.body


def test_an_unreadable_clip_is_an_error_of_the_store_and_not_of_the_model(item: Item) -> None:
    with FakeOpenAI(says("never")) as server:
        broken = dataclasses.replace(item, read_audio=lambda _: b"fLaC and then nothing")
        with pytest.raises(InputError, match="cannot be decoded"):
            answers(model(server.url), broken)
        assert server.requests == []


def test_the_fingerprint_follows_what_decides_a_reply() -> None:
    url = "http://localhost:1/v1"
    plain = model(url).fingerprint
    assert model("http://localhost:2/v1").fingerprint == plain
    others = [
        model(url, name="other").fingerprint,
        model(url, temperature=0.7).fingerprint,
        model(url, delivery="folded").fingerprint,
        ServedModel("scripted", model(url).endpoint, limits=ClipLimits(most=9)).fingerprint,
        ServedModel(
            "scripted", model(url).endpoint, limits=ClipLimits(longest_seconds=9)
        ).fingerprint,
    ]
    assert len({plain, *others}) == 6


def test_clips_longer_than_the_model_hears_are_cut_and_no_sample_is_lost(
    item: Item, samples_of: Callable[[StoredClip], np.ndarray]
) -> None:
    limited = ServedModel(
        "scripted",
        ChatEndpoint(base_url="http://localhost:1/v1", model="m-1"),
        limits=ClipLimits(longest_seconds=0.6),
    )
    with FakeOpenAI(says("green")) as server:
        limited.endpoint = limited.endpoint.model_copy(update={"base_url": server.url})
        [reply] = answers(limited, item)
    assert reply.call.notes == ("3 clips cut into 8 parts",)
    sent = [
        [part["input_audio"]["data"] for part in turn["content"] if part["type"] == "input_audio"]
        for turn in server.requests[0].body["messages"]
        if turn["role"] == "user"
    ]
    assert [len(parts) for parts in sent] == [2, 1, 3, 3]
    clips = [*item.clips.values(), item.question_clip]
    for parts, clip in zip(sent, clips, strict=True):
        files = [soundfile.read(io.BytesIO(b64decode(part)), dtype="int16") for part in parts]
        assert {rate for _, rate in files} == {24_000}
        assert max(len(samples) for samples, _ in files) <= 0.6 * 24_000 + 1
        joined = np.concatenate([samples for samples, _ in files])
        np.testing.assert_array_equal(joined, samples_of(clip))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (ClipLimits(most=3), "the model takes 3 clips in a request, and there are 4"),
        (ClipLimits(request_bytes=1000), "bytes, and the server takes 1000"),
    ],
)
def test_what_a_model_cannot_take_is_not_sent(item: Item, limits: ClipLimits, said: str) -> None:
    with FakeOpenAI(says("never")) as server:
        endpoint = ChatEndpoint(base_url=server.url, model="m-1")
        [reply] = answers(ServedModel("scripted", endpoint, limits=limits), item)
        assert server.requests == []
    assert reply.outcome == "unsupported"
    assert said in str(reply.error)


# --- items ----------------------------------------------------------------------------------------


def test_an_item_gives_its_sessions_in_the_order_of_its_history(item: Item) -> None:
    told = item.spoken_sessions()
    assert [(s.session_id, len(clips)) for s, _, clips in told] == [("s-lamp", 2), ("s-trip", 1)]
    assert [moment for _, moment, _ in told] == [p.timestamp for p in item.history.placements]
    assert told[0][2] == (item.clips["s-lamp", 0], item.clips["s-lamp", 1])


def test_what_an_item_lacks_is_named(item: Item) -> None:
    fewer = {place: clip for place, clip in item.clips.items() if place != ("s-lamp", 1)}
    with pytest.raises(ConstructionError, match="clip of user turn 2 of session s-lamp") as caught:
        dataclasses.replace(item, clips=fewer).spoken_sessions()
    assert caught.value.item == "q1-2k"
    with pytest.raises(ConstructionError, match="session s-lamp is missing"):
        dataclasses.replace(item, sessions={}).spoken_sessions()


def test_an_item_out_of_time_is_not_sent(item: Item) -> None:
    early = item.question.query_timestamp - timedelta(days=365)
    question = item.question.model_copy(update={"query_timestamp": early})
    with FakeOpenAI(says("never")) as server:
        with pytest.raises(ConstructionError, match="after the query"):
            answers(model(server.url), dataclasses.replace(item, question=question))
        assert server.requests == []


# --- audio ----------------------------------------------------------------------------------------


def test_conversion_there_and_back_keeps_every_sample(item: Item) -> None:
    flac = item.read_audio(item.question_clip.sha256)
    wav = convert(flac, "wav")
    assert len(wav) == 44 + 2 * item.question_clip.samples
    assert convert(wav, "wav") is wav
    assert convert(convert(wav, "flac"), "wav") == wav


def test_the_cache_keeps_the_recently_used_within_its_limit(item: Item, shelf: Any) -> None:
    first, second, third = (clip.sha256 for clip in item.clips.values())
    room = sum(len(convert(shelf.bytes[sha256], "wav")) for sha256 in (first, third))
    read = AudioCache("wav", limit=room).over(item.read_audio)
    for sha256 in (first, second, first, third, first, second):
        assert read(sha256) == convert(shelf.bytes[sha256], "wav")
    assert shelf.reads == [first, second, third, second]


# --- registry -------------------------------------------------------------------------------------


def test_systems_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SYSTEMS", {})

    def factory() -> System:
        return model("http://localhost:1/v1", name="plum")

    registry.register("plum", factory)
    registry.register("plum", factory)  # importing a module twice does no harm
    assert registry.create("plum").name == "plum"
    with pytest.raises(UsageError, match="exists"):
        registry.register("plum", lambda: model("http://localhost:2/v1"))
    with pytest.raises(UsageError, match=r"choose one of: .*plum"):
        registry.create("pear")
