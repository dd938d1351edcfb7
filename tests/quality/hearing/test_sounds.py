from __future__ import annotations

import numpy as np
import pytest

from voxmem.quality.hearing.sound_names import SOUND_NAMES
from voxmem.quality.hearing.sounds import Scale, ends, named, scores
from voxmem.vocabulary import SOUNDS


@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.5, 1.0])
def test_the_ends_are_joined_until_a_second_is_full(seconds):
    edge = round(seconds * 24_000)
    clip = np.concatenate([np.full(edge, 0.1), np.full(50_000, 0.9), np.full(edge, 0.3)])
    joined = ends(clip.astype(np.float32), seconds)
    assert joined.size >= 0.975 * 24_000
    assert joined.max() <= 0.3 + 1e-6, "nothing of what lies between"
    assert joined.min() >= 0.1 - 1e-6
    assert np.abs(np.diff(joined)).max() < 0.002, "no click where they are joined"


def test_a_clip_without_edges_has_no_ends():
    assert ends(np.ones(24_000, np.float32), 0.0).size == 0


def test_the_sound_is_the_one_that_stands_out_against_what_is_usual():
    scales = {"rain": Scale(2.0, 1.0), "crow": Scale(-5.0, 0.5), "siren": Scale(0.0, 2.0)}
    found = scores({"rain": 2.5, "crow": -3.0, "siren": 3.0}, scales)
    assert found == {"rain": 0.5, "crow": 4.0, "siren": 1.5}
    assert named(found) == "crow", "though its logit is the lowest"


def test_every_sound_has_a_name_of_its_own():
    assert list(SOUND_NAMES) == list(SOUNDS)
    names = [name for own in SOUND_NAMES.values() for name in own]
    assert len(names) == len(set(names))


@pytest.mark.local_models
def test_the_model_knows_every_name_and_what_is_behind_a_turn():
    from voxmem.quality.calibration.sound_records import sound_table
    from voxmem.quality.hearing.listen import sound_classes
    from voxmem.quality.hearing.sounds import evidence, heard_in_clip
    from voxmem.speech.mixing import mix
    from voxmem.speech.sounds.bank import background

    assert {name for own in SOUND_NAMES.values() for name in own} <= set(sound_classes())
    t = np.arange(2 * 24_000) / 24_000
    words = 0.1 * np.sin(2 * np.pi * 180 * t) * (np.sin(2 * np.pi * 3 * t) > -0.3)
    stem = np.pad(words, 7_200).astype(np.float32)
    scales = sound_table().scales
    right = [
        named(scores(evidence(heard_in_clip(made.mix, 0.3), scales), scales)) == event
        for event in scales
        for made in (mix(stem, background(event, stem.size, 11), 10.0),)
    ]
    assert np.mean(right) > 0.6
    assert max(evidence(heard_in_clip(np.zeros(48_000, np.float32), 0.3), scales).values()) < -15
