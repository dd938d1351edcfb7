"""Words: what the checks make of what a recogniser hears. What it does hear is in test_faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.quality.session.conftest import Speak
from voxmem.quality.calibration.speaking import with_file
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import Gap, Heard
from voxmem.quality.session.checks.added_words import check_added_words
from voxmem.quality.session.checks.critical_words import check_critical_words
from voxmem.quality.session.checks.transcript import check_transcript
from voxmem.quality.session.spoken import Spoken

TEXT = "Please tell Doctor Okafor that I moved it to Monday at 9."


def hearing(spoken: Spoken, margin: float, *gaps: Gap, words: tuple[str, ...] = ()) -> Spoken:
    """The clip, of which a recogniser has heard this."""
    critical = tuple((TEXT.index(word), TEXT.index(word) + len(word)) for word in words)
    found = replace(spoken, critical=critical)
    found.__dict__["heard"] = Heard("what was heard", margin, gaps)
    return found


def gap(word: str, heard: str, margin: float) -> Gap:
    start = TEXT.index(word)
    return Gap((word.lower(),), (heard,), (start, start + len(word)), margin)


def test_a_slip_passes_and_a_wide_gap_does_not(spoken: Speak) -> None:
    clip = spoken(TEXT)
    assert next(check_transcript(hearing(clip, 0.0))).passed
    assert next(check_transcript(hearing(clip, -0.5, gap("moved", "move", -0.5)))).passed
    (row,) = check_transcript(hearing(clip, -14.0, gap("moved", "sold", -14.0)))
    assert not row.passed
    assert row.detail == "what was heard"
    assert row.judge.startswith("whisper tiny.en")
    assert "calibration " in row.judge


def test_one_word_more_is_a_slip_and_two_are_not(spoken: Speak) -> None:
    clip = spoken(TEXT)
    one = Gap((), ("um",), (0, 0), -1.0)
    two = Gap((), ("emotion", "excited"), (0, 0), 3.0)
    assert next(check_added_words(hearing(clip, -1.0, one))).passed
    (row,) = check_added_words(hearing(clip, 3.0, two))
    assert (row.passed, row.value) == (False, -2.0)


def test_each_critical_word_counts_alone(spoken: Speak) -> None:
    clip = spoken(TEXT)
    missed = gap("Monday", "sunday", -12.0)
    (row,) = check_critical_words(hearing(clip, -12.0, missed, words=("Monday", "9")))
    assert (row.passed, row.value) == (False, -12.0)
    assert "“Monday”: heard “sunday”" in row.detail
    assert next(check_critical_words(hearing(clip, -12.0, missed, words=("9",)))).passed
    assert list(check_critical_words(hearing(clip, -12.0, missed))) == []


def test_a_name_may_be_spelt_otherwise(spoken: Speak) -> None:
    clip = spoken(TEXT)
    nearly, other = gap("Okafor", "acofor", -9.0), gap("Okafor", "smith", -9.0)
    assert next(check_critical_words(hearing(clip, -9, nearly, words=("Okafor",)))).passed
    assert not next(check_critical_words(hearing(clip, -9, other, words=("Okafor",)))).passed
    word = gap("moved", "loved", -9.0)
    assert not next(check_critical_words(hearing(clip, -9, word, words=("moved",)))).passed


def test_speech_that_is_too_long_is_transcribed_in_pieces(
    spoken: Speak, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = spoken(TEXT)
    long = with_file(clip, "sha256", np.tile(clip.stem, 8)[: 26 * 24_000])
    for said, passes in ((TEXT, True), ("Please tell Doctor Okafor it is Monday.", False)):
        monkeypatch.setattr(listen, "transcribe", lambda _, said=said: said)
        (row,) = check_transcript(long)
        assert row.passed is passes
    assert list(check_added_words(long)) == []
