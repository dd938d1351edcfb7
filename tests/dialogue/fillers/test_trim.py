"""Cutting foreign texts down to user turns."""

from __future__ import annotations

import pytest

from voxmem.dialogue.fillers.trim import fault, fitted, sentences
from voxmem.speech.estimate import estimate_seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Hey, can you tell me how we can, like, cut waste?",
            ["Can you tell me how we can cut waste?"],
        ),
        ("So, um, what is  rust?! Thanks!!", ["What is rust?", "Thanks."]),
        ("i — uh — want tea… please", ["I - - want tea.", "Please."]),
        ("It’s “fine” , you know.", ['It\'s "fine".']),
        ("...", []),
        ("", []),
    ],
)
def test_sentences_are_plain(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("What is the capital of Norway?", None),
        ("Tell me about the *best* tea.", "characters that are not spoken"),
        ("See https://example.org/x.", "characters that are not spoken"),
        ("Café au lait is nice.", "characters that are not spoken"),
        ("Very nice.", "fragments"),
        ("I was so sad about it.", "leak: delivery"),
        ("There is a siren in my poem.", "leak: sound"),
        ("My name is on the list.", "leak: identity"),
    ],
)
def test_faults_are_named(sentence: str, reason: str | None) -> None:
    assert fault(sentence) == reason


def test_the_run_nearest_to_the_length_is_taken() -> None:
    parts = [
        "I have a question.",
        "What should I plant next to tomatoes in a small garden?",
        "Thank you so much for all of your help.",
    ]
    for target in (2.0, 4.0, 5.0):
        text = fitted(parts, target)
        assert text is not None
        assert abs(estimate_seconds(text) - target) <= 0.6
        assert text in " ".join(parts)


def test_nothing_near_is_nothing() -> None:
    assert fitted(["Tea, please."], 5.0) is None
    assert fitted([], 3.0) is None
    assert fitted(["Please do tell me everything about it, " * 5 + "now."], 7.0) is None
