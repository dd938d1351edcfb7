"""The answerable rubric, reply by reply."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from voxmem.judge.rule import grade
from voxmem.records import Gold, Question

SOUNDS = ("rain", "train", "sea waves", "keyboard typing", "birds", "siren")
MOODS = ("sad", "excited", "hesitant", "tense", "whispered")
COLOURS = ("red", "blue", "green", "yellow")

CATEGORICAL = [
    ("rain", SOUNDS, "rain", True),
    ("rain", SOUNDS, "Rain.", True),
    ("rain", SOUNDS, "**Rain**", True),
    ("rain", SOUNDS, "The answer is rain.", True),
    ("rain", SOUNDS, "Based on the conversation, the answer is rain.", True),
    ("rain", SOUNDS, "It was raining in the background.", True),
    ("rain", SOUNDS, "I think it was rain.", True),
    ("rain", SOUNDS, "Probably rain.", True),
    ("rain", SOUNDS, '{"answer": "rain"}', True),
    ("rain", SOUNDS, "```\nrain\n```", True),
    ("rain", SOUNDS, "<think>rain or train?</think>rain", True),
    ("rain", SOUNDS, "Rain, not a train.", True),
    ("rain", SOUNDS, "It was not a train but rain.", True),
    ("rain", SOUNDS, "rain rather than a siren", True),
    ("rain", SOUNDS, "Session 1 had birds, session 2 a siren. Final answer: rain", True),
    ("rain", SOUNDS, "No doubt rain.", True),
    ("rain", SOUNDS, "train", False),
    ("rain", SOUNDS, "not rain", False),
    ("rain", SOUNDS, "It wasn't rain.", False),
    ("rain", SOUNDS, "rain or train", False),
    ("rain", SOUNDS, "rain and birds", False),
    ("rain", SOUNDS, "Either rain or a siren.", False),
    ("rain", SOUNDS, "rain or hail", False),
    ("rain", SOUNDS, "Maybe rain?", False),
    ("rain", SOUNDS, "It could be rain.", False),
    ("rain", SOUNDS, "Rain. Actually, no: it is a siren.", False),
    ("siren", SOUNDS, "Rain. Actually, no: it is a siren.", False),
    ("siren", SOUNDS, "Rain. Final answer: siren", True),
    ("rain", SOUNDS, "The answer is rain. The answer is a siren.", False),
    ("rain", SOUNDS, "insufficient evidence", False),
    ("rain", SOUNDS, "Insufficient evidence, but probably rain.", False),
    ("rain", SOUNDS, "I don't know, maybe rain", False),
    ("rain", SOUNDS, "I cannot hear audio.", False),
    ("rain", SOUNDS, "a drizzle", False),
    ("rain", SOUNDS, "the brain", False),
    ("rain", SOUNDS, "", False),
    ("train", SOUNDS, "rain", False),
    ("sea waves", SOUNDS, "waves of the sea", True),
    ("sea waves", SOUNDS, "the sea", False),
    ("keyboard typing", SOUNDS, "typing on a keyboard", True),
    ("whispered", MOODS, "She was whispering.", True),
    ("excited", MOODS, "The speaker sounded excited", True),
    ("sad", MOODS, "sadly", True),
    ("tense", MOODS, "Neither sad nor excited: tense.", True),
    ("sad", MOODS, "Neither sad nor excited: tense.", False),
    ("green", ("green", "dark green"), "dark green", False),
    ("dark green", ("green", "dark green"), "It was dark green.", True),
    ("unknown", ("unknown", "paid"), "unknown", True),
    ("unknown", ("unknown", "paid"), 'The status is "unknown".', True),
    ("no one", ("no one", "Marta"), "no one", True),
]

YES_NO = [
    ("yes", "Yes.", True),
    ("yes", "yes, it was", True),
    ("yes", "The answer is yes.", True),
    ("yes", "Yes, they are the same person.", True),
    ("yes", "They were the same person.", True),
    ("yes", "That is correct.", True),
    ("yes", "True", True),
    ("yes", "Yeah", True),
    ("yes", "No doubt, yes.", True),
    ("no", "No.", True),
    ("no", "no", True),
    ("no", "No, it was not.", True),
    ("no", "No it wasn't", True),
    ("no", "They were different people.", True),
    ("no", "It was not the same voice.", True),
    ("no", "That is not true.", True),
    ("no", "No, nobody mentioned it.", True),
    ("no", "Nope", True),
    ("no", "I don't know", False),
    ("no", "I do not know.", False),
    ("no", "not sure", False),
    ("no", "No idea.", False),
    ("no", "There is no evidence in the conversation.", False),
    ("no", "No sound was audible, so I can't tell from the recordings.", False),
    ("no", "Yes", False),
    ("no", "yes and no", False),
    ("yes", "Yes and no.", False),
    ("yes", "No, it was not.", False),
    ("yes", "Yes, they are different people.", False),
    ("yes", "Maybe yes", False),
    ("yes", "Yes, but the evidence is insufficient.", False),
    ("yes", "Monday", False),
    ("yes", "yesterday", False),
    ("no", "nobody", False),
]

NUMBER = [
    (3, "3", True),
    (3, "three", True),
    (3, "Three.", True),
    (3, "3.0", True),
    (3, "three times", True),
    (3, "There were 3 sessions.", True),
    (3, "exactly 3", True),
    (3, "only three", True),
    (3, "3 of the 5 sessions", True),
    (3, "It is 3 (two in May and one in June).", True),
    (3, "The answer is: 3", True),
    (3, "thrice", True),
    (3, "the third", True),
    (2, "twice", True),
    (21, "twenty-one", True),
    (21, "twenty one", True),
    (105, "one hundred and five", True),
    (1000, "1,000", True),
    (1000, "a thousand", False),
    (1000, "one thousand", True),
    (1200, "1,200 euros", True),
    (42, "€42", True),
    (42, "42 %", True),
    (42, "The total comes to 42.", True),
    (42, "12 + 30 = 42", True),
    (18, "The difference between 30 and 12 is 18.", True),
    (0, "0", True),
    (0, "zero", True),
    (0, "none", True),
    (0, "no sessions", True),
    (0, "no", False),
    (1, "10", False),
    (10, "1", False),
    (1, "ten", False),
    (1, "11", False),
    (3, "4", False),
    (3, "between 2 and 3", False),
    (3, "2 or 3", False),
    (3, "2-3", False),
    (3, "3 or 4", False),
    (3, "about 3", False),
    (3, "at least 3", False),
    (3, "more than 3", False),
    (3, "not 3", False),
    (3, "-3", False),
    (3, "3.5", False),
    (3, "30", False),
    (3, "maybe 3", False),
    (3, "3, no, 4", False),
    (3, "many", False),
    (3, "session 2", False),
    (5, "2 plus 3", False),
    (3, "Not enough evidence to say whether it is 3", False),
]

ORDERED = [
    (("red", "blue", "green"), "red, blue, green", True),
    (("red", "blue", "green"), "Red, blue and green.", True),
    (("red", "blue", "green"), "red -> blue -> green", True),
    (("red", "blue", "green"), "red → blue → green", True),
    (("red", "blue", "green"), "red > blue > green", True),
    (("red", "blue", "green"), "1. red\n2. blue\n3. green", True),
    (("red", "blue", "green"), "1) red 2) blue 3) green", True),
    (("red", "blue", "green"), "- red\n- blue\n- green", True),
    (("red", "blue", "green"), "first red, then blue, finally green", True),
    (("red", "blue", "green"), "It was red, followed by blue, and after that green.", True),
    (("red", "blue", "green"), '["red", "blue", "green"]', True),
    (("red", "blue", "green"), "The order is: red; blue; green", True),
    (("red", "blue", "red"), "red, blue, red", True),
    (("red", "blue", "red"), "red, blue", False),
    (("red", "blue", "green"), "red, green, blue", False),
    (("red", "blue", "green"), "red, blue", False),
    (("red", "blue", "green"), "red, blue, green, yellow", False),
    (("red", "blue", "green"), "red, purple, blue, green", False),
    (("red", "blue", "green"), "red, blue, green, purple", False),
    (("red", "blue"), "blue after red", False),
    (("red", "blue"), "red or blue", False),
    (("red", "blue"), "2. red\n1. blue", False),
    (("red", "blue"), "second red, first blue", False),
    (("red", "blue"), "maybe red, blue", False),
    (("red", "blue"), "insufficient evidence", False),
]

SCENES = [
    (("alarms and signals", "nature"), "alarms and signals, nature", True),
    (("alarms and signals", "nature"), "alarms and signals and then nature", True),
    (("alarms and signals", "nature"), "nature, alarms and signals", False),
    (("alarms and signals", "nature"), "alarms and signals, nature, office", False),
]

STAGES = [
    (("1", "3"), "1, 3", True),
    (("1", "3"), "1 and 3", True),
    (("1", "3"), "stages 1 and 3", True),
    (("1", "3"), "the first and the third", True),
    (("1", "3"), "one, three", True),
    (("1", "3"), "3, 1", False),
    (("1", "3"), "1, 2, 3", False),
    (("1", "3"), "13", False),
    (("1", "3"), "1", False),
]

UNORDERED = [
    (("red", "blue"), "red and blue", True),
    (("red", "blue"), "blue, red", True),
    (("red", "blue"), "Blue & red.", True),
    (("red", "blue"), "red, blue (not green)", True),
    (("red", "blue"), "- blue\n- red", True),
    (("red", "blue"), "They were red and blue.", True),
    (("red", "blue"), "red", False),
    (("red", "blue"), "red, blue, green", False),
    (("red", "blue"), "red, blue, purple", False),
    (("red", "blue"), "red or blue", False),
    (("red", "blue"), "not red, blue", False),
    (("red", "blue"), "I don't know", False),
    ((), "none", True),
    ((), "red", False),
]

FREE_TEXT = [
    ("reading lamp", "reading lamp", True),
    ("reading lamp", "The reading lamp.", True),
    ("reading lamp", "It was the reading lamp.", True),
    ("reading lamp", "She bought a reading lamp for her sister.", True),
    ("reading lamp", "Answer: reading lamp", True),
    ("reading lamp", "Reading Lamp!", True),
    ("reading lamp", "“reading lamp”", True),
    ("reading lamp", "the lamp", False),
    ("lamp", "the reading lamp", False),
    ("lamp", "It is a reading lamp", False),
    ("kitchen", "kitchen table", False),
    ("kitchen", "not the kitchen", False),
    ("kitchen", "not the kitchen, the hall", False),
    ("kitchen", "the kitchen or the hall", False),
    ("kitchen", "kitchen, hall", False),
    ("kitchen", "in the kitchen", True),
    ("kitchen", "It is in the kitchen.", True),
    ("kitchen", "the kitchen, as mentioned in the second session", True),
    ("kitchen", "maybe the kitchen", False),
    ("kitchen", "the chicken", False),
    ("Tuesday", "On Tuesday.", True),
    ("Tuesday", "It was moved to Tuesday.", True),
    ("Tuesday", "Tuesday and Friday", False),
    ("9 May 2025", "May 9th, 2025", True),
    ("2025-05-09", "9 May 2025", True),
    ("2025-05-09", "8 May 2025", False),
    ("30 euros", "€30", True),
    ("30 euros", "thirty euros", True),
    ("null", "null", True),
    ("rock, paper and scissors", "Rock, paper and scissors.", True),
    ("no", "I don't know", False),
    ("1", "10", False),
]


def _rows(kind: str, table: list[tuple[Gold, str, bool]], options: tuple[str, ...] = ()) -> list:
    return [(kind, gold, options, reply, right) for gold, reply, right in table]


TABLE = [
    *(("categorical", gold, options, reply, right) for gold, options, reply, right in CATEGORICAL),
    *_rows("yes_no", YES_NO),
    *_rows("number", NUMBER),
    *_rows("ordered_list", ORDERED, COLOURS),
    *_rows("ordered_list", SCENES, ("alarms and signals", "nature", "weather and water")),
    *_rows("ordered_list", STAGES),
    *_rows("unordered_set", UNORDERED, COLOURS),
    *_rows("free_text", FREE_TEXT),
]


@pytest.mark.parametrize(("kind", "gold", "options", "reply", "right"), TABLE)
def test_reply(
    make_question: Callable[..., Question],
    kind: str,
    gold: Gold,
    options: tuple[str, ...],
    reply: str,
    right: bool,
) -> None:
    text = "Was it the same person?" if kind == "yes_no" else "Which one was it?"
    question = make_question(kind, gold, options, text)
    correct, rule = grade(question, reply)
    assert correct is right, rule


@pytest.mark.parametrize(
    ("kind", "gold", "reply"),
    [
        ("yes_no", "no", "I don't know"),
        ("number", 1, "10"),
        ("categorical", "sufficient", "not insufficient evidence"),
        ("yes_no", "yes", "The evidence is not insufficient."),
        ("free_text", "no", "I do not know"),
        ("free_text", "car", "the scar"),
    ],
)
def test_no_substrings(
    make_question: Callable[..., Question], kind: str, gold: Gold, reply: str
) -> None:
    """A judge that looks for the gold answer's letters calls all of these right."""
    assert not grade(make_question(kind, gold), reply)[0]
