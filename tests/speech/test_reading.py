from __future__ import annotations

import pytest

from voxmem.errors import InputError, UsageError
from voxmem.speech.parametric.reading import Reader, Sentence


@pytest.fixture(scope="session")
def reader(engine) -> Reader:
    return engine._reader


def marked(sentences: list[Sentence]) -> list[str]:
    """The phonemes of each marked phrase."""
    return [one.symbols[slice(*one.phrase)] for one in sentences if one.phrase]


def spoken(reader: Reader, text: str) -> str:
    (sentence,) = reader.read(text)
    return sentence.symbols[sentence.words[0][0] : sentence.words[-1][1]]


@pytest.mark.parametrize(
    ("before", "phrase", "after"),
    [
        ("They asked me to bring ", "a folding table", " for the lock change."),
        ("We need ", "45", " candles at 7:30, on 3 March 2024."),
        ("The purple folder, then. No, I meant the ", "brown", " one."),
        ("It costs $1,250 at Dr. Smith's, so pay by ", "money order", "."),
        ("", "Marshmallows", ", of course: they are my treat."),
        ("Use the “", "green", "” notebook — not the other one."),
    ],
)
def test_the_words_of_a_phrase_are_those_that_are_spoken(reader, before, phrase, after):
    span = (len(before), len(before) + len(phrase))
    found = marked(reader.read(before + phrase + after, span))
    assert found == [spoken(reader, phrase)]
    assert not marked(reader.read(before + phrase + after))


def test_a_part_of_a_word_stands_for_the_word(reader):
    text = "I gave the sister-in-law's key back."
    start = text.index("law")
    (found,) = marked(reader.read(text, (start, start + 3)))
    assert found == spoken(reader, "sister-in-law's")


def test_a_phrase_may_reach_over_the_end_of_a_sentence(reader):
    text = "Ask for the Tower. The Bridge is closed."
    span = (text.index("Tower"), text.index(" is closed"))
    assert marked(reader.read(text, span)) == [
        spoken(reader, "Tower"),
        spoken(reader, "The Bridge"),
    ]


@pytest.mark.parametrize("span", [(3, 3), (-1, 4), (8, 40), (17, 19)])
def test_a_phrase_that_is_not_there_is_refused(reader, span):
    with pytest.raises(UsageError, match="there is no phrase"):
        reader.read("My old umbrella, … blue.", span)


def test_a_text_without_words_is_refused(reader):
    with pytest.raises(InputError, match="nothing to speak"):
        reader.read(" … !")
