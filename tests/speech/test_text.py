from __future__ import annotations

import pytest

from voxmem.errors import InputError
from voxmem.speech.text import spoken_text


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("It’s “fine”,\n  really", 'It\'s "fine", really'),
        ("Monday - or Tuesday -- not sure", "Monday — or Tuesday — not sure"),
        ("a well-kept garden", "a well-kept garden"),
        ("Ana's café", "Ana's café"),
    ],
)
def test_text_becomes_one_plain_line(written, spoken):
    assert spoken_text(written) == spoken


@pytest.mark.parametrize("text", ["", "   ", "...", "?!", "\u200b"])
def test_nothing_to_speak(text):
    with pytest.raises(InputError, match="nothing to speak"):
        spoken_text(text)


@pytest.mark.parametrize("text", ["Привет", "see you 明日", "ring \x07 twice"])
def test_unreadable_characters(text):
    with pytest.raises(InputError, match="cannot be read out"):
        spoken_text(text)
