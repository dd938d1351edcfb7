"""Dialogues to test with."""

from __future__ import annotations

from functools import cache

from tests.plan.builders import FORMS, planned
from voxmem.dialogue.writer import write_session
from voxmem.plan.refusal import derive
from voxmem.records import PlannedSession, Session
from voxmem.taxonomy import Derivation


@cache
def planned_sessions() -> tuple[PlannedSession, ...]:
    """Sessions of all forms and of their refusal variants, each once."""
    plans = [planned(form, index) for form in FORMS for index in (0, 1)]
    variants = [derive(plan, rule) for plan in plans for rule in Derivation]
    every = [item for plan in (*plans, *variants) if plan for item in plan.sessions]
    return tuple({item.session_id: item for item in every}.values())


@cache
def dialogue(planned: PlannedSession) -> Session:
    """The dialogue of a planned session."""
    return write_session(planned)
