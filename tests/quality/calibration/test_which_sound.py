from __future__ import annotations

import pytest

from voxmem.quality.calibration.which_sound import WRONG, lead, which_sound

CLIPS = {
    (0, "rain"): {"rain": 3.0, "siren": 1.0, "cat": -1.0},
    (1, "siren"): {"rain": 0.5, "siren": 0.2, "cat": 0.0},
    (2, "cat"): {"rain": -1.0, "siren": 0.0, "cat": 0.0},
}


def test_a_lead_is_over_every_other_sound() -> None:
    assert lead(CLIPS[0, "rain"], "rain") == 2.0
    assert lead(CLIPS[0, "rain"], "cat") == -4.0
    assert lead(CLIPS[1, "siren"], "siren") == pytest.approx(-0.3)


def test_the_likest_sound_passes_and_a_tie_with_it() -> None:
    made = which_sound(CLIPS, "test", "a judge")
    assert made.threshold == 0.0
    assert (made.tested_on.good, made.tested_on.faulty) == (3, 3)
    assert made.false_rejects == pytest.approx(1 / 3, abs=1e-3)
    assert set(made.caught) == {WRONG}
