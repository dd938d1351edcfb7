"""Builds, shapes and small data sets to make fillers from."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.presets import DEMO, PAPER
from voxmem.config import BuildConfig
from voxmem.dialogue.fillers import FillerPool, Protected
from voxmem.dialogue.fillers.shape import Shape, shape_of
from voxmem.dialogue.writer import write_session
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.records import Fact, PlannedSession, Session

SEED_ONLY = PAPER.model_copy(update={"fillers": ("seed",)})
NOTHING = Protected((), ())


@cache
def paper_shape() -> Shape:
    return shape_of(PAPER)


@cache
def evidence(config: BuildConfig = DEMO, count: int = 400) -> tuple[Session, ...]:
    """Sessions that state a fact, by the template writer."""
    topics, attributes = catalog().topics, catalog().attributes
    written = []
    for number in range(count):
        draw = rng("evidence", config.name, number)
        topic, attribute = draw.choice(sorted(topics)), draw.choice(sorted(attributes))
        entity = draw.choice(topics[topic])
        turns = draw.randint(*config.session_turns)
        fact = Fact(
            entity=entity,
            referent=entity,
            attribute=attribute,
            value=draw.choice(attributes[attribute].domain),
        )
        planned = PlannedSession(
            session_id=f"e{number}",
            topic=topic,
            speaker="p01",
            role="evidence",
            facts=(fact,),
            entities=(entity,),
            turns=turns,
            key_turn=draw.randrange(turns),
        )
        written.append(write_session(planned, roomy=config.session_turns[1] > 3))
    return tuple(written)


@cache
def pool(config: BuildConfig = SEED_ONLY, size: int = 300) -> FillerPool:
    """Two personas' fillers, shaped like template sessions."""
    counts = {"p03": size // 3, "p01": size - size // 3}
    return FillerPool(config, counts, NOTHING, evidence=evidence(config))


def instruction(number: int, *texts: str) -> dict[str, Any]:
    """A record of InstructS2S-200K with the given texts, the human's first."""
    return {
        "id": f"instruct_en_{number}",
        "conversation": [
            {
                "from": "gpt" if at % 2 else "human",
                "speech": f"wav/instruct_en_{number}-{at // 2 + 1}.wav",
                "text": text,
                "unit": "<17><42>" if at % 2 else None,
            }
            for at, text in enumerate(texts)
        ],
    }


def write_array(path: Path, records: list[Any]) -> Path:
    path.write_text(json.dumps(records, indent=2), encoding="utf-8")
    return path
