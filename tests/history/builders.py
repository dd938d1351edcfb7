"""Allocations of the demo's plans, and lengths as the tone engine would speak them."""

from __future__ import annotations

from functools import cache

from tests.fake_speech import seconds
from tests.plan.builders import demo
from voxmem.config import DEMO, BuildConfig
from voxmem.dialogue.filler import write_filler
from voxmem.dialogue.writer import write_session
from voxmem.history.allocate import Allocation, allocate, derive_allocation, pool_size
from voxmem.history.fit import fit, follow
from voxmem.length import SAMPLE_RATE, query_length, session_length
from voxmem.plan.planner import households
from voxmem.records import Clip, ClipSpec, History, Length, Placement, Plan, Session
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.mixing import EDGE_SECONDS


@cache
def fillers(config: BuildConfig = DEMO) -> dict[str, list[Session]]:
    """The filler pool of every persona."""
    return {
        persona: [
            write_filler(config, persona, number) for number in range(pool_size(config, persona))
        ]
        for house in households(config)
        for persona in house
    }


@cache
def plans() -> dict[str, Plan]:
    return {plan.question.question_id: plan for plan in demo().plans}


@cache
def sessions() -> dict[str, Session]:
    """Every session of the demo by its id."""
    written = [write_session(item) for plan in plans().values() for item in plan.sessions]
    pool = [session for sessions in fillers().values() for session in sessions]
    return {session.session_id: session for session in (*written, *pool)}


@cache
def allocations() -> dict[str, Allocation]:
    rows: dict[str, Allocation] = {}
    for name, plan in plans().items():
        source = plan.question.source_question_id
        rows[name] = (
            allocate(DEMO, plan, fillers())
            if source is None
            else derive_allocation(rows[source], plans()[source], plan)
        )
    return rows


def clip(spec: ClipSpec) -> Clip:
    """A clip as long as the tone engine makes it."""
    spoken = seconds(spec.text, spec.voice, spec.delivery) + 2 * EDGE_SECONDS
    return Clip(
        clip_id="c",
        spec=spec,
        engine="tones 1",
        sha256="0" * 64,
        samples=round(spoken * SAMPLE_RATE),
        licence="",
    )


def length_of(place: Placement) -> Length:
    return _length(place.session_id, place)


@cache
def _length(session_id: str, place: Placement) -> Length:
    session = sessions()[session_id]
    return session_length(
        session, place.timestamp, [clip(spec_of(turn)) for turn in session.user_turns]
    )


def query(name: str) -> Length:
    question = plans()[name].question
    return query_length(question.query_timestamp, clip(question_spec(question)))


def variants(name: str) -> list[Allocation]:
    """The allocations of a question's refusal variants."""
    return [
        allocations()[other]
        for other, plan in plans().items()
        if plan.question.source_question_id == name
    ]


@cache
def fitted() -> dict[str, tuple[History, ...]]:
    """The histories of every question of the demo."""
    made: dict[str, tuple[History, ...]] = {}
    for name, plan in plans().items():
        source = plan.question.source_question_id
        mine = allocations()[name]
        made[name] = (
            fit(mine, DEMO.budgets, query(name), length_of, variants=variants(name))
            if source is None
            else follow(
                made[source],
                allocations()[source],
                mine,
                DEMO.budgets,
                query(name),
                length_of,
            )
        )
    return made
