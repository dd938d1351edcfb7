from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.fake_openai import Step, breaks_off, fails, hangs_up, slowly
from tests.speech.served.conftest import Stage
from tests.speech.served.server import (
    at_rate,
    busy,
    changed,
    cut,
    open_ended,
    stereo,
    tones,
    wav,
)
from voxmem.config import Speech
from voxmem.errors import InputError, ModelError, SpeechError, UsageError
from voxmem.speech.engine import open_engine
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.served.client import GIVE_UP
from voxmem.speech.served.tokens import TOKENS

TEXT = "We could take the early train on Monday, or we might wait until the weekend."
SHAPES = ("sglang", "vllm", "hosted")


@pytest.mark.parametrize("shape", SHAPES)
def test_every_delivery_is_taken_by_a_strict_server(stage: Stage, shape: str) -> None:
    server = stage.serve(shape, key="planted-key-4471" if shape == "hosted" else None)
    engine = stage.engine(server, shape)
    assert engine.voices == ("p01", "p02", "p03")
    for delivery in sorted(engine.deliveries):
        cued, neutral = engine.render_pair(TEXT, "p01", delivery, seed=4)
        assert cued.applied != neutral.applied == "neutral"
    one = engine.render(TEXT, "p01", seed=4)
    assert np.array_equal(one.audio, neutral.audio)
    assert len(server.requests) == 2 * len(TOKENS) + 1


@pytest.mark.parametrize("shape", SHAPES)
def test_a_pair_differs_in_its_tokens_alone(stage: Stage, shape: str) -> None:
    server = stage.serve(shape)
    stage.engine(server, shape).render_pair(TEXT, "p02", "sad", seed=9)
    cued, neutral = sorted((request.body for request in server.requests), key=lambda b: b["input"])
    assert cued["input"] == f"<|emotion:sadness|>{TEXT}"
    assert neutral["input"] == TEXT
    assert {**cued, "input": ""} == {**neutral, "input": ""}


def test_the_reference_and_its_transcript_are_sent(stage: Stage) -> None:
    server = stage.serve("sglang", allowed=stage.folder)
    stage.engine(server).render(TEXT, "p01")
    (reference,) = server.requests[0].body["references"]
    assert Path(reference["audio_path"]) == stage.folder / "p01.wav"
    assert reference["text"].startswith("The quick brown fox")


