"""Items of a release as they were if it had been imported: words and audio, no annotations."""

from __future__ import annotations

from dataclasses import replace

from voxmem.models.item import Item
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    ImportedClip,
    Question,
    Session,
    StoredClip,
    Turn,
)


def as_imported(item: Item) -> Item:
    """The item without anything that a published dataset does not say."""
    return replace(
        item,
        question=asked(item.annotated),
        sessions={name: _bare(session) for name, session in item.sessions.items()},
        clips={place: _clip(clip, *place) for place, clip in item.clips.items()},
        question_clip=_clip(item.question_clip, item.question.question_id, 0),
    )


def asked(question: Question) -> AskedQuestion:
    """The question in words alone."""
    known = {name: getattr(question, name) for name in AskedQuestion.model_fields}
    return AskedQuestion(**known | {"space": AnswerSpace()})


def _bare(session: Session) -> Session:
    turns = tuple(Turn(role=turn.role, text=turn.text) for turn in session.turns)
    return Session(session_id=session.session_id, topic="", turns=turns)


def _clip(clip: StoredClip, owner: str, turn: int) -> ImportedClip:
    return ImportedClip(
        sha256=clip.sha256,
        samples=clip.samples,
        owner=owner,
        turn=turn,
        container="FLAC",
        rate=24_000,
    )
