"""The leaderboard as a page shows it: at each budget who is ranked, then who is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.report.cells import Cell, cell
from voxmem.analyze.report.report import Report
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.tables.leaderboard import LeaderboardRow


@dataclass(frozen=True)
class Result:
    """Of one entrant under one policy."""

    overall: Cell
    """With its interval."""
    counts: Cell
    """What the overall figure rests on."""
    answerable: Cell
    refusal: Cell


@dataclass(frozen=True)
class Line:
    """One entrant at one budget."""

    entrant: str
    page: str
    about: str
    place: str
    """ "1–3" if it is tied with others."""
    rank: Cell
    """By the share alone, and how far resampled items move it."""
    results: Mapping[Policy, Result]

    def at(self, policy: Policy) -> Result:
        return self.results[policy]


@dataclass(frozen=True)
class Board:
    """One budget."""

    budget: str
    ranked: tuple[Line, ...]
    """Best first."""
    leaders: tuple[Line, ...]
    """The ranked ones that none is clearly better than."""
    apart: tuple[tuple[str, tuple[Line, ...]], ...]
    """Title → those who are not ranked."""
    abstaining: float | None
    """What always abstaining scores on all items; then on either stratum."""
    abstaining_answerable: float | None
    abstaining_refusal: float | None


def boards(report: Report) -> list[Board]:
    """One a budget, shortest first."""
    table = report.tables.get("leaderboard")
    rows: Sequence[LeaderboardRow] = table.rows if table else ()
    scores = report.study.scores
    if not rows:
        return []
    return [
        _board(report, budget, [row for row in rows if row.budget == budget], scores.asked[at])
        for at, budget in enumerate(scores.budgets)
    ]


def _board(report: Report, budget: str, rows: Sequence[LeaderboardRow], asked: Bools) -> Board:
    by_entrant: dict[str, dict[Policy, LeaderboardRow]] = {}
    for row in rows:
        by_entrant.setdefault(row.entrant, {})[row.policy] = row
    leading = report.policies[0]
    held = [found[leading] for found in by_entrant.values() if leading in found]
    lines = {row.entrant: _line(report, row, by_entrant[row.entrant]) for row in held}
    ranked = [row for row in held if row.first is not None]
    left = [row for row in held if row.first is None]
    return Board(
        budget,
        tuple(lines[row.entrant] for row in ranked),
        tuple(lines[row.entrant] for row in ranked if row.first == 1),
        (
            ("Not ranked: no full run", _of(lines, left, control=False)),
            ("Controls", _of(lines, left, control=True)),
        ),
        *_abstaining(report.study.scores, asked),
    )


def _of(
    lines: Mapping[str, Line], rows: Sequence[LeaderboardRow], *, control: bool
) -> tuple[Line, ...]:
    return tuple(lines[row.entrant] for row in rows if (row.kind == "control") == control)


def _line(report: Report, row: LeaderboardRow, by_policy: Mapping[Policy, LeaderboardRow]) -> Line:
    return Line(
        entrant=row.entrant,
        page=report.roster.pages[row.entrant],
        about=row.group or ("memory system" if row.kind == "memory" else ""),
        place=row.place,
        rank=cell("rank", row.rank),
        results={policy: _result(found) for policy, found in by_policy.items()},
    )


def _result(row: LeaderboardRow) -> Result:
    counts = cell("overall", row.overall)
    interval = cell("interval", row.interval)
    return Result(
        overall=Cell(counts.text, interval.aside),
        counts=counts,
        answerable=cell("answerable", row.answerable),
        refusal=cell("refusal", row.refusal),
    )


def _abstaining(scores: Scores, asked: Bools) -> tuple[float | None, float | None, float | None]:
    refusal = int(np.count_nonzero(asked & scores.where(stratum="refusal")))
    items = int(np.count_nonzero(asked))
    return (
        refusal / items if items else None,
        0.0 if items > refusal else None,
        1.0 if refusal else None,
    )
