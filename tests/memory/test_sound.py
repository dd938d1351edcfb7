"""Which sound is behind a session."""

from __future__ import annotations

from tests.memory.hearing import clip
from voxmem.memory.sound import sound_behind
from voxmem.quality.calibration.sound_records import sound_table
from voxmem.semantics.view import Missing, Unknown


def test_all_turns_together_tell_the_sound():
    assert sound_behind([clip("a", sound="rain"), clip("b", sound="rain"), clip("c")]) == "rain"
    assert sound_behind([clip("a", sound="rain"), *(clip("c") for _ in range(6))]) is Missing.ABSENT
    assert sound_behind([clip("a")]) is Missing.ABSENT
    assert sound_behind([]) == Unknown("sound")


def test_a_sound_that_the_model_does_not_tell_is_never_named():
    untold = [row.event for row in sound_table().rows if not row.is_told]
    assert untold
    assert sound_behind([clip("a", sound=untold[0])]) is Missing.ABSENT
