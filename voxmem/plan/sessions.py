"""Planned sessions, and what they are made of, whoever plans them: evidence, distractors and what
takes their place are alike in all that is not asked about."""

from __future__ import annotations

import random
from collections.abc import Collection
from datetime import datetime

from voxmem.config import BuildConfig
from voxmem.records import Cue, Fact, PlannedSession, Role, Value
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import DELIVERIES


def plan_session(
    config: BuildConfig,
    draw: random.Random,
    *,
    session_id: str,
    asked: EvidenceType,
    role: Role,
    topic: str,
    speaker: str,
    when: datetime,
    entity: str,
    facts: tuple[Fact, ...],
    cue: str | None,
    sound: str | None,
) -> PlannedSession:
    """A planned session of a length like any other's. Neither a delivery nor a sound that is not
    asked about, nor the lack of one, tells a session's role (VoxMem, Table 4)."""
    if asked is not EvidenceType.PARALINGUISTIC:
        cue = incidental(draw, config.deliveries, config.cue_rate) or cue
    if asked is not EvidenceType.ENVIRONMENTAL:
        sound = incidental(draw, config.sounds, config.sound_rate) or sound
    turns = draw.randint(*config.session_turns)
    return PlannedSession(
        session_id=session_id,
        topic=topic,
        speaker=speaker,
        role=role,
        timestamp=when,
        facts=facts,
        entities=(entity,),
        cue=Cue(dimension=DELIVERIES[cue], value=cue) if cue else None,
        sound=sound,
        turns=turns,
        key_turn=draw.randrange(turns),
    )


def incidental(draw: random.Random, palette: Collection[str], rate: float) -> str | None:
    """A delivery or a sound that nobody asks about, at a rate."""
    return draw.choice(sorted(palette)) if palette and draw.random() < rate else None


def shortened(planned: PlannedSession, turns: int) -> PlannedSession:
    """The session with so many turns at most."""
    if planned.turns <= turns:
        return planned
    update = {"turns": turns, "key_turn": min(planned.key_turn, turns - 1)}
    return planned.model_copy(update=update)


def fact_of(entity: str, speaker: str, attribute: str, value: Value) -> Fact:
    """What a speaker states of a thing of theirs."""
    referent = f"{entity}@{speaker}"
    return Fact(entity=entity, referent=referent, attribute=attribute, value=value)
