"""The parser on wordings that it was not built from."""

from __future__ import annotations

import tomllib
from datetime import datetime
from pathlib import Path

from voxmem.memory.parse import understand

WHEN = datetime(2026, 3, 10, 9, 30)
RECALL, PRECISION = 0.9, 0.92
"""Floors. Measured when the wordings were new to the parser: recall 0.926, precision 0.938."""
SAID = tomllib.loads((Path(__file__).parent / "wordings.toml").read_text("utf-8"))["said"]


def facts_of(row):
    """Facts as annotated by hand: entity, attribute, value, and the day from which on."""
    for entity, attribute, value, *day in row["facts"]:
        yield entity, attribute, value, datetime.fromisoformat(f"2026-{day[0]}") if day else None


def test_most_facts_are_found_and_few_are_made_up():
    assert len(SAID) >= 75
    assert sum(not row["facts"] for row in SAID) >= 12
    found = wrong = wanted = 0
    for row in SAID:
        gold = set(facts_of(row))
        got = set(understand([row["text"]], WHEN).facts[0])
        found += len(gold & got)
        wrong += len(got - gold)
        wanted += len(gold)
    recall, precision = found / wanted, found / (found + wrong)
    assert recall >= RECALL, recall
    assert precision >= PRECISION, precision
