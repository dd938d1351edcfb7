"""How texts are compared with what was heard, over a recogniser that knows what was said."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest

from voxmem.quality.hearing import forced, listen
from voxmem.quality.hearing.forced import hear

AUDIO = np.ones(24_000, np.float32)


class Knowing:
    """Takes five nats for each written word that was not said, or that is missing."""

    def __init__(self, said: str, heard: str | None = None) -> None:
        self.said, self.heard = said, heard or said
        self.scored: list[str] = []

    def encode(self, audio: np.ndarray) -> None:
        return None

    def tokens(self, text: str) -> list[str]:
        return text.split()

    def best(self, sound: None, most_tokens: int) -> str:
        return " ".join(self.heard.split()[:most_tokens])

    def log_probability(self, sound: None, text: str) -> float:
        self.scored.append(text)
        match = SequenceMatcher(None, self.said.split(), text.split(), autojunk=False)
        edits = sum(max(b - a, d - c) for tag, a, b, c, d in match.get_opcodes() if tag != "equal")
        return -1.0 - 5.0 * edits


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch):
    def known(text: str, heard: str | None = None) -> Knowing:
        recogniser = Knowing(text, heard)
        monkeypatch.setattr(listen, "recogniser", lambda: recogniser)
        return recogniser

    return known


@pytest.mark.parametrize(
    ("reference", "heard"),
    [
        ("I paid forty-five for the shoebox.", "i paid 45 for the shoe box"),
        ("It is on the 9th.", "It is on the ninth."),
        ("OK, Mr Bell, at 7:30 p.m.", "Okay, mister Bell, at 7 30 pm"),
    ],
)
def test_other_spellings_are_the_same_words(said, reference: str, heard: str) -> None:
    recogniser = said(heard)
    found = hear(AUDIO, reference)
    assert (found.margin, found.gaps, found.added) == (0.0, (), 0)
    assert recogniser.scored == [], "nothing is left to be scored"


def test_a_word_that_was_not_said_costs(said) -> None:
    said("I paid for the lamp.")
    found = hear(AUDIO, "I paid 40 euros for the lamp.")
    assert found.margin == -10.0
    (gap,) = found.gaps
    assert (gap.wanted, gap.heard, gap.span) == (("forty", "euros"), (), (7, 15))


def test_a_slip_of_the_recogniser_costs_nothing(said) -> None:
    said("the wall ceiling", heard="the wall sealing")
    found = hear(AUDIO, "The wall ceiling")
    assert found.margin > 0
    assert found.gaps[0].wanted == ("ceiling",)


def test_the_rest_is_spelt_as_it_was_heard(said) -> None:
    recogniser = said("I paid 45 on monday")
    hear(AUDIO, "I paid forty-five on Friday.")
    assert recogniser.scored == ["I paid 45 on monday", "I paid 45 on Friday."]


def test_each_gap_is_weighed_alone(said) -> None:
    said("the red lamp costs nine euros", heard="the read lamp costs five euros")
    found = hear(AUDIO, "the red lamp costs ten euros")
    red, ten = found.gaps
    assert (red.margin, ten.margin) == (5.0, 0.0)
    assert found.margin == 5.0
    assert found.worst((4, 7)) is red
    assert found.worst((19, 22)) is ten
    assert found.worst((8, 12)) is None


def test_words_too_many_are_counted_and_stand_between_words(said) -> None:
    said("emotion sad it rained it rained all week")
    found = hear(AUDIO, "It rained all week.")
    assert found.added == 4
    assert all(start == end for start, end in (gap.span for gap in found.gaps))
    assert found.worst((0, 9)) is None


def test_a_hypothesis_without_end_is_cut_off(said) -> None:
    said("done " * 500)
    assert len(hear(AUDIO, "It is done.").text.split()) == 3 + forced._MORE_TOKENS


def test_long_audio_is_not_heard_at_once() -> None:
    assert forced.is_short(np.zeros(25 * 24_000, np.float32))
    assert not forced.is_short(np.zeros(25 * 24_000 + 1, np.float32))
