"""Small annotated items, written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from voxmem import query as q
from voxmem.models.item import Item
from voxmem.records import (
    AnswerSpace,
    Cue,
    Fact,
    Gold,
    History,
    Length,
    Placement,
    Question,
    Response,
    Session,
    StoredClip,
    Turn,
)
from voxmem.taxonomy import OPERATION_OF, AnswerType, EvidenceType, Subtype
from voxmem.vocabulary import DELIVERIES

ME, OTHER = "p01", "p02"
_START = datetime(2025, 3, 1, 9, 0)


def session(
    name: str,
    entity: str,
    *,
    speaker: str = ME,
    cue: str | None = None,
    sound: str | None = None,
    topic: str = "family",
    **facts: str | int,
) -> Session:
    """One session about one thing, with the facts that are stated of it."""
    stated = tuple(
        Fact(entity=entity, referent=entity, attribute=attribute, value=value)
        for attribute, value in facts.items()
    )
    text = f"About {entity}: " + ", ".join(f"{name} {value}" for name, value in facts.items())
    cues = (Cue(dimension=DELIVERIES[cue], value=cue),) if cue else ()
    turn = Turn(role="user", text=text, speaker=speaker, facts=stated, cues=cues, sound=sound)
    reply = Turn(role="assistant", text="I see.")
    return Session(session_id=name, topic=topic, entities=(entity,), turns=(turn, reply))


def item(
    query: q.Query,
    gold: Gold,
    sessions: Sequence[Session],
    evidence: Sequence[str],
    *,
    subtype: Subtype = Subtype.CONTEXT_TO_CUE,
    evidence_type: EvidenceType = EvidenceType.PARALINGUISTIC,
    answer_type: AnswerType = AnswerType.CATEGORICAL,
    text: str = "What was it?",
    **space: Any,
) -> Item:
    """A question over sessions in order of time; what is no evidence is a distractor, what has
    neither fact nor cue nor sound a filler."""
    operation = OPERATION_OF[subtype]
    question = Question(
        question_id="q0",
        family_id="q0",
        evidence_type=evidence_type,
        operation=operation,
        subtype=subtype,
        source_operation=operation,
        text=text,
        query_timestamp=_START + timedelta(days=100),
        answer_type=answer_type,
        space=AnswerSpace(**space),
        expected_response="answer",
        gold=gold,
        evidence_session_ids=tuple(evidence),
        form="by hand",
        query=query,
        asker=ME,
    )
    placements = tuple(
        Placement(
            session_id=one.session_id,
            timestamp=_START + timedelta(days=at),
            role="evidence"
            if one.session_id in evidence
            else "samekey_haystack"
            if _tells(one)
            else "filler",
        )
        for at, one in enumerate(sessions)
    )
    length = Length(audio_seconds=1, audio_tokens=50, text_tokens=1, clips=1)
    return Item(
        question=question,
        history=History(
            item_id="q0_8K", question_id="q0", budget="8K", placements=placements, length=length
        ),
        sessions={one.session_id: one for one in sessions},
        clips={},
        question_clip=StoredClip(sha256="", samples=0),
        read_audio=lambda sha256: b"",
    )


def response(text: str | None) -> Response:
    """A wrong answer to it."""
    return Response(
        response_id="r0", item_id="q0_8K", question_id="q0", budget="8K", system="m0", arm="audio",
        outcome="ok", text=text, prompt_hash="p",
    )  # fmt: skip


def _tells(one: Session) -> bool:
    return any(turn.facts or turn.cues or turn.sound for turn in one.turns)
