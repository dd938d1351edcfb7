"""What a release holds (VoxMem, Figure 1): counted from its rows."""

from __future__ import annotations

from voxmem.records import Record


class BudgetRow(Record):
    """The histories of one budget; with ``_mean``: a history."""

    budget: str
    nominal_tokens: int
    items: int
    sessions_placed: int
    sessions_unique: int
    sessions_mean: float
    clips_mean: float
    """Of users, the query's among them."""
    minutes_mean: float
    tokens_mean: float
    """Measured: audio and text."""
    audio_seconds_mean: float
    audio_tokens_mean: float
    text_tokens_mean: float


class CellCountRow(Record):
    """The questions of one cell."""

    operation: str
    evidence: str
    questions: int
    share: float
    """Of all questions."""


class TopicRow(Record):
    """The questions whose evidence is about one topic."""

    topic: str
    questions: int


class TotalsRow(Record):
    """One number about the whole release."""

    quantity: str
    value: float | None
    """``None``: the release does not say."""
    unit: str = ""
