from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from voxmem.errors import MissingExtra, SpeechError
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.mixing import PEAK
from voxmem.speech.parametric import engine as parametric
from voxmem.speech.parametric import reading
from voxmem.speech.parametric.peaks import FRAME, limited
from voxmem.speech.parametric.voices import voice_table
from voxmem.vocabulary import DEFAULT_DELIVERIES, DELIVERIES, PERSONAS

TEXTS = (
    "The blue notebook is on the second shelf.",
    "We leave for the coast before Friday evening.",
)


def test_voices_and_deliveries_are_those_of_the_vocabulary(engine):
    assert engine.voices == PERSONAS
    assert engine.deliveries >= set(DEFAULT_DELIVERIES)
    assert engine.deliveries == DELIVERIES.keys() - {"laughter"}
    registers = [voice.pitch_register for voice in voice_table().values()]
    assert 14 <= registers.count("lower") <= 16


def test_every_voice_speaks_near_the_nominal_level(engine):
    for voice in engine.voices:
        levels = [active_level_db(engine.render(text, voice).audio) for text in TEXTS]
        assert np.mean(levels) == pytest.approx(NOMINAL_DB, abs=2.5), voice


def test_a_rendition_says_what_was_applied(engine):
    cued, neutral = engine.render_pair(TEXTS[0], "p21", "sad")
    assert (cued.applied, neutral.applied) == ("sad", "neutral")
    again = engine.render(TEXTS[0], "p21")
    assert np.array_equal(neutral.audio, again.audio)
    assert np.array_equal(cued.audio, engine.render(TEXTS[0], "p21", "sad").audio)


def test_threads_hear_what_one_hears(engine):
    asked = [(TEXTS[0], "p05", "neutral", 1), (TEXTS[1], "p30", "excited", 2)] * 4
    alone = [engine.render(*one).audio for one in asked[:2]] * 4
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda one: engine.render(*one).audio, asked))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


def test_a_burst_is_held_down_and_the_rest_is_not():
    frames = np.full(40 * FRAME, 0.1, np.float32)
    frames[20 * FRAME : 20 * FRAME + 50] = 1.7
    held = limited(frames)
    assert np.abs(held).max() <= PEAK + 1e-4
    assert np.array_equal(held[: 17 * FRAME], frames[: 17 * FRAME])
    assert np.array_equal(held[24 * FRAME :], frames[24 * FRAME :])
    quiet = frames[: 10 * FRAME]
    assert limited(quiet) is quiet


def test_every_loud_rendition_fits_into_a_clip(engine):
    text = "I said I would bring a stack of paper plates for the bike tuneup."
    cued, neutral = engine.render_pair(text, "p18", "excited")
    assert np.abs(cued.audio).max() <= PEAK + 1e-4
    louder = active_level_db(cued.audio) - active_level_db(neutral.audio)
    assert louder == pytest.approx(4.0, abs=1.0)


def test_numbers_are_spoken_like_their_words(engine):
    in_digits, in_words = (
        engine.render(f"I counted {number} chairs.", "p02").audio for number in ("45", "forty-five")
    )
    bare = engine.render("I counted chairs.", "p02").audio
    assert abs(in_digits.size - in_words.size) < 0.12 * in_words.size
    assert in_digits.size > 1.25 * bare.size


def test_another_seed_is_another_take_of_the_same_length_nearly(engine):
    one, two = (engine.render(TEXTS[0], "p07", seed=seed).audio for seed in (0, 1))
    assert one.size != two.size or not np.array_equal(one, two)
    assert abs(one.size - two.size) < 0.06 * one.size


def test_several_sentences_keep_a_gap_between_them(engine):
    joined = engine.render(" ".join(TEXTS), "p03").audio
    assert joined.size > 0.9 * sum(engine.render(text, "p03").audio.size for text in TEXTS)


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setattr(reading, "find_spec", lambda name: None)
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
