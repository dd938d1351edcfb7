from __future__ import annotations

from voxmem.quality.calibration.texts import HALVES, another_value, sentence


def test_the_halves_share_no_sentence() -> None:
    ours, theirs = ({sentence(half, number).text for number in range(300)} for half in HALVES)
    assert len(ours) > 290
    assert ours.isdisjoint(theirs)


def test_a_span_is_the_value() -> None:
    for half in HALVES:
        for number in range(60):
            said = sentence(half, number)
            value = said.text[slice(*said.span)]
            assert value
            assert "{" not in said.text
            assert another_value(said, half, number) != value


def test_the_same_number_is_the_same_sentence() -> None:
    assert sentence("set", 7) == sentence("set", 7)
    assert sentence("set", 7) != sentence("test", 7)
