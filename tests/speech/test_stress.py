from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from tests.dialogue.builders import dialogue, planned_sessions
from voxmem import keys
from voxmem.errors import UsageError
from voxmem.quality.hearing.evidence import delivery_evidence
from voxmem.records import Cue
from voxmem.speech.engine import SAMPLE_RATE
from voxmem.speech.levels import speech_bounds
from voxmem.speech.mixing import PEAK
from voxmem.vocabulary import PERSONAS


def pair(engine, text, voice, seed=0, span=None):
    """Audio of the emphatic and of the neutral rendition."""
    return [one.audio for one in engine.render_pair(text, voice, "emphatic", seed, span)]


TEXT = "I keep the notes for the sleep study in the orange folder, not at home."
MIDDLE = (TEXT.index("orange"), TEXT.index(" folder"))
OTHER = (TEXT.index("sleep"), TEXT.index(" in"))
_OVERLAP = SAMPLE_RATE // 20  # a frame's window


def test_only_the_phrase_is_changed(engine):
    cued, neutral = pair(engine, TEXT, "p07", 3, MIDDLE)
    assert np.array_equal(neutral, engine.render(TEXT, "p07", seed=3).audio)
    lead, _ = speech_bounds(neutral)
    start, end = (lead + at for at in engine.locate(TEXT, "p07", MIDDLE, 3))
    longer = cued.size - neutral.size
    assert 0.3 < longer / (end - start) < 0.42
    assert np.array_equal(cued[: start - _OVERLAP], neutral[: start - _OVERLAP])
    tail, same = neutral[end + _OVERLAP :], cued[end + longer + _OVERLAP :]
    assert np.std(same) == pytest.approx(np.std(tail), rel=0.05)
    stressed, plain = cued[start : end + longer], neutral[start:end]
    assert 4 < 20 * np.log10(np.std(stressed) / np.std(plain)) < 7


def test_the_places_of_words_are_in_their_order(engine):
    spans = [(at.start(), at.end()) for at in re.finditer(r"[a-z]+", TEXT)]
    places = [engine.locate(TEXT, "p02", span) for span in spans]
    assert all(start < end for start, end in places)
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    assert places[-1][1] <= engine.render(TEXT, "p02").audio.size


@pytest.mark.parametrize("voice", ["p01", "p04", "p09"])
def test_the_stress_is_measured_where_it_is_and_nowhere_else(engine, voice):
    cued, neutral = pair(engine, TEXT, voice, span=MIDDLE)
    here, there = (engine.locate(TEXT, voice, span) for span in (MIDDLE, OTHER))
    evidence = delivery_evidence(neutral, cued, "emphatic", here)
    assert evidence.passed, evidence.detail
    whole = engine.render(TEXT, voice, "emphatic").audio
    for rendition, place in ((cued, there), (whole, here), (neutral, here)):
        assert not delivery_evidence(neutral, rendition, "emphatic", place).passed
    again = engine.render(TEXT, voice, seed=9).audio
    other = delivery_evidence(neutral, again, "emphatic", here)
    assert other.value < 2 / 3, other.detail


def test_a_phrase_without_a_voiced_sound_is_told_by_level_and_length(engine):
    text = "News about the agency call comes by fax."
    span = (text.index("fax"), len(text) - 1)
    cued, neutral = pair(engine, text, "p09", 4, span)
    place = engine.locate(text, "p09", span, 4)
    evidence = delivery_evidence(neutral, cued, "emphatic", place)
    assert evidence.passed, evidence.detail
    again = engine.render(text, "p09", seed=5).audio
    assert not delivery_evidence(neutral, again, "emphatic", place).passed


def test_a_loud_phrase_is_not_stressed_beyond_what_a_clip_holds(engine):
    text = "As of the twenty-second of May, the reward for the budget check is lemonade."
    span = (text.index("lemonade"), len(text) - 1)
    cued, neutral = pair(engine, text, "p18", 175, span)
    assert np.abs(neutral).max() < PEAK
    assert np.abs(cued).max() <= PEAK + 1e-4


def test_only_emphasis_can_be_on_a_phrase(engine):
    with pytest.raises(UsageError, match="no phrase alone can be sad"):
        engine.render_pair(TEXT, "p02", "sad", span=MIDDLE)


@pytest.mark.slow
def test_nearly_every_stressed_value_of_the_templates_is_measured(engine):
    """Two takes of the same words never come near it."""
    passed, values = [], []
    turns = _stressed_turns(60)
    for number, (text, span) in enumerate(turns):
        voice = PERSONAS[number % len(PERSONAS)]
        cued, neutral = pair(engine, text, voice, number, span)
        place = engine.locate(text, voice, span, number)
        passed.append(delivery_evidence(neutral, cued, "emphatic", place).passed)
        again = engine.render(text, voice, seed=number + 1000).audio
        values.append(delivery_evidence(neutral, again, "emphatic", place).value)
    assert np.mean(passed) >= 0.95
    assert max(values) < 2 / 3


def _stressed_turns(count: int) -> list[tuple[str, tuple[int, int]]]:
    cue = Cue(dimension="emphasis", value="emphatic")
    planned = [one.model_copy(update={"cue": cue}) for one in planned_sessions() if one.facts]
    keys.rng("stressed turns").shuffle(planned)
    turns = (dialogue(one).user_turns[one.key_turn] for one in planned)
    found = [(turn.text, turn.cues[0].span) for turn in turns if turn.cues[0].span]
    return found[:count]
