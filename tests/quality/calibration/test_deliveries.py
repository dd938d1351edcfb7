from __future__ import annotations

import pytest

from voxmem.config import Speech
from voxmem.quality.calibration.curves import GOOD
from voxmem.quality.calibration.deliveries import (
    NO_CUE,
    Deliveries,
    reaches,
    renditions_without_cue,
)
from voxmem.quality.calibration.naming import name_deliveries
from voxmem.quality.hearing.evidence import ON_PHRASE, REQUIRED
from voxmem.quality.hearing.prosody import measure
from voxmem.speech.studio import Studio, open_studio
from voxmem.vocabulary import CONFUSABLE, DEFAULT_DELIVERIES


@pytest.fixture(scope="module")
def studio() -> Studio:
    return open_studio(Speech())


def test_every_delivery_is_measured_with_and_without_its_cue(studio):
    rows = list(Deliveries().measure(studio, "test", 7))
    assert {(row.condition, row.fault) for row in rows} == {
        (name, fault) for name in (*REQUIRED, ON_PHRASE) for fault in (GOOD, NO_CUE)
    }
    good = [row.value for row in rows if row.fault == GOOD]
    assert min(good) > 1 > max(row.value for row in rows if row.fault == NO_CUE)
    assert rows == list(Deliveries().measure(studio, "test", 7))
    curves = list(Deliveries().curves(rows))
    assert all(reaches(curve) for curve in curves)
    assert [curve.tested_on.good for curve in curves] == [1] * len(curves)


def test_a_delivery_that_is_not_told_from_neutral_stays_out(studio):
    rows = list(Deliveries().measure(studio, "test", 7))
    (curve,) = Deliveries().curves(
        [
            row.model_copy(update={"value": 0.5}) if row.fault == GOOD else row
            for row in rows
            if row.condition == "sad"
        ]
    )
    assert (curve.false_rejects, curve.false_accepts) == (1.0, 0.0)
    assert not reaches(curve)


def test_another_take_is_a_little_different(studio):
    plain, other = renditions_without_cue(studio.engine, "We left at nine.", "p03", 1)
    one, two = measure(plain), measure(other)
    assert one != two
    assert two.seconds == pytest.approx(one.seconds, rel=0.08)
    assert two.f0_hz == pytest.approx(one.f0_hz, rel=0.06)
    assert two.level_db == pytest.approx(one.level_db, abs=2.0)


@pytest.mark.slow
def test_the_palette_is_told_from_neutral(studio):
    """On few sentences; the committed calibration has many."""
    measured = Deliveries()
    rows = [
        row
        for half in ("set", "test")
        for number in range(60, 66)
        for row in measured.measure(studio, half, number)
    ]
    curves = {curve.condition: curve for curve in measured.curves(rows)}
    assert curves.keys() >= set(DEFAULT_DELIVERIES)
    for curve in curves.values():
        assert curve.false_rejects <= 1 / 12, curve.condition
        assert curve.false_accepts <= 1 / 12, curve.condition


@pytest.mark.slow
def test_what_is_often_confused_is_never_offered_together(studio):
    naming = name_deliveries(studio.engine, studio.engine.voices[:24:2], 3)
    assert naming.right > 0.8
    assert {frozenset(pair) for pair in naming.often} <= CONFUSABLE