def test_the_hosted_endpoint_needs_a_key(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    server = stage.serve("hosted", key="another-key")
    engine = stage.engine(server, "hosted")
    with pytest.raises(UsageError, match="HTTP 401") as caught:
        engine.render(TEXT, "p01")
    assert "$SPEECH_KEY" in str(caught.value)
    assert "planted-key-4471" not in str(caught.value)
    assert len(server.requests) == 0
    with pytest.raises(UsageError, match=r"set speech\.api_key_env"):
        stage.engine(server, "hosted", api_key_env=None)
    monkeypatch.delenv("SPEECH_KEY")
    with pytest.raises(UsageError, match="NO_SUCH_KEY holds no usable key"):
        stage.engine(server, "sglang", api_key_env="NO_SUCH_KEY")


def test_two_voices_never_send_what_a_prefix_cache_mistakes(stage: Stage) -> None:
    engine = stage.engine(stage.serve("sglang", prefix_cache=True))
    renditions = {voice: engine.render(TEXT, voice, seed=3).audio for voice in engine.voices}
    assert len({audio.tobytes() for audio in renditions.values()}) == 3


def test_seeds_differ_by_voice_and_take_and_not_by_delivery(stage: Stage) -> None:
    server = stage.serve("sglang")
    engine = stage.engine(server)
    for voice, delivery, seed in (
        ("p01", "neutral", 1),
        ("p02", "neutral", 1),
        ("p01", "neutral", 2),
        ("p01", "sad", 1),
    ):
        engine.render(TEXT, voice, delivery, seed)
    seeds = [request.body["seed"] for request in server.requests]
    assert len(set(seeds[:3])) == 3
    assert set(seeds[3:]) == {seeds[0]}


def test_each_take_is_levelled_by_its_neutral_rendition(stage: Stage) -> None:
    engine = stage.engine(stage.serve("sglang"))
    cued, neutral = engine.render_pair(TEXT, "p01", "whispered")
    assert active_level_db(neutral.audio) == pytest.approx(NOMINAL_DB, abs=0.05)
    change = active_level_db(cued.audio) - active_level_db(neutral.audio)
    assert change == pytest.approx(20 * np.log10(0.2), abs=0.1)


def test_what_decides_the_sound_is_in_the_revisions(stage: Stage) -> None:
    server = stage.serve("sglang")
    one = stage.engine(server)
    assert stage.engine(server, concurrency=9, timeout_s=3).revision == one.revision
    others: list[dict[str, Any]] = [
        {"shape": "vllm"},
        {"temperature": 0.7},
        {"top_k": 40},
        {"max_new_tokens": 900},
        {"model": "m"},
    ]
    revisions = {stage.engine(server, **more).revision for more in others} | {one.revision}
    assert len(revisions) == len(others) + 1
    assert len({one.voice_revision(voice) for voice in one.voices}) == 3
    assert one.licences("p01") == {
        "speech: higgs": "Boson Higgs TTS 3 Research and Non-Commercial License",
        "voice: p225, a test": "CC BY 4.0",
    }


def test_nothing_is_sent_that_would_be_refused_or_read_out(stage: Stage) -> None:
    server = stage.serve("sglang")
    engine = stage.engine(server)
    with pytest.raises(SpeechError, match="read out"):
        engine.render("It was <|emotion:calm|> indeed.", "p01")
    with pytest.raises(InputError, match="nothing to speak"):
        engine.render("…", "p01")
    with pytest.raises(UsageError, match="no delivery 'emphatic'"):
        engine.render(TEXT, "p01", "emphatic")
    with pytest.raises(UsageError, match="no phrase alone"):
        engine.render_pair(TEXT, "p01", "sad", 0, (0, 4))
    with pytest.raises(UsageError, match="where its words are"):
        engine.locate(TEXT, "p01", (0, 4))
    with pytest.raises(UsageError, match="voice 'p09'"):
        engine.render(TEXT, "p09")
    assert not server.requests


# --- a server that misbehaves


def test_a_limited_rate_is_waited_for_as_long_as_asked(stage: Stage) -> None:
    server = stage.serve("sglang", busy(7), None)
    assert stage.engine(server).render(TEXT, "p01").applied == "neutral"
    assert len(server.requests) == 2
    assert 7 <= stage.waits[0] < 8


@pytest.mark.parametrize(
    "fault", [fails(500), fails(503), hangs_up(), breaks_off(wav(tones(TEXT, "x")))]
)
def test_a_passing_failure_is_tried_again(stage: Stage, fault: Step) -> None:
    server = stage.serve("sglang", fault, None)
    stage.engine(server).render(TEXT, "p01")
    assert len(server.requests) == len(stage.waits) + 1 == 2


def test_a_slow_reply_is_given_up_and_asked_for_again(stage: Stage) -> None:
    server = stage.serve("sglang", slowly(wav(tones(TEXT, "x")), 30), None)
    stage.engine(server, timeout_s=0.3).render(TEXT, "p01")
    assert len(server.requests) == 2


def test_what_always_fails_fails_the_clip_and_then_the_build(stage: Stage) -> None:
    server = stage.serve("sglang", *[fails(500, "out of luck")] * 99)
    engine = stage.engine(server)
    for _ in range(GIVE_UP - 1):
        with pytest.raises(SpeechError, match="HTTP 500: out of luck"):
            engine.render(TEXT, "p01")
    with pytest.raises(ModelError, match=f"none of the last {GIVE_UP} texts"):
        engine.render(TEXT, "p01")


def test_one_success_clears_the_count(stage: Stage) -> None:
    broken = [Step(body=b"", content_type="audio/wav")] * (GIVE_UP - 1)
    server = stage.serve("sglang", *broken, None, *broken)
    engine = stage.engine(server)
    for faults in (GIVE_UP - 1, GIVE_UP - 1):
        for _ in range(faults):
            with pytest.raises(SpeechError, match="empty"):
                engine.render(TEXT, "p01")
        engine.render(TEXT, "p01")


@pytest.mark.parametrize("fault", [busy(1), fails(502), hangs_up()])
def test_a_server_that_is_not_there_stops_the_build(stage: Stage, fault: Step) -> None:
    server = stage.serve("sglang", *[fault] * 3)
    with pytest.raises(ModelError, match="run the same command again"):
        stage.engine(server).render(TEXT, "p01")
    assert len(server.requests) == 3


def test_a_refusal_is_not_tried_again(stage: Stage) -> None:
    server = stage.serve("sglang", fails(400, "input too odd " + "x" * 500))
    with pytest.raises(SpeechError, match="input too odd") as caught:
        stage.engine(server).render(TEXT, "p01")
    assert len(server.requests) == 1
    assert len(caught.value.message) < 360


@pytest.mark.parametrize(
    ("served", "asked", "remedy"),
    [("vllm", "sglang", "references"), ("sglang", "vllm", "ref_audio")],
)
def test_the_wrong_shape_stops_the_build(
    stage: Stage, served: str, asked: str, remedy: str
) -> None:
    with pytest.raises(UsageError, match="correct engine, shape or model") as caught:
        stage.engine(stage.serve(served), asked).render(TEXT, "p01")
    assert remedy in str(caught.value)


def test_another_path_stops_the_build(stage: Stage) -> None:
    server = stage.serve("sglang")
    engine = stage.engine(server, base_url=server.url + "/wrong")
    with pytest.raises(UsageError, match="correct base_url or model"):
        engine.render(TEXT, "p01")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Step(body=b""), "is empty"),
        (Step(body=b'{"detail": "no"}'), "not audio"),
        (Step(body=b"<html></html>"), "not audio"),
        (cut(), "truncated"),
        (at_rate(16_000, says=24_000), "contradicts itself"),
        (changed(np.zeros_like), "silent"),
        (changed(lambda audio: np.where(np.arange(audio.size) == 9, np.nan, audio)), "not numbers"),
        (changed(lambda audio: np.tile(audio, 20)), "longer than 60 s"),
        (changed(lambda audio: audio[:24_000]), "too short for its words"),
        (changed(lambda audio: np.stack([audio] * 6, axis=1)), "6 channel"),
    ],
)
def test_a_reply_that_is_no_audio_of_the_text_fails_the_clip(
    stage: Stage, fault: Any, said: str
) -> None:
    engine = stage.engine(stage.serve("sglang", fault))
    with pytest.raises(SpeechError, match=said):
        engine.render(TEXT, "p01")
    engine.render(TEXT, "p01")


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        (at_rate(44_100), "resampled from 44100 Hz"),
        (at_rate(8_000), "resampled from 8000 Hz"),
        (stereo(), "mixed down from 2 channels"),
    ],
)
def test_another_format_is_made_ours_and_noted(stage: Stage, fault: Any, note: str) -> None:
    engine = stage.engine(stage.serve("sglang", None, fault))
    right = engine.render(TEXT, "p01")
    made = engine.render(TEXT, "p01")
    assert made.applied == f"neutral; {note}"
    assert abs(made.audio.size - right.audio.size) <= 3
    assert np.abs(made.audio[:100_000] - right.audio[:100_000]).max() < 0.05


