from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import InputError
from voxmem.speech.levels import active_level_db, speech_bounds


def tone(seconds: float, amplitude: float) -> np.ndarray:
    t = np.arange(int(seconds * 24_000)) / 24_000
    return (amplitude * np.sin(2 * np.pi * 200 * t)).astype(np.float32)


def test_a_full_scale_sine_is_at_minus_three():
    assert active_level_db(tone(1.0, 1.0)) == pytest.approx(-3.01, abs=0.01)


def test_silence_around_and_between_does_not_change_the_level():
    speech = tone(0.5, 0.1)
    silence = np.zeros(24_000, np.float32)
    padded = np.concatenate([silence, speech, silence, speech, silence])
    assert active_level_db(padded) == pytest.approx(active_level_db(speech), abs=0.01)


def test_blocks_thirty_decibels_down_count_and_those_below_do_not():
    loud, edge, below = tone(0.5, 0.5), tone(0.5, 0.5 * 10 ** (-29 / 20)), tone(0.5, 0.004)
    assert active_level_db(np.concatenate([loud, edge])) < active_level_db(loud) - 2.5
    assert active_level_db(np.concatenate([loud, below])) == pytest.approx(active_level_db(loud))


def test_bounds_enclose_the_sound():
    audio = np.concatenate([np.zeros(4800, np.float32), tone(0.5, 0.1), np.zeros(7200, np.float32)])
    start, end = speech_bounds(audio, margin=0)
    assert (start, end) == (4800, 4800 + 12_000)


@pytest.mark.parametrize("audio", [np.zeros(2400, np.float32), np.ones(100, np.float32)])
def test_silent_or_tiny_audio_has_no_level(audio):
    with pytest.raises(InputError, match="silent or shorter"):
        active_level_db(audio)
