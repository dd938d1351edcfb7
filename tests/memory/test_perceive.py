"""Perceiving one recording."""

from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import InputError
from voxmem.memory.heard import HeardClip
from voxmem.memory.perceive import perceive, said_once
from voxmem.memory.stress import NONE, stress
from voxmem.speech.audio import flac_bytes, to_pcm, wav_bytes
from voxmem.speech.engine import SAMPLE_RATE

SILENCE = wav_bytes(np.zeros(SAMPLE_RATE, dtype=np.int16))


def test_silence_is_heard_as_silence():
    heard = perceive(SILENCE)
    assert (heard.words, heard.voice, heard.prosody, heard.stress) == ("", None, None, None)
    assert (heard.seconds, heard.spoken_seconds, heard.sounds) == (1.0, 0.0, {})


def test_what_is_no_audio_is_named():
    with pytest.raises(InputError, match="clip 7"):
        perceive(b"RIFF and no more", item="clip 7")


def test_a_measure_that_does_not_exist_is_kept():
    heard = perceive(SILENCE)
    assert HeardClip.model_validate_json(heard.model_dump_json()) == heard


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("Nine people came. Nine people came. Nine people", "Nine people came."),
        ("Yes. Yes. I came.", "Yes. I came."),
        ("Yes. No.", "Yes. No."),
        ("", ""),
    ],
)
def test_a_decoder_that_lost_its_place_is_not_believed(text, once):
    assert said_once(text) == once


def tone(hertz, level_db, seconds):
    at = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    wave = sum(np.sin(2 * np.pi * hertz * k * at) / k for k in range(1, 9))
    return np.asarray(wave / 3 * 10 ** (level_db / 20), dtype=np.float32)


def test_the_stretch_that_is_louder_and_higher_is_found():
    plain = np.concatenate([tone(120, -20, 1.0), tone(120, -20, 0.5), tone(120, -20, 1.0)])
    stressed = np.concatenate([tone(120, -20, 1.0), tone(142, -14, 0.5), tone(120, -20, 1.0)])
    found, none = stress(stressed), stress(plain)
    assert found.level_db == pytest.approx(6.0, abs=1.0)
    assert found.semitones == pytest.approx(2.9, abs=0.5)
    assert abs(none.level_db) < 1.0
    assert abs(none.semitones) < 0.5
    assert stress(tone(120, -20, 0.1)) == NONE


@pytest.mark.local_models
def test_words_voice_and_measures_of_real_speech():
    from voxmem.config import Speech
    from voxmem.speech.engine import open_engine

    engine = open_engine(Speech())
    rendered = (engine.render("The price is forty euros.", "p01", seed=seed) for seed in (1, 2))
    one, two = (perceive(flac_bytes(to_pcm(each.audio * 0.9))) for each in rendered)
    assert "euros" in one.words
    assert ("40" in one.words) or ("forty" in one.words)
    assert one.voice is not None
    assert two.voice is not None
    assert float(np.dot(one.voice, two.voice)) > 0.8
    assert one.prosody is not None
    assert 60 < one.prosody.f0_hz < 400
    assert HeardClip.model_validate_json(one.model_dump_json()) == one
