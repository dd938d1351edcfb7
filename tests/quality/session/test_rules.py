"""Each fault is caught by the check of its name; a good clip passes every one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.quality.session.conftest import Speak
from voxmem.quality.calibration.rules import FAULTS, Fault
from voxmem.quality.calibration.speaking import with_file
from voxmem.quality.session import registry
from voxmem.quality.session.checks.clipping import check_clipping, flat_samples
from voxmem.quality.session.checks.duration import check_duration
from voxmem.quality.session.checks.level import check_level
from voxmem.quality.session.checks.silence import active_share, check_silence

CUES = [{}, {"delivery": "sad"}, {"sound": "rain"}, {"delivery": "whispered", "sound": "siren"}]


@pytest.mark.parametrize("cues", CUES, ids=str)
def test_a_good_clip_passes_every_rule(spoken: Speak, cues: dict[str, str]) -> None:
    clip = spoken(**cues)
    rows = [row for check in registry.MEASURED for row in check([clip])]
    assert [row.check for row in rows if not row.passed] == []
    assert {row.subject for row in rows} == {clip.clip.clip_id}
    wanted = {"level", "clipping", "silence", "duration", "pair"}
    wanted |= {"snr"} if "sound" in cues else set()
    wanted |= {"delivery"} if "delivery" in cues else set()
    assert {row.check for row in rows} == wanted


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("number", [0, 1])
def test_a_fault_is_caught_by_the_check_of_its_name(
    spoken: Speak, fault: Fault, number: int
) -> None:
    wrong = fault.make(spoken(delivery="sad", sound="siren"), number)
    rows = {row.check: row.passed for row in fault.by(wrong)}
    assert rows[fault.check] is False


def test_levels_say_which_way(spoken: Speak) -> None:
    good = spoken()
    quiet = with_file(good, "stem_sha256", good.stem * np.float32(0.05))
    loud = with_file(good, "stem_sha256", np.clip(good.stem * 40, -0.9, 0.9))
    assert [next(check_level(it)).detail for it in (good, quiet, loud)] == [
        "", "too quiet", "too loud",
    ]  # fmt: skip


def test_clipping_is_seen_after_the_level_was_lowered(spoken: Speak) -> None:
    whole = spoken(sound="rain").primary
    cut = np.clip(whole * 3, -0.98, 0.98)
    assert flat_samples(whole) <= 2
    assert flat_samples(cut) > 50
    assert flat_samples(cut * np.float32(0.5)) > 50
    assert flat_samples(cut * np.float32(0.3)) == 0, "too quiet to tell from a tone"


def test_a_hum_and_a_click_are_no_speech(spoken: Speak) -> None:
    good = spoken()
    hum = np.sin(np.arange(good.stem.size) * 0.05).astype(np.float32) * 0.1
    click = np.zeros_like(good.stem)
    click[[20_000, 60_000]] = 0.5
    share = active_share(good.stem)
    assert 0.5 < share < 0.95
    for audio, detail in ((hum, "no pause at all"), (click, "hardly any sound")):
        (row,) = check_silence(with_file(good, "stem_sha256", audio))
        assert (row.passed, row.detail) == (False, detail)


def test_durations_are_held_against_row_and_text(spoken: Speak) -> None:
    good = spoken()
    (row,) = check_duration(good)
    assert row.passed
    assert row.value == pytest.approx(1.0, abs=0.15)
    wrong_row = replace(good, clip=good.clip.model_copy(update={"samples": 24_000}))
    (row,) = check_duration(wrong_row)
    assert not row.passed
    assert "not 24000" in row.detail
    spec = good.clip.spec.model_copy(update={"text": f"{good.clip.spec.text} " * 3})
    (row,) = check_duration(replace(good, clip=good.clip.model_copy(update={"spec": spec})))
    assert not row.passed, "a third of the words"


def test_the_loudest_whole_peak_is_not_clipped(spoken: Speak) -> None:
    (row,) = check_clipping(spoken(delivery="excited", sound="car horn"))
    assert row.passed
