"""What a release holds (VoxMem, Figure 1): counted from its rows, built here or imported.

Sessions recur: the same one is in histories of several budgets, and borrowed by other questions.
*Unique* counts each once; *placed* counts it in every history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any

from voxmem.analyze.labels import budget_tokens, budgets_ascending
from voxmem.analyze.table import Table
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import AskedQuestion, History, Record, Session
from voxmem.taxonomy import CELLS

SOURCE = "VoxMem, Figure 1"


class BudgetRow(Record):
    """The histories of one budget; ``_mean``: of one history."""

    budget: str
    nominal_tokens: int
    items: int
    sessions_placed: int
    sessions_unique: int
    sessions_mean: float
    clips_mean: float
    """User turns, the query among them."""
    minutes_mean: float
    audio_seconds_mean: float
    audio_tokens_mean: float
    """Measured, 50 a second."""
    text_tokens_mean: float
    tokens_mean: float
    """Of audio and of text."""


class CellCountRow(Record):
    """The questions of one cell."""

    operation: str
    evidence: str
    questions: int
    share: float | None
    """Of all questions."""


class TopicRow(Record):
    """The questions whose first evidence session is about one topic."""

    topic: str
    questions: int


class TotalRow(Record):
    """One number about the whole release."""

    quantity: str
    value: float | None
    """``None``: the release does not say."""
    unit: str = ""


def budgets(rows: ReleaseRows) -> Table[BudgetRow]:
    """One row a budget, shortest first."""
    found = tuple(
        _budget(name, [one for one in rows.histories if one.budget == name])
        for name in budgets_ascending(one.budget for one in rows.histories)
    )
    return Table(
        name="dataset-budgets",
        title="Histories by reference budget",
        model=BudgetRow,
        rows=found,
        source=SOURCE,
        notes=_notes(rows),
    )


def matrix(rows: ReleaseRows) -> Table[CellCountRow]:
    """The 15 cells, in the paper's order, empty ones too."""
    questions = rows.asked.values()
    counts = Counter((one.operation, one.evidence_type) for one in questions)
    found = tuple(
        CellCountRow(
            operation=cell.operation,
            evidence=cell.evidence,
            questions=counts[cell.operation, cell.evidence],
            share=counts[cell.operation, cell.evidence] / len(questions) if questions else None,
        )
        for cell in CELLS
    )
    return Table(
        name="dataset-matrix",
        title="Questions by memory operation and evidence type",
        model=CellCountRow,
        rows=found,
        source=SOURCE,
    )


def topics(rows: ReleaseRows) -> Table[TopicRow]:
    """The most frequent topic first."""
    known = [topic for one in rows.asked.values() if (topic := _topic(rows, one))]
    unknown = len(rows.asked) - len(known)
    counted = Counter(sorted(known)).most_common()
    return Table(
        name="dataset-topics",
        title="Questions by topic",
        model=TopicRow,
        rows=tuple(TopicRow(topic=topic, questions=n) for topic, n in counted),
        source=SOURCE,
        notes=(f"{unknown} questions without a known topic.",) if unknown else (),
    )


def totals(rows: ReleaseRows) -> Table[TotalRow]:
    """What is there in all."""
    return Table(
        name="dataset-totals",
        title="The release in numbers",
        model=TotalRow,
        rows=tuple(_totals(rows)),
        source=SOURCE,
        notes=_notes(rows),
    )


DATASET_TABLES: tuple[Callable[[ReleaseRows], Table[Any]], ...] = (totals, budgets, matrix, topics)


def dataset_tables(rows: ReleaseRows) -> dict[str, Table[Any]]:
    """Name → table."""
    return {table.name: table for table in (make(rows) for make in DATASET_TABLES)}


# --- counting -----------------------------------------------------------------------------------


def _budget(name: str, of: Sequence[History]) -> BudgetRow:
    placed = [place.session_id for one in of for place in one.placements]
    lengths = [one.length for one in of]
    seconds = fmean(one.audio_seconds for one in lengths)
    return BudgetRow(
        budget=name,
        nominal_tokens=budget_tokens(name),
        items=len(of),
        sessions_placed=len(placed),
        sessions_unique=len(set(placed)),
        sessions_mean=len(placed) / len(of),
        clips_mean=fmean(one.clips for one in lengths),
        minutes_mean=seconds / 60,
        audio_seconds_mean=seconds,
        audio_tokens_mean=fmean(one.audio_tokens for one in lengths),
        text_tokens_mean=fmean(one.text_tokens for one in lengths),
        tokens_mean=fmean(one.tokens for one in lengths),
    )


def _totals(rows: ReleaseRows) -> Iterable[TotalRow]:
    questions, histories = rows.asked.values(), rows.histories
    placed = [place for one in histories for place in one.placements]
    sessions = [rows.sessions[name] for name in dict.fromkeys(one.session_id for one in placed)]
    clips = sum(one.length.clips for one in histories)
    answerable = sum(one.gold is not None for one in questions)
    found: dict[tuple[str, str], float | None] = {
        ("questions", ""): len(questions),
        ("answerable", ""): answerable,
        ("answer_refusal", ""): len(questions) - answerable,
        ("items", ""): len(histories),
        ("sessions_unique", ""): len(sessions),
        ("sessions_placed", ""): len(placed),
        ("evidence_sessions", ""): len({p.session_id for p in placed if p.role == "evidence"}),
        ("turns_per_session", ""): _mean(len(one.turns) for one in sessions),
        ("clips_per_session", ""): _mean(len(one.user_turns) for one in sessions),
        ("audio_tokens_per_clip", ""): sum(one.length.audio_tokens for one in histories) / clips
        if clips
        else None,
        ("audio_unique", "h"): _hours(rows, sessions),
        ("audio_placed", "h"): sum(one.length.audio_seconds for one in histories) / 3600,
    }
    return (TotalRow(quantity=name, value=n, unit=unit) for (name, unit), n in found.items())


def _hours(rows: ReleaseRows, sessions: Iterable[Session]) -> float | None:
    """Of the users' turns of every session, once."""
    if not has_audio(rows):
        return None
    clips = (rows.turn_clip(one, at) for one in sessions for at in range(len(one.user_turns)))
    return sum(clip.seconds for clip in clips) / 3600


def has_audio(rows: ReleaseRows) -> bool:
    """Whether its turns were spoken: a text-only release has estimates of their length alone."""
    return rows.is_imported or "clips" in rows.release.tables


def _topic(rows: ReleaseRows, question: AskedQuestion) -> str:
    """ "" where it is not known."""
    named = (rows.sessions.get(name) for name in question.evidence_session_ids)
    return next((one.topic for one in named if one is not None), "")


def _mean(values: Iterable[int]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def _notes(rows: ReleaseRows) -> tuple[str, ...]:
    notes = ["Unique counts a session once; placed counts it in every history it is in."]
    if not has_audio(rows):
        notes.append("Nothing was spoken: the seconds and tokens of audio are estimates.")
    return tuple(notes)
