"""Filler sessions: ordinary requests that have nothing to do with any question.

They carry incidental deliveries and sounds at the rates of the build, so that a filler is not
told by the absence of acoustic variation (VoxMem, Table 11).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from random import Random

from pydantic import BaseModel, ConfigDict

from voxmem.config import BuildConfig
from voxmem.keys import rng
from voxmem.records import Cue, Session, Turn
from voxmem.vocabulary import DELIVERIES, SOUNDS

TOPIC = "small requests"


class Exchange(BaseModel):
    """One request, and replies that fit it however its slots are filled."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str
    assistant: tuple[str, ...]


class SeedDialogues(BaseModel):
    """The embedded pool."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slots: dict[str, tuple[str, ...]]
    exchanges: tuple[Exchange, ...]


@cache
def seed_dialogues() -> SeedDialogues:
    """The pool that ships with the package."""
    text = (files("voxmem.dialogue") / "filler.toml").read_text(encoding="utf-8")
    return SeedDialogues.model_validate(tomllib.loads(text))


def write_filler(config: BuildConfig, speaker: str, number: int) -> Session:
    """The ``number``-th filler session of a persona."""
    draw = rng("filler", config.seed, speaker, number)
    count = draw.randint(*config.session_turns)
    cue_at = 0 if draw.random() < config.cue_rate else None
    cue = draw.choice(sorted(DELIVERIES)) if cue_at is not None else None
    sound = draw.choice(sorted(SOUNDS)) if draw.random() < config.sound_rate else None
    turns: list[Turn] = []
    for at, exchange in enumerate(draw.sample(seed_dialogues().exchanges, count)):
        cues = (Cue(dimension=DELIVERIES[cue], value=cue),) if cue and at == cue_at else ()
        text = _fill(exchange.user, draw)
        turns.append(Turn(role="user", text=text, speaker=speaker, cues=cues, sound=sound))
        turns.append(Turn(role="assistant", text=draw.choice(exchange.assistant)))
    return Session(
        session_id=f"f_{config.seed}_{speaker}_{number:04d}", topic=TOPIC, turns=tuple(turns)
    )


def _fill(text: str, draw: Random) -> str:
    for slot, values in seed_dialogues().slots.items():
        if f"{{{slot}}}" in text:
            text = text.replace(f"{{{slot}}}", draw.choice(values))
    return text
