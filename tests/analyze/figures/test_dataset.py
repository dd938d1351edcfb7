"""The figure of what a release holds."""

from __future__ import annotations

import pytest

from tests.analyze.figures.reading import drawn, table, words
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.tables.dataset import BudgetRow, CellCountRow, TopicRow, TotalRow
from voxmem.taxonomy import CELLS

COUNTS = list(range(1, 16))
MATRIX = table(
    "matrix",
    *(
        CellCountRow(operation=cell.operation, evidence=cell.evidence, questions=n, share=n / 120)
        for cell, n in zip(CELLS, COUNTS, strict=True)
    ),
)
TOPICS = table("topics", *(TopicRow(topic=f"topic_{n}", questions=n) for n in range(30, 5, -1)))
TOTALS = table(
    "totals",
    TotalRow(quantity="questions", value=120),
    TotalRow(quantity="sessions_unique", value=34743),
    TotalRow(quantity="audio_unique", value=2.46, unit="h"),
    TotalRow(quantity="evidence_sessions", value=None),
)


def budget(name: str, sessions: float, clips: float, minutes: float) -> BudgetRow:
    means = {"sessions": sessions, "clips": clips, "minutes": minutes}
    others = ("audio_seconds", "audio_tokens", "text_tokens", "tokens")
    given = {f"{one}_mean": means.get(one, 1.0) for one in (*means, *others)}
    return BudgetRow(
        budget=name, nominal_tokens=8000, items=1, sessions_placed=1, sessions_unique=1, **given
    )


BUDGETS = table("budgets", budget("8K", 9, 40, 2.5), budget("64K", 66, 288, 20))


def test_it_shows_its_numbers() -> None:
    found = drawn("dataset", MATRIX, BUDGETS, TOPICS, TOTALS)
    said = words(found.svg)
    assert {"120", "34,743", "2.5", "n = 15", "12.5", "288", "66.0", "Topic 30"} <= set(said)
    assert "with evidence" not in said
    assert "Topic 11" in said
    assert "Topic 10" not in said, "the twenty most frequent"
    assert "120 questions, 34,743 sessions, 2.5 hours of speech." in found.description
    assert "about Topic 6: 6" in found.description


def test_bars_are_as_high_as_their_numbers() -> None:
    _, sessions, _, minutes, topics = drawn("dataset", MATRIX, BUDGETS, TOPICS, TOTALS).figure.axes
    assert [bar.get_height() for bar in sessions.patches] == [9, 66]
    assert [bar.get_height() for bar in minutes.patches] == [2.5, 20]
    assert [bar.get_width() for bar in topics.patches] == list(range(30, 10, -1))


def test_a_release_of_little_is_drawn_too() -> None:
    empty = (table("b", of=BudgetRow), table("t", of=TopicRow), table("n", of=TotalRow))
    assert "n = 15" in words(drawn("dataset", MATRIX, *empty).svg)
    with pytest.raises(NothingToDraw, match="no questions"):
        drawn("dataset", table("m", of=CellCountRow), *empty)
