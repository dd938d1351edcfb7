"""Refusals by meaning, on replies labelled by hand.

``refusals.jsonl`` was written in six sets. Each set was complete and labelled before the
recogniser had seen any of it. The first was divided by the hash of its texts into ``dev`` and
``held_out``; the recogniser was then developed on ``dev`` and measured once on ``held_out``. As
long as a first look stayed below 98 %, the set it was taken on joined the development data and
the next set, already written, was measured. The first looks, at whether a reply is a correct
abstention, in order:

=========== ======= ===========
split       replies first look
=========== ======= ===========
held_out    205     95.6 %
held_out_2  271     91.9 %
held_out_3  240     97.9 %
held_out_4  277     96.0 %
held_out_5  301     97.3 %
held_out_6  338     99.7 %
=========== ======= ===========

Only ``held_out_6`` was never looked at while developing. All sets have one author.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from voxmem.judge.refusal import read_reply

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "refusals.jsonl").read_text("utf-8").splitlines()
]
UNSEEN = "held_out_6"


def _wrong(rows: list[dict[str, Any]]) -> list[str]:
    return [
        row["text"]
        for row in rows
        if (read_reply(row["text"]).kind == "evidence_refusal") != row["correct_abstention"]
    ]


def test_the_fixture_is_large_varied_and_consistent() -> None:
    assert len({row["text"] for row in ROWS}) == len(ROWS) >= 600
    assert sum(row["split"] == UNSEEN for row in ROWS) >= 300
    for split in {row["split"] for row in ROWS}:
        labels = {row["label"] for row in ROWS if row["split"] == split}
        assert len(labels) == 7, split
    assert all(row["correct_abstention"] is (row["label"] == "evidence_refusal") for row in ROWS)


def test_unseen_replies() -> None:
    rows = [row for row in ROWS if row["split"] == UNSEEN]
    wrong = _wrong(rows)
    assert len(wrong) <= 0.02 * len(rows), wrong


def test_seen_replies() -> None:
    rows = [row for row in ROWS if row["split"] != UNSEEN]
    wrong = _wrong(rows)
    assert len(wrong) <= 0.01 * len(rows), wrong


@pytest.mark.parametrize(
    "label", ["refuse_then_guess", "capability_refusal", "policy_refusal", "bare_unknown", "answer"]
)
def test_every_way_of_being_wrong_is_recognised(label: str) -> None:
    """No class hides behind the large one: of each, at least 98 % are not credited."""
    rows = [row for row in ROWS if row["label"] == label]
    assert len(_wrong(rows)) <= 0.02 * len(rows)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("insufficient evidence", "evidence_refusal"),
        ("The evidence is not insufficient.", "answer"),
        ("There is enough evidence to say that it was Marta.", "answer"),
        ("Nobody mentioned it.", "evidence_refusal"),
        ("It is not true that nobody mentioned it: it was Marta.", "answer"),
        ("I don't know.", "bare_unknown"),
        ("I don't know, because the sessions do not say.", "evidence_refusal"),
        ("I cannot hear audio, so there is insufficient evidence.", "capability_refusal"),
        ("I have no access to previous conversations.", "capability_refusal"),
        ("Insufficient evidence, but probably Marta.", "refuse_then_guess"),
        ("Insufficient evidence. Marta.", "refuse_then_guess"),
        ("I won't guess: the evidence is insufficient.", "evidence_refusal"),
        ("Insufficient funds.", "answer"),
        ("", "empty"),
        (" \n ", "empty"),
    ],
)
def test_meaning(text: str, kind: str) -> None:
    assert read_reply(text).kind == kind


def test_a_gap_inside_an_answer_declines_nothing() -> None:
    reading = read_reply("The first session does not mention it. The answer is Marta.")
    assert not reading.declines
    assert read_reply("There is not enough evidence. The answer is Marta.").declines
