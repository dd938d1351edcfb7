from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import UsageError
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.evidence import REQUIRED, delivery_evidence
from voxmem.quality.hearing.laughter import CLASSES
from voxmem.quality.hearing.prosody import f0_track, measure
from voxmem.speech.engine import ENGINES
from voxmem.speech.realisations import REALISATIONS
from voxmem.vocabulary import DEFAULT_DELIVERIES, DELIVERIES

TEXTS = (
    "My sister teaches the evening class now, not on Tuesdays but on Fridays.",
    "It rained all week, so the picnic is off.",
)
VOICES = ("p02", "p06", "p14")


MEASURED = [name for name in DELIVERIES if name in REQUIRED]


def audio(engine, *what):
    return engine.render(*what).audio


@pytest.mark.parametrize("delivery", MEASURED)
def test_a_cue_is_told_from_its_neutral_pair_and_a_second_take_is_not(engine, delivery):
    for voice in VOICES:
        for text in TEXTS:
            cued, neutral = (one.audio for one in engine.render_pair(text, voice, delivery))
            evidence = delivery_evidence(neutral, cued, delivery)
            assert evidence.passed, (voice, text, evidence.detail)
            again = audio(engine, text, voice, "neutral", 9)
            other = delivery_evidence(neutral, again, delivery)
            assert not other.passed, (voice, text, other.detail)


def test_the_measures_point_one_way_only(engine):
    cued, neutral = (one.audio for one in engine.render_pair(TEXTS[0], "p02", "slow"))
    assert not delivery_evidence(neutral, cued, "fast").passed
    assert not delivery_evidence(cued, neutral, "slow").passed


def test_every_style_stays_near_its_own_level(engine):
    neutral = audio(engine, TEXTS[1], "p03")
    changes = {
        delivery: measure(audio(engine, TEXTS[1], "p03", delivery)).level_db
        - measure(neutral).level_db
        for delivery in ("excited", "sad", "whispered", "monotone")
    }
    assert changes["whispered"] < changes["sad"] + 1 < changes["monotone"] < changes["excited"]


def test_one_word_can_be_said_hesitantly(engine):
    cued, neutral = (one.audio for one in engine.render_pair("Tomorrow.", "p04", "hesitant"))
    assert cued.size >= neutral.size


def test_a_surprised_voice_ends_high_and_no_higher_than_a_voice_goes(engine):
    for voice in ("p10", "p23"):
        cued, neutral = (one.audio for one in engine.render_pair(TEXTS[0], voice, "surprised"))
        of, plain = measure(cued), measure(neutral)
        assert of.f0_end_hz / plain.f0_end_hz > 1.2
        assert of.f0_end_hz < 450
        assert cued.size == neutral.size


def test_what_an_engine_renders_is_said_without_opening_it(engine):
    assert REALISATIONS.keys() == ENGINES.keys()
    parametric = REALISATIONS["parametric"]()
    assert parametric.keys() == engine.deliveries
    assert parametric["sad"].startswith("rate ×0.88, F0 ×0.9")
    assert all(of().keys() <= DELIVERIES.keys() for of in REALISATIONS.values())


@pytest.mark.parametrize("hertz", [80.0, 130.0, 220.0, 400.0])
def test_f0_of_a_harmonic_tone_is_found(hertz):
    t = np.arange(24_000) / 24_000
    loud = {1: 0.2, 2: 1.0, 3: 0.6, 4: 0.4, 5: 0.3}  # a strong second harmonic invites the octave
    wave = sum(a * np.sin(2 * np.pi * k * hertz * t) for k, a in loud.items())
    pitch, score = f0_track((0.1 * wave).astype(np.float32))
    assert np.median(pitch) == pytest.approx(hertz, rel=0.02)
    assert score.mean() > 0.5


def test_noise_has_no_voicing():
    noise = np.random.default_rng(0).normal(0, 0.1, 24_000).astype(np.float32)
    assert measure(noise).voicing < 0.25


def test_laughter_is_what_a_listener_calls_so(monkeypatch):
    def heard(audio):
        """A tenth of full scale is one logit of laughter, a second after another."""
        rows = np.zeros((audio.size // 24_000, len(CLASSES)), np.float32)
        rows[:, 2] = 10 * audio[::24_000]
        return rows

    monkeypatch.setattr(listen, "sound_classes", lambda: CLASSES)
    monkeypatch.setattr(listen, "sound_logits", heard)
    plain, laughing = np.full((2, 72_000), 0.1, np.float32)
    laughing[30_000:60_000] = 0.35
    found = delivery_evidence(plain, laughing, "laughter")
    assert found.passed
    assert found.detail == "laughter, logits: +2.50 of +2.00"
    assert not delivery_evidence(laughing, plain, "laughter").passed
    assert not delivery_evidence(plain, 1.5 * plain, "laughter").passed
    assert {*REQUIRED, "laughter"} == DELIVERIES.keys()


def test_an_unknown_delivery_has_no_evidence(engine):
    speech = audio(engine, "Hello there.", "p01")
    with pytest.raises(UsageError, match="no delivery 'angry'"):
        delivery_evidence(speech, speech, "angry")
    assert REQUIRED.keys() >= set(DEFAULT_DELIVERIES)
