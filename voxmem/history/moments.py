"""When sessions take place: irregular, at waking hours, and drawn alike for every role.

A day of the window is drawn for each session without replacement, whatever its role, so that
neither position nor timestamp tells evidence from haystack or filler (VoxMem, B.6). Where there are
more sessions than days, every day has room for the same number of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.plan.draft import moment, when_of
from voxmem.query import AsOf, Dated, Term
from voxmem.records import Plan

MOST_A_DAY = 24
"""Sessions of one day: more would be no plausible use of an assistant."""


def draw_moments(
    config: BuildConfig, plan: Plan, placed: Iterable[datetime], count: int, draw: Random
) -> list[datetime]:
    """Different minutes of the window, in random order, for ``count`` sessions beside those of the
    plan and those ``placed`` already.

    Raises:
        ConstructionError: The window has too few days.
    """
    taken = {*map(when_of, plan.sessions), *placed}
    days = _slots(config, plan, taken, count)
    moments = []
    for day in draw.sample(days, count):
        when = moment(day, draw)
        while when in taken:
            when = moment(day, draw)
        taken.add(when)
        moments.append(when)
    return moments


def _slots(config: BuildConfig, plan: Plan, taken: Iterable[datetime], count: int) -> list[date]:
    """Every free day of the window, as often as it has room: once if that is enough."""
    start, end = config.window
    held = Counter(when.date() for when in taken)
    days = [start + timedelta(days=offset) for offset in range((end - start).days + 1)]
    own = own_days(plan)
    free = [day for day in days if day not in own]
    for most in range(1, MOST_A_DAY + 1):
        slots = [day for day in free for _ in range(most - held.get(day, 0))]
        if len(slots) >= count:
            return slots
    raise ConstructionError(
        f"{count} sessions more do not fit into {len(days)} days",
        item=plan.question.question_id,
        stage="allocate",
        remedy="use a longer window or smaller budgets",
    )


def own_days(plan: Plan) -> frozenset[date]:
    """The days that no other session may share: those that a question names, and those of its
    evidence if it asks by the calendar."""
    named = frozenset(_named_days(plan.question.query))
    if not named:
        return named
    return named | {when_of(item).date() for item in plan.sessions if item.role == "evidence"}


def _named_days(term: Any) -> Iterator[date]:
    match term:
        case Dated():
            yield term.day
        case AsOf():
            yield term.at.date()
            yield from _named_days(term.of)
        case Term():
            for name in type(term).model_fields:
                yield from _named_days(getattr(term, name))
        case tuple():
            for item in term:
                yield from _named_days(item)
