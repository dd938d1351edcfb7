from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.fake_speech import ToneEngine
from voxmem.quality.calibration.measurement import Measured
from voxmem.quality.calibration.sound_listing import judged_by, rows
from voxmem.quality.calibration.sound_records import SoundTable, as_lines, sound_table
from voxmem.quality.calibration.sounds import NONE, Sounds, auc, of_half, perceptibility, scales_of
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio
from voxmem.vocabulary import DEFAULT_SOUNDS

EVENTS = ("crow", "rain", "siren")


def measured(separation: float, whole: float = 0.0) -> list[Measured]:
    """Evidence that is higher by ``separation`` deviations in an event's own clips."""
    rng, found = np.random.default_rng(3), []
    for check, apart in (("sound", separation), ("sound, whole clip", whole)):
        for half in ("set", "test"):
            for number in range(60):
                for behind in (NONE, *EVENTS):
                    for at, event in enumerate(EVENTS):
                        usual = 5.0 * at - (9.0 if behind == NONE else 0.0)
                        value = usual + rng.normal() + (apart if behind == event else 0.0)
                        found.append(
                            Measured(
                                check=check, condition=event, half=half, number=number,
                                fault=behind, value=value,
                            )
                        )  # fmt: skip
    return found


@pytest.fixture
def studio() -> Studio:
    return Studio(ToneEngine(), open_sounds("embedded"))


def test_sounds_that_stand_out_are_told_and_those_that_do_not_are_not(studio):
    clear = Sounds().table(studio, measured(6.0))
    assert all(row.is_told for row in clear.rows)
    assert all(row.named_right > 0.95 and row.false_rejects < 0.1 for row in clear.rows)
    assert all(row.false_accepts == pytest.approx(0.02, abs=0.04) for row in clear.rows)
    vague = Sounds().table(studio, measured(0.0, whole=6.0))
    assert not any(row.is_told for row in vague.rows)
    assert all(row.auc_other == pytest.approx(0.5, abs=0.15) for row in vague.rows)
    assert np.mean([row.named_right for row in vague.rows]) == pytest.approx(1 / 3, abs=0.15)
    assert all(row.auc_absent > 0.99 for row in vague.rows), "that something is heard is easy"
    assert all(row.named_whole > 0.95 for row in vague.rows), "each listener has a scale of its own"


def test_scales_are_of_the_half_that_sets_and_of_clips_with_a_sound():
    found = measured(0.0)
    moved = [
        row.model_copy(update={"value": row.value + 50})
        if row.half == "test" or row.fault == NONE
        else row
        for row in found
    ]
    assert scales_of(moved, "sound") == scales_of(found, "sound")


def test_the_area_counts_ties_as_half():
    assert auc(np.array([1.0, 2.0]), np.array([1.0, 0.0])) == 0.875


def test_a_table_survives_its_file(studio):
    table = Sounds().table(studio, measured(3.0))
    assert SoundTable.model_validate_json(as_lines(table)) == table


def test_the_halves_share_no_variant(studio):
    one, two = (of_half(studio, half).sounds for half in ("set", "test"))
    for event in studio.sounds.events:
        assert not set(one.licences(event)) & set(two.licences(event))
        both = {**one.licences(event), **two.licences(event)}
        assert both == studio.sounds.licences(event)
    heard = [
        {one_.background("rain", 900, seed).audio.tobytes() for seed in range(6)}
        for one_ in (one, two)
    ]
    assert not heard[0] & heard[1]


def test_the_default_palette_is_what_was_told():
    """The committed measurement is of the bank as it is, and nothing in the palette fell short."""
    table = sound_table()
    assert table.sounds == open_sounds("embedded").revision
    assert "tuned" in table.judge, "who judged is said"
    told = {row.event for row in table.rows if row.is_told}
    assert set(DEFAULT_SOUNDS) <= told
    assert len(DEFAULT_SOUNDS) >= 20
    assert np.mean([row.named_right for row in table.rows]) >= 0.7
    assert min(row.clips for row in table.rows) >= 8
    assert [one.snr_db for one in table.perceived] == sorted(one.snr_db for one in table.perceived)
    assert table.perceived[0].named_right > table.perceived[-1].named_right


def test_the_listing_says_who_judged():
    found = {row.event: row for row in rows("embedded")}
    assert set(DEFAULT_SOUNDS) <= set(found)
    assert found["rain"].variants == 4
    assert found["rain"].category == "weather and water"
    assert found["rain"].told.startswith("named ")
    assert "YAMNet" in (judged_by("embedded") or "")


@pytest.mark.local_models
def test_sentences_are_measured_with_and_without_sounds():
    from voxmem.config import Speech
    from voxmem.speech.studio import open_studio

    studio = open_studio(Speech())
    found = list(iterate(studio))
    behind = {row.fault for row in found}
    assert len(behind) == 5
    assert NONE in behind
    assert {row.condition for row in found} == set(studio.sounds.events)
    curve = perceptibility(studio, sound_table().scales, 1, (-5.0, 30.0))
    assert curve[0].clips == 4
    assert curve[0].named_right >= curve[1].named_right


def iterate(studio: Studio) -> Iterator[Measured]:
    return Sounds().measure(studio, "test", 0)
