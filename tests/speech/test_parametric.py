from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from voxmem.errors import MissingExtra, SpeechError
from voxmem.speech.parametric import engine as parametric
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.parametric.voices import voice_table
from voxmem.vocabulary import DELIVERIES, PERSONAS

TEXTS = (
    "The blue notebook is on the second shelf.",
    "We leave for the coast before Friday evening.",
)


def test_voices_and_deliveries_are_the_vocabulary(engine):
    assert engine.voices == PERSONAS
    assert engine.deliveries == DELIVERIES.keys()
    registers = [voice.pitch_register for voice in voice_table().values()]
    assert 5 <= registers.count("lower") <= 7


def test_every_voice_speaks_near_the_nominal_level(engine):
    for voice in engine.voices:
        levels = [active_level_db(engine.render(text, voice)) for text in TEXTS]
        assert np.mean(levels) == pytest.approx(NOMINAL_DB, abs=2.5), voice


def test_numbers_are_spoken_like_their_words(engine):
    in_digits, in_words = (
        engine.render(f"I counted {number} chairs.", "p02") for number in ("45", "forty-five")
    )
    bare = engine.render("I counted chairs.", "p02")
    assert abs(in_digits.size - in_words.size) < 0.12 * in_words.size
    assert in_digits.size > 1.25 * bare.size


def test_another_seed_is_another_take_of_the_same_length_nearly(engine):
    one, two = (engine.render(TEXTS[0], "p07", seed=seed) for seed in (0, 1))
    assert one.size != two.size or not np.array_equal(one, two)
    assert abs(one.size - two.size) < 0.06 * one.size


def test_several_sentences_keep_a_gap_between_them(engine):
    joined = engine.render(" ".join(TEXTS), "p03")
    assert joined.size > 0.9 * sum(engine.render(text, "p03").size for text in TEXTS)


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setattr(parametric, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"voxmem\[speech\]"):
        parametric.ParametricEngine()


def test_another_model_file_is_refused(tmp_path):
    file = tmp_path / "hibari.onnx"
    file.write_bytes(b"another network")
    with pytest.raises(SpeechError, match="not the one the voices were made for"):
        parametric._session(file)


def test_importing_speech_loads_no_model_package():
    heavy = ["torch", "hibari", "onnxruntime", "soundfile", "faster_whisper", "scipy.signal"]
    script = (
        "import sys\n"
        "import voxmem.speech.studio, voxmem.speech.parametric.engine, voxmem.speech.estimate\n"
        "import voxmem.quality.session.checks\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
