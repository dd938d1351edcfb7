from __future__ import annotations

import numpy as np
import pytest

from voxmem.speech.levels import rms
from voxmem.speech.sounds.bank import VARIANTS, background, bank
from voxmem.speech.sounds.loop import LOOP_RMS
from voxmem.speech.sounds.recipes import RECIPES
from voxmem.speech.sounds.source import open_sounds
from voxmem.vocabulary import DEFAULT_SOUNDS, SOUNDS


@pytest.mark.parametrize("event", RECIPES)
def test_a_loop_is_sane_and_joins_up_with_itself(event):
    loop = bank(event, 0).audio
    assert rms(loop) == pytest.approx(LOOP_RMS, rel=1e-3)
    assert np.isfinite(loop).all()
    steps = np.abs(np.diff(loop))
    assert abs(loop[0] - loop[-1]) <= steps.max(), "a click where the loop closes"


def test_variants_and_seeds_differ_and_repeat():
    for event in RECIPES:
        loops = {bank(event, variant).audio.tobytes() for variant in range(VARIANTS)}
        assert len(loops) == VARIANTS
        assert np.array_equal(background(event, 30_000, 5), background(event, 30_000, 5))
        assert len({background(event, 30_000, seed).tobytes() for seed in range(8)}) > 4


def test_a_background_may_be_longer_than_the_loop():
    loop = bank("rain", 0).audio
    longer = background("rain", loop.size * 2 + 7, 1)
    assert longer.size == loop.size * 2 + 7
    assert np.array_equal(longer[: loop.size], longer[loop.size : 2 * loop.size])


def test_the_bank_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        bank("rain", 0).audio[0] = 1.0


def test_the_bank_has_what_builds_ask_for_by_default():
    events = open_sounds("embedded").events
    assert set(DEFAULT_SOUNDS) <= set(events) <= set(SOUNDS)
