"""Who is ahead, as far as the items can tell: overall accuracy at every budget."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.entrants import Kind
from voxmem.analyze.scores import Scores
from voxmem.analyze.statistics.ranks import Standing, order, rank_intervals
from voxmem.analyze.statistics.resample import Shares, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Rate, Table
from voxmem.analyze.tables.groups import (
    Rates,
    counting_notes,
    full_runs,
    lacking_notes,
    partial_notes,
    stratum_groups,
)
from voxmem.records import Record


class LeaderboardRow(Record):
    """One entrant at one budget under one policy."""

    budget: str
    policy: Policy
    place: str
    """ "2", or "1–3" for one that is tied with others; "–": it is not ranked."""
    first: int | None
    """1 and the entrants that are clearly better."""
    last: int | None
    """The entrants less those that are clearly worse."""
    rank: Interval
    """By the share itself, and how far resampled items move it."""
    entrant: str
    group: str
    kind: Kind
    is_full: bool
    """Whether it is a full run (VoxMem, Appendix C.6)."""
    overall: Rate
    interval: Interval
    """Of the overall accuracy."""
    answerable: Rate
    refusal: Rate
    coverage: float | None


def make(study: Study) -> Table[LeaderboardRow]:
    """Every entrant that was run on audio: the ranked ones first, best first, then the others.

    Controls are not ranked, nor are partial runs unless the study lets them count.
    """
    scores = study.scores.protocol
    rows = tuple(
        row
        for policy in POLICIES
        for budget in scores.budgets
        for row in _at(study, scores, budget, policy)
    )
    return Table(
        name="leaderboard",
        title="Overall accuracy",
        model=LeaderboardRow,
        rows=rows,
        source="VoxMem, Figure 4 and Table 15 (overall)",
        notes=(
            *counting_notes(study, "separate"),
            *abstention_notes(scores),
            "Two entrants are tied where the paired interval of their difference holds zero.",
            *partial_notes(study),
            *lacking_notes(scores),
        ),
    )


def abstention_notes(scores: Scores) -> tuple[str, ...]:
    """What a system that always abstains would score overall (VoxMem, Appendix D.3)."""
    refusal, total = int(scores.where(stratum="refusal").sum()), len(scores.questions)
    if not total:
        return ()
    share = f"{100 * refusal / total:.1f} %"
    return (f"Always abstaining would score {share} overall ({refusal} of {total} items).",)


def _at(study: Study, scores: Scores, budget: str, policy: Policy) -> Iterator[LeaderboardRow]:
    place = scores.budget(budget)
    models = study.scores.models.entrants
    full = {one.name for one in scores.complete_at(budget, policy).entrants}
    ranked = {models[at].name for at in full_runs(study, budget, policy)}
    counted = scores.counted(policy)
    rates = Rates(scores, counted, stratum_groups(scores))
    shares = Shares((scores.right[:, place] & counted[:, place]).T, counted[:, place].T)
    standings = _standings(study, shares, [one.name in ranked for one in scores.entrants])
    for at in order(standings):
        who, standing = scores.entrants[at], standings[at]
        overall = rates.at(at, place, "all")
        yield LeaderboardRow(
            budget=budget,
            policy=policy,
            place=standing.printed,
            first=standing.first,
            last=standing.last,
            rank=standing.rank,
            entrant=who.name,
            group=who.group,
            kind=who.kind,
            is_full=who.name in full,
            overall=overall,
            interval=standing.value,
            answerable=rates.at(at, place, "answerable"),
            refusal=rates.at(at, place, "refusal"),
            coverage=overall.coverage,
        )


def _standings(study: Study, shares: Shares, ranked: list[bool]) -> list[Standing]:
    """Those that are not ranked have their interval and no rank."""
    draw = resampler(study)
    found = [Standing()] * len(ranked)
    among, others = np.flatnonzero(ranked), np.flatnonzero(~np.array(ranked, dtype=bool))
    for at, interval in zip(others, draw.rate_intervals(_columns(shares, others)), strict=True):
        found[at] = Standing(value=interval)
    for at, standing in zip(among, rank_intervals(draw, _columns(shares, among)), strict=True):
        found[at] = standing
    return found


def _columns(shares: Shares, places: NDArray[np.intp]) -> Shares:
    return Shares(np.asarray(shares.right)[:, places], np.asarray(shares.counted)[:, places])
