from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import InputError, UsageError
from voxmem.records import ClipSpec
from voxmem.speech.audio import read_audio, to_float, to_pcm
from voxmem.speech.levels import active_power, rms
from voxmem.speech.mixing import PEAK, mix, with_edges
from voxmem.speech.sounds.bank import background
from voxmem.vocabulary import DEFAULT_SOUNDS

TEXT = "We lost the tickets at the station."


def speech_like(seconds: float = 1.5, amplitude: float = 0.1) -> np.ndarray:
    t = np.arange(int(seconds * 24_000)) / 24_000
    wave = amplitude * np.sin(2 * np.pi * 180 * t) * (np.sin(2 * np.pi * 3 * t) > -0.3)
    return with_edges(wave.astype(np.float32))


@pytest.mark.parametrize("voice", ["p01", "p05", "p12"])
def test_every_sound_is_ten_decibels_below_the_active_speech(studio, store, voice):
    for sound in DEFAULT_SOUNDS:
        clip = studio.speak(ClipSpec(text=TEXT, voice=voice, sound=sound), store)
        stem, mixed = (read_audio(store.get(sha)) for sha in (clip.stem_sha256, clip.sha256))
        residual = mixed - np.float32(clip.gain) * stem
        measured = 10 * np.log10(active_power(clip.gain * stem) / rms(residual) ** 2)
        assert measured == pytest.approx(10.0, abs=0.1), sound
        assert clip.snr_db == pytest.approx(10.0, abs=0.1)


@pytest.mark.parametrize("amplitude", [0.05, 0.9])
def test_the_stem_inside_the_mix_is_the_stored_stem_to_one_step(amplitude):
    stem = to_pcm(speech_like(amplitude=amplitude))
    for sound in DEFAULT_SOUNDS:
        made = mix(to_float(stem), background(sound, stem.size, 3))
        mixed = to_pcm(made.mix).astype(np.float64)
        expected = made.gain * (stem + made.sound_scaled.astype(np.float64) * 32768)
        assert np.abs(mixed - expected).max() <= 1.0
        assert np.abs(mixed).max() < 32767


def test_the_gain_is_one_until_the_sum_would_clip():
    quiet = speech_like(amplitude=0.05)
    loud = speech_like(amplitude=0.97)
    sound = background("rain", quiet.size, 1)
    assert mix(quiet, sound).gain == 1.0
    made = mix(loud, sound)
    assert 0.1 < made.gain < 1.0
    assert np.abs(made.mix).max() == pytest.approx(PEAK, abs=1e-4)
    assert np.allclose(made.mix, made.gain * (made.stem + made.sound_scaled), atol=1e-6)


def test_a_stronger_ratio_gives_a_weaker_sound():
    speech = speech_like()
    sound = background("siren", speech.size, 1)
    near, far = mix(speech, sound, 0.0), mix(speech, sound, 20.0)
    assert rms(near.sound_scaled) == pytest.approx(10 * rms(far.sound_scaled), rel=1e-4)


def test_every_clip_has_the_same_edges_whatever_its_cue(studio, store):
    edge = round(studio.edge_seconds * 24_000)
    for delivery, sound in (("neutral", None), ("whispered", None), ("sad", "rain")):
        spec = ClipSpec(text=TEXT, voice="p02", delivery=delivery, sound=sound)
        clip = studio.speak(spec, store)
        stem = read_audio(store.get(clip.stem_sha256 or clip.sha256))
        assert not stem[:edge].any()
        assert not stem[-edge:].any()
        assert np.abs(stem[edge : edge + 2400]).max() > 1e-3
        mixed = read_audio(store.get(clip.sha256))
        assert bool(mixed[:edge].any()) == (sound is not None)


@pytest.mark.parametrize("take", [0, 2])
def test_the_mix_is_made_again_bit_for_bit(studio, store, take):
    spec = ClipSpec(text=TEXT, voice="p03", sound="train")
    clip = studio.speak(spec, store, take)
    stem = to_pcm(read_audio(store.get(clip.stem_sha256)))
    mixed = to_pcm(read_audio(store.get(clip.sha256)))
    again, source, _ = studio.mix(spec, stem, take)
    assert np.array_equal(to_pcm(again.mix), mixed)
    assert np.array_equal(studio.primary(spec, stem, take), mixed)
    assert source == clip.sound_source


@pytest.mark.parametrize("snr_db", [-5.0, 0.0, 10.0, 20.0])
def test_any_ratio_is_met(snr_db):
    speech = speech_like()
    made = mix(speech, background("rain", speech.size, 1), snr_db)
    ratio = 10 * np.log10(active_power(made.stem) / rms(made.sound_scaled) ** 2)
    assert ratio == pytest.approx(snr_db, abs=0.01)
    assert made.snr_db == pytest.approx(ratio, abs=0.001)


def test_unequal_lengths_silence_and_unknown_sounds_are_refused():
    speech = speech_like()
    with pytest.raises(InputError, match="differ in length"):
        mix(speech, background("rain", speech.size - 1))
    with pytest.raises(InputError, match="silent"):
        mix(speech, np.zeros_like(speech))
    with pytest.raises(InputError, match="silent"):
        mix(np.zeros_like(speech), background("rain", speech.size))
    with pytest.raises(UsageError, match="no sound 'thunder'"):
        background("thunder", 1000)
