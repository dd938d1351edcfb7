from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.quality.session.conftest import Speak
from voxmem.config import Speech
from voxmem.quality.calibration.speaking import speak, with_file
from voxmem.quality.session.checks.pair import check_pair
from voxmem.quality.session.spoken import Spoken
from voxmem.records import ClipSpec
from voxmem.speech.studio import open_studio


def rows(spoken: Spoken) -> dict[str, bool]:
    return {row.check: row.passed for row in check_pair(spoken)}


def changed(spoken: Spoken, **update: object) -> Spoken:
    return replace(spoken, clip=spoken.clip.model_copy(update=update))


def test_a_mix_is_made_anew_from_its_stem(spoken: Speak) -> None:
    good = spoken(delivery="sad", sound="siren")
    pair, snr = check_pair(good)
    assert (pair.passed, pair.value) == (True, pytest.approx(0.0, abs=1.0))
    assert (snr.passed, snr.value, snr.threshold) == (True, pytest.approx(10, abs=0.05), 10.0)


def test_one_step_is_rounding_and_two_are_not(spoken: Speak) -> None:
    good = spoken(sound="siren")
    for steps, passes in ((1, True), (2, False)):
        moved = good.primary.copy()
        moved[30_000] += steps / 32768
        assert rows(with_file(good, "sha256", moved))["pair"] is passes


def test_a_stem_that_is_late_by_a_sample_is_caught(spoken: Speak) -> None:
    good = spoken(sound="siren")
    assert not rows(with_file(good, "stem_sha256", np.roll(good.stem, 1)))["pair"]
    shorter = rows(with_file(good, "stem_sha256", good.stem[:-240]))
    assert shorter == {"pair": False}


def test_a_cue_without_its_own_rendition_is_caught(spoken: Speak) -> None:
    good = spoken(delivery="fast")
    assert rows(good) == {"pair": True}
    assert rows(changed(good, pair_sha256=None)) == {"pair": False}
    assert rows(changed(good, pair_sha256=good.clip.sha256)) == {"pair": False}
    mixed = spoken(delivery="sad", sound="siren")
    assert rows(changed(mixed, stem_sha256=None)) == {"pair": False}
    assert rows(changed(mixed, stem_sha256=mixed.clip.pair_sha256)) == {"pair": False}
    plain = spoken()
    assert rows(changed(plain, pair_sha256=good.clip.pair_sha256)) == {"pair": False}


def test_a_mix_without_its_sound_is_caught_by_its_ratio(spoken: Speak) -> None:
    good = spoken(sound="rain")
    bare = with_file(good, "sha256", good.stem * np.float32(0.9), gain=0.9)
    assert rows(bare) == {"pair": False, "snr": False}


def test_a_mix_that_is_its_stem_is_caught(spoken: Speak) -> None:
    good = spoken(sound="rain")
    assert rows(with_file(good, "sha256", good.stem)) == {"pair": False}


def test_the_channel_is_proved_as_well() -> None:
    studio = open_studio(Speech(effects=("telephone",)))
    spec = ClipSpec(text="It rained all week.", voice="p02", delivery="sad", sound="siren")
    good = speak(studio, spec)
    assert rows(good) == {"pair": True}, "speech and sound cannot be told apart any more"
    assert not rows(changed(good, take=1))["pair"], "another background"
    assert not np.array_equal(good.clean, good.stem)
