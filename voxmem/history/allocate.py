"""Which sessions a question's histories draw on, in which order they are taken, and when they
took place (VoxMem, Appendix B.6).

Every session of a history takes place on its own day of one window, drawn in the same way for
evidence, haystack and filler: neither position nor timestamp tells a session's role. The order in
which sessions are *taken* decides the nesting: a shorter budget takes a prefix.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from random import Random

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.plan.planner import households, main_users
from voxmem.plan.validate import first
from voxmem.records import Placement, Plan, PlannedSession, Record, Session

TOKENS_PER_TURN = 150
"""Cautious estimate of the reference tokens that one user turn of a filler and its reply take, from
below (measured: 154): a pool sized by it holds enough fillers for the longest history."""
RESERVE = 1.08
"""Fillers allocated beyond the estimate, for those that turn out short or are dropped. Whatever is
allocated is spoken, so a large reserve costs time."""


class Allocation(Record):
    """All sessions that may enter the histories of one question, each in the order of taking."""

    question_id: str
    cast: tuple[str, ...]
    required: tuple[Placement, ...]
    """Evidence, and what replaces it in a refusal variant: in every history."""
    samekey: tuple[Placement, ...]
    topical: tuple[Placement, ...]
    fillers: tuple[Placement, ...]
    """The last ones are the reserve."""


def pool_size(config: BuildConfig, persona: str) -> int:
    """How many fillers a persona speaks: enough for the longest history it may appear in."""
    low, high = config.session_turns
    per_session = TOKENS_PER_TURN * (low + high) / 2
    whole = math.ceil(config.budgets[-1].tokens / per_session * RESERVE)
    if persona in main_users(config):
        return whole
    house = next(members for members in households(config) if persona in members)
    return math.ceil(whole / len(house)) + 2


def allocate(
    config: BuildConfig, plan: Plan, fillers: Mapping[str, Sequence[Session]]
) -> Allocation:
    """The allocation of an answerable question.

    Args:
        fillers: The filler pool of each persona.

    Raises:
        ConstructionError: The cast has no fillers, or the window has too few days.
    """
    draw = rng("allocate", config.seed, plan.question.question_id)
    order = _taking_order(config, plan, fillers, draw)
    taken = {item.timestamp.date() for item in plan.sessions if item.timestamp}
    moments = _moments(config, len(order), taken, draw, plan.question.question_id)
    return Allocation(
        question_id=plan.question.question_id,
        cast=plan.cast,
        required=_placed(
            tuple(item for item in plan.sessions if item.role in ("evidence", "replacement"))
        ),
        samekey=_placed(first(plan, "samekey_haystack", len(plan.sessions))),
        topical=_placed(first(plan, "topical_haystack", len(plan.sessions))),
        fillers=tuple(
            Placement(session_id=session.session_id, timestamp=moment, role="filler")
            for session, moment in zip(order, moments, strict=True)
        ),
    )


def derive_allocation(source: Allocation, source_plan: Plan, variant: Plan) -> Allocation:
    """The allocation of a refusal variant: its source's, with the changed session in place."""
    changed = {
        before.session_id: after
        for before, after in zip(source_plan.sessions, variant.sessions, strict=True)
        if before.session_id != after.session_id
    }
    if len(changed) != 1:
        raise ConstructionError(
            f"a refusal variant changes one session, not {len(changed)}",
            item=variant.question.question_id,
            stage="allocate",
        )

    def swap(places: tuple[Placement, ...]) -> tuple[Placement, ...]:
        return tuple(
            _place(changed[place.session_id]) if place.session_id in changed else place
            for place in places
        )

    return source.model_copy(
        update={
            "question_id": variant.question.question_id,
            "required": swap(source.required),
            "samekey": swap(source.samekey),
            "topical": swap(source.topical),
        }
    )


def _taking_order(
    config: BuildConfig, plan: Plan, fillers: Mapping[str, Sequence[Session]], draw: Random
) -> list[Session]:
    """The fillers of the cast in random order, as many as the longest history may need."""
    pool = [session for persona in plan.cast for session in fillers.get(persona, ())]
    if not pool:
        raise ConstructionError(
            "the cast has no fillers", item=plan.question.question_id, stage="allocate"
        )
    draw.shuffle(pool)
    wanted = config.budgets[-1].tokens * RESERVE
    chosen: list[Session] = []
    held = sum(item.turns for item in plan.sessions) * TOKENS_PER_TURN
    for session in pool:
        if held >= wanted:
            break
        chosen.append(session)
        held += len(session.user_turns) * TOKENS_PER_TURN
    return chosen


def _moments(
    config: BuildConfig, count: int, taken: set[date], draw: Random, item: str
) -> list[datetime]:
    start, end = config.window
    days = [start + timedelta(days=offset) for offset in range((end - start).days + 1)]
    free = [day for day in days if day not in taken]
    if len(free) < count:
        raise ConstructionError(
            f"{count} fillers need a day each, and the window has {len(free)} days left",
            item=item,
            stage="allocate",
            remedy="use a longer window",
        )
    return [
        datetime.combine(day, time(draw.randint(8, 21), draw.randint(0, 59)))
        for day in draw.sample(free, count)
    ]


def _placed(sessions: tuple[PlannedSession, ...]) -> tuple[Placement, ...]:
    return tuple(_place(item) for item in sessions)


def _place(item: PlannedSession) -> Placement:
    if item.timestamp is None:
        raise ConstructionError("has no timestamp", item=item.session_id, stage="allocate")
    return Placement(session_id=item.session_id, timestamp=item.timestamp, role=item.role)
