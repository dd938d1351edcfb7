from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import InputError
from voxmem.quality.hearing.phrase_changes import phrase_changes
from voxmem.quality.hearing.warping import counterparts
from voxmem.speech.levels import BLOCK, speech_bounds

TEXT = "We left the boat in the harbour."


@pytest.fixture(scope="module")
def speech(engine) -> np.ndarray:
    audio = engine.render(TEXT, "p22").audio
    return audio[slice(*speech_bounds(audio))]


def test_a_rendition_is_its_own_counterpart(speech):
    blocks = speech.size // BLOCK
    assert np.array_equal(counterparts(speech, speech), np.arange(blocks + 1))
    assert np.array_equal(counterparts(speech, 0.3 * speech), np.arange(blocks + 1))


def test_what_comes_after_a_pause_is_later_by_the_pause(speech):
    cut = 60 * BLOCK
    pause = np.zeros(25 * BLOCK, np.float32)
    at = counterparts(speech, np.concatenate([speech[:cut], pause, speech[cut:]]))
    shift = at - np.arange(at.size)
    assert np.abs(shift[:55]).max() <= 1
    assert np.abs(shift[66:] - 25).max() <= 1


def test_a_slower_rendition_is_later_in_proportion(engine, speech):
    slow = engine.render(TEXT, "p22", "slow").audio
    slow = slow[slice(*speech_bounds(slow))]
    at = counterparts(speech, slow)
    assert np.all(np.diff(at) >= 0)
    even = np.linspace(0, slow.size / BLOCK, at.size)
    assert np.abs(at - even).mean() < 4


def test_changes_are_told_apart_by_where_they_are(speech):
    blocks = np.arange(speech.size) // BLOCK
    louder = speech * np.where((blocks >= 60) & (blocks < 100), 2.0, 1.0).astype(np.float32)
    inside = phrase_changes(speech, louder, (60 * BLOCK, 100 * BLOCK))
    assert inside.level_db == pytest.approx(6.0, abs=0.3)
    assert inside.level_db_elsewhere == pytest.approx(0.0, abs=0.1)
    assert inside.duration == inside.duration_elsewhere == 0
    assert inside.semitones == pytest.approx(0.0, abs=0.2)
    outside = phrase_changes(speech, louder, (10 * BLOCK, 40 * BLOCK))
    assert outside.level_db == pytest.approx(0.0, abs=0.3)


def test_a_phrase_beyond_the_end_has_no_sound(speech):
    with pytest.raises(InputError, match="no sound in the phrase"):
        phrase_changes(speech, speech, (speech.size + BLOCK, speech.size + 20 * BLOCK))