def test_a_stream_s_header_leaves_the_length_open(stage: Stage) -> None:
    engine = stage.engine(stage.serve("sglang", None, open_ended()))
    assert np.array_equal(*(engine.render(TEXT, "p01").audio for _ in range(2)))


def test_requests_are_limited_and_clips_come_from_many_threads(stage: Stage) -> None:
    server = stage.serve("sglang", *[slowly(wav(tones(TEXT, "x")), 0.1)] * 12)
    engine = stage.engine(server, concurrency=3)
    assert engine.concurrency == 3
    with ThreadPoolExecutor(6) as threads:
        made = list(threads.map(lambda at: engine.render(TEXT, "p01", seed=at), range(12)))
    assert len(made) == 12
    assert server.most_open == 3


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "none to clone"),
        ({"voices": "MANIFEST"}, "address of its server"),
        ({"voices": "MANIFEST", "base_url": "ftp://x"}, "http or https"),
        ({"voices": "no/such.json", "base_url": "http://127.0.0.1:1/v1"}, "no such voice manifest"),
    ],
)
def test_missing_settings_are_named(stage: Stage, settings: dict[str, Any], said: str) -> None:
    filled = {key: stage.manifest if it == "MANIFEST" else it for key, it in settings.items()}
    with pytest.raises(UsageError, match=said):
        open_engine(Speech(engine="higgs", **filled))


def test_one_voice_for_all_is_what_the_server_can_do_wrong(stage: Stage) -> None:
    """What the speaker check of the gate must catch: the same audio for two voices."""
    engine = stage.engine(stage.serve("sglang", one_voice=True))
    assert np.array_equal(engine.render(TEXT, "p01").audio, engine.render(TEXT, "p02").audio)


@pytest.mark.local_models
@pytest.mark.slow
def test_one_voice_for_all_is_heard_by_the_speaker_model(stage: Stage) -> None:
    from voxmem.quality.hearing.listen import voice_embedding

    embedded = open_engine(Speech())
    names = dict(zip(_shas(stage), embedded.voices, strict=False))

    def speaker(text: str, who: str, tokens: str) -> Any:
        return embedded.render(text, names[who]).audio

    told_apart = {}
    for one_voice in (False, True):
        engine = stage.engine(stage.serve("sglang", speaker=speaker, one_voice=one_voice))
        one, two = (voice_embedding(engine.render(TEXT, voice).audio) for voice in ("p01", "p02"))
        told_apart[one_voice] = float(one @ two)
    assert told_apart[False] < 0.75
    assert told_apart[True] > 0.99


def _shas(stage: Stage) -> list[str]:
    files = (stage.folder / f"{persona}.wav" for persona in ("p01", "p02", "p03"))
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
