from __future__ import annotations

import pytest

from tests.quality.session.conftest import TEXT, Speak
from voxmem.quality.calibration.speaking import with_file
from voxmem.quality.session.checks.delivery import check_delivery
from voxmem.vocabulary import DEFAULT_DELIVERIES


@pytest.mark.parametrize("delivery", DEFAULT_DELIVERIES)
def test_a_missing_cue_is_caught(spoken: Speak, delivery: str) -> None:
    good = spoken(delivery=delivery)
    (row,) = check_delivery(good)
    assert row.passed, row.detail
    (row,) = check_delivery(with_file(good, "sha256", good.pair))
    assert not row.passed


def test_a_stress_is_looked_for_on_its_phrase(spoken: Speak) -> None:
    here, there = (
        spoken(delivery="emphatic", span=(TEXT.index(word), TEXT.index(word) + len(word)))
        for word in ("week", "picnic")
    )
    (row,) = check_delivery(here)
    assert row.passed, row.detail
    assert "elsewhere" in row.detail
    assert not next(check_delivery(with_file(here, "sha256", there.primary))).passed
    assert not next(check_delivery(with_file(here, "sha256", here.pair))).passed


def test_a_stress_is_where_it_is_in_its_own_take(studio, spoken: Speak) -> None:
    from voxmem.quality.calibration.speaking import MemoryObjects
    from voxmem.quality.session.spoken import Spoken

    first = spoken(delivery="emphatic", span=(TEXT.index("week"), TEXT.index("week") + 4))
    objects = MemoryObjects()
    again = Spoken(studio.speak(first.clip.spec, objects, take=2), studio, objects, {})
    (row,) = check_delivery(again)
    assert row.passed, row.detail


def test_neutral_speech_has_no_delivery_to_check(spoken: Speak) -> None:
    assert list(check_delivery(spoken())) == []
    assert list(check_delivery(spoken(sound="rain"))) == []
