"""Deliveries are told by how a turn differs from the same voice's others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.memory.hearing import PLAIN, clip
from voxmem.keys import numpy_rng
from voxmem.memory.calibrate import Labelled, confusions, fit
from voxmem.memory.delivery import Place, Said, deliveries, differences, model
from voxmem.memory.measures import MEASURES, Pace
from voxmem.vocabulary import DEFAULT_DELIVERIES

WORDS = "The bread baking costs forty five euros, as far as I know."
EXPECTED = Pace(model().pace).expected(WORDS)
NEUTRAL = replace(
    PLAIN, seconds=float(EXPECTED[0]), pause_seconds=max(0.0, float(EXPECTED[2])), pauses=1
)


def said(voice="voice 1", noisy=False, words=WORDS, **measured):
    prosody = replace(NEUTRAL, **measured)
    return Said(clip(words).model_copy(update={"prosody": prosody}), voice, noisy)


def history(odd, count=8, session=3):
    """Neutral turns, and one that is not, in a session of its own."""
    turns = {Place(at // 2, at % 2): said() for at in range(count)}
    return turns | {Place(session + count, 0): odd}


@pytest.mark.parametrize(
    ("delivery", "measured"),
    [
        ("neutral", {}),
        ("slow", {"seconds": NEUTRAL.seconds * 1.38}),
        ("monotone", {"f0_spread": 0.02, "f0_end_hz": 122.0}),
        ("whispered", {"voicing": 0.35, "level_db": -31.0, "tilt_db": -6.0, "f0_spread": 0.9}),
        ("sad", {"f0_hz": 107.0, "f0_end_hz": 110.0, "f0_spread": 0.22, "level_db": -30.5,
                 "seconds": NEUTRAL.seconds * 1.15, "tilt_db": -14.0}),
    ],
)  # fmt: skip
def test_what_differs_tells_the_delivery(delivery, measured):
    turns = history(said(**measured))
    found = deliveries(turns)
    assert found[Place(11, 0)].delivery == delivery
    assert {found[place].delivery for place in turns if place.session < 8} == {"neutral"}


def test_what_is_neutral_is_of_the_voice():
    """A voice that is always high is not excited."""
    high = {Place(40 + at, 0): said("voice 2", f0_hz=220.0, f0_end_hz=240.0) for at in range(5)}
    found = deliveries(history(said()) | high)
    assert {each.delivery for each in found.values()} == {"neutral"}


def test_behind_a_sound_the_other_turns_of_the_session_say_what_is_neutral():
    loud = {Place(20, at): said(noisy=True, level_db=-20.0, tilt_db=-4.0) for at in range(5)}
    rows = differences(history(said()) | loud, Pace(model().pace))
    level = rows[Place(20, 0)][MEASURES.index("level, dB")]
    assert level == pytest.approx(6.0 / 5)
    assert rows[Place(20, 0)][-1] == 1.0
    assert rows[Place(0, 0)][-1] == 0.0


def test_silence_and_turns_without_a_word_are_left_out():
    turns = history(said())
    turns[Place(30, 0)] = said(words="")
    silent = clip("").model_copy(update={"prosody": None, "stress": None})
    turns[Place(31, 0)] = Said(silent, "voice 1", noisy=False)
    assert set(deliveries(turns)) == set(history(said()))


def test_the_model_that_ships_knows_the_deliveries_of_default_builds():
    assert {name.split()[0] for name in model().names} == {"neutral", *DEFAULT_DELIVERIES}


def test_a_model_is_fitted_to_what_was_spoken():
    rng = numpy_rng("turns to fit")
    rows = []
    for at in range(240):
        name = ("neutral", "neutral", "slow", "fast")[at % 4]
        factor = {"neutral": 1.0, "slow": 1.35, "fast": 0.8}[name] * rng.normal(1.0, 0.03)
        words = " ".join(rng.choice("bread kite lamp over seven mild tours and hedge".split(), 9))
        length = Pace(model().pace).expected(words)[0] * factor
        turn = said(f"voice {at % 3}", words=words, seconds=float(length))
        rows.append(Labelled(Place(at, 0), turn, name))
    made = fit(rows, "an engine")
    assert made.names == ("fast", "neutral", "slow")
    counts = confusions(made, rows)
    right = sum(count for (spoken, named), count in counts.items() if spoken == named)
    assert right / len(rows) > 0.9
