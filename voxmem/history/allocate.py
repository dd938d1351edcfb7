"""Which sessions a question's histories draw on, in which order they are taken, and when they
took place (VoxMem, Appendix B.6).

The order in which sessions are *taken* decides the nesting: a shorter budget takes a prefix of each
role. Their places in time are drawn alike for every role, and never change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.history.fillers import Dealer
from voxmem.history.haystack import Borrowed, borrow
from voxmem.history.lengths import Lengths
from voxmem.history.moments import draw_moments
from voxmem.keys import rng
from voxmem.plan.draft import when_of
from voxmem.plan.validate import first
from voxmem.records import Placement, Plan, PlannedSession, Record, Session


class Allocation(Record):
    """All sessions that may enter the histories of one question, each in the order of taking."""

    question_id: str
    cast: tuple[str, ...]
    required: tuple[Placement, ...]
    """Evidence, and what replaces it in a refusal variant: in every history."""
    samekey: tuple[Placement, ...]
    topical: tuple[Placement, ...]
    """Borrowed from the evidence of other questions."""
    fillers: tuple[Placement, ...]
    """The last ones are the reserve."""


@dataclass(frozen=True)
class Allocated:
    """The allocation of every question, and what was borrowed for them."""

    rows: tuple[Allocation, ...]
    borrowed: Borrowed


def allocate_all(
    config: BuildConfig,
    plans: Sequence[Plan],
    sessions: Mapping[str, Session],
    fillers: Mapping[str, Sequence[Session]],
    *,
    lengths: Lengths | None = None,
) -> Allocated:
    """The allocation of every plan, in their order. Sources come before their variants.

    Args:
        sessions: The written sessions of the plans, by id.
        fillers: The filler pool of each persona.
        lengths: Of all these sessions; estimated if absent.

    Raises:
        ConstructionError: The cast of a question has too few fillers, the window too few days, or
            a variant has no source.
    """
    if lengths is None:
        pool = {item.session_id: item for group in fillers.values() for item in group}
        lengths = Lengths({**sessions, **pool})
    borrowed = borrow(config, plans)

    def tokens_of(names: Iterable[str]) -> int:
        return sum(lengths.session(name).tokens for name in names)

    dealer = Dealer(config, fillers, lambda name: tokens_of([name]))
    variants = Counter(plan.question.source_question_id for plan in plans)
    rows: dict[str, Allocation] = {}
    by_id: dict[str, Plan] = {}
    for plan in plans:
        name, source = plan.question.question_id, plan.question.source_question_id
        by_id[name] = plan
        if source is None:
            topical = borrowed.sessions[name]
            held = tokens_of(item.session_id for item in (*plan.sessions, *topical))
            dealt = dealer.deal(plan, held, 1 + variants[name])
            rows[name] = allocate(config, plan, topical, dealt)
        elif source in rows:
            rows[name] = derive_allocation(rows[source], by_id[source], plan)
        else:
            raise ConstructionError(f"its source {source} is missing", item=name, stage="allocate")
    return Allocated(tuple(rows.values()), borrowed)


def allocate(
    config: BuildConfig, plan: Plan, topical: Sequence[PlannedSession], fillers: Sequence[str]
) -> Allocation:
    """The allocation of an answerable question.

    Args:
        topical: What it borrows, in the order of taking.
        fillers: Filler sessions, in the order of taking.

    Raises:
        ConstructionError: The window has too few days.
    """
    draw = rng("allocate", config.seed, plan.question.question_id)
    moments = draw_moments(config, plan, map(when_of, topical), len(fillers), draw)
    return Allocation(
        question_id=plan.question.question_id,
        cast=plan.cast,
        required=_placed([item for item in plan.sessions if item.role == "evidence"]),
        samekey=_placed(first(plan, "samekey_haystack", len(plan.sessions))),
        topical=_placed(topical),
        fillers=tuple(
            Placement(session_id=name, timestamp=when, role="filler")
            for name, when in zip(fillers, moments, strict=True)
        ),
    )


def derive_allocation(source: Allocation, source_plan: Plan, variant: Plan) -> Allocation:
    """The allocation of a refusal variant: its source's, with the changed session in place.

    Raises:
        ConstructionError: The variant changes more or less than one session.
    """
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
        }
    )


def _placed(sessions: Sequence[PlannedSession]) -> tuple[Placement, ...]:
    return tuple(map(_place, sessions))


def _place(item: PlannedSession) -> Placement:
    return Placement(session_id=item.session_id, timestamp=when_of(item), role=item.role)
