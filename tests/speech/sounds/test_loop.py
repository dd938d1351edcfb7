from __future__ import annotations

import random

import numpy as np
import pytest

from voxmem.speech.levels import rms
from voxmem.speech.sounds.loop import LOOP_RMS, loop_of, make_loop


def ragged(seconds: float = 2.0) -> np.ndarray:
    """Noise that starts soft and ends loud: it does not join up with itself."""
    wave = np.random.default_rng(1).normal(size=round(seconds * 24_000))
    return (0.1 * wave * np.linspace(0.2, 1.0, wave.size)).astype(np.float32)


def test_a_recording_is_joined_to_itself_with_equal_power():
    recording = ragged()
    loop = loop_of(recording)
    assert loop.audio.size == recording.size - 6_000
    assert rms(loop.audio) == pytest.approx(LOOP_RMS, rel=1e-4)
    # Uncorrelated, the two halves of the fade neither swell nor sink: the level goes from that of
    # the end to that of the start.
    scale = rms(loop.audio[12_000:]) / rms(recording[12_000:-6_000])
    middle = rms(loop.audio[2_000:4_000]) / scale
    assert rms(recording[:6_000]) < middle < rms(recording[-6_000:])
    assert middle == pytest.approx(
        np.hypot(rms(recording[2_000:4_000]), rms(recording[-4_000:-2_000])) / 2**0.5, rel=0.05
    )


def test_a_tone_that_does_not_fit_has_no_click_where_it_closes():
    tone = np.sin(2 * np.pi * 301.7 * np.arange(40_000) / 24_000).astype(np.float32)
    loop = loop_of(tone).audio
    around = np.concatenate([loop[-50:], loop[:50]])
    assert np.abs(np.diff(around)).max() <= 1.05 * np.abs(np.diff(loop)).max()
    bare = np.concatenate([tone[-50:], tone[:50]]) * (LOOP_RMS * 2**0.5)
    assert np.abs(np.diff(bare)).max() > 1.5 * np.abs(np.diff(around)).max()


@pytest.mark.parametrize("samples", [1, 1_000, 60_000, 130_001])
def test_any_length_is_cut_round_the_loop(samples):
    loop = make_loop(ragged())
    cut = loop.cut(samples, random.Random(4))
    assert cut.shape == (samples,)
    whole = np.concatenate([loop.audio] * 5)
    assert any(np.array_equal(whole[at : at + samples], cut) for at in range(loop.audio.size))
    assert not np.shares_memory(cut, loop.audio)


def test_a_cut_begins_and_ends_where_something_is_heard():
    sparse = np.zeros(8 * 24_000)
    sparse[100_000:106_000] = np.random.default_rng(2).normal(size=6_000)
    loop = make_loop(sparse)
    heard = [
        max(rms(cut[:12_000]), rms(cut[-12_000:])) > 0.01
        for cut in (loop.cut(70_000, random.Random(seed)) for seed in range(60))
    ]
    assert np.mean(heard) > 0.75, "at random places it would be one in eight"


def test_a_short_recording_goes_round_too():
    loop = loop_of(ragged(0.3))
    assert loop.cut(91_200, random.Random(1)).size == 91_200
