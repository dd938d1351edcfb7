"""Histories that are heard as a test says, without any model that listens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from voxmem.errors import InputError
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession, HeardTurn
from voxmem.messages import AudioPart, Conversation, TextPart, ToldSession, ToldTurn
from voxmem.models.told import Told
from voxmem.query import Query
from voxmem.vocabulary import SOUNDS

FIRST = datetime(2024, 3, 1, 12)
SYSTEM = "Answer from what you heard."


@dataclass(frozen=True)
class Say:
    """One user turn."""

    words: str
    voice: int | None = 0
    """Voices are at right angles to each other; ``None``: silence."""
    sound: str | None = None

    @property
    def clip(self) -> HeardClip:
        spoken = self.voice is not None
        return HeardClip(
            words=self.words,
            seconds=4.0,
            spoken_seconds=3.5 if spoken else 0.0,
            voice=tuple(float(at == self.voice) for at in range(192)) if spoken else None,
            prosody=None,
            stress=None,
            sounds={event: 8.0 if event == self.sound else -4.0 for event in SOUNDS},
        )


@dataclass
class Script:
    """A :class:`~voxmem.memory.systems.memory.Perception` of turns by the names of their clips."""

    turns: Mapping[str, Say]
    closed: bool = False

    def hear(self, told: Told) -> HeardHistory:
        conversation = told.conversation
        return HeardHistory(
            sessions=tuple(
                HeardSession(
                    timestamp=session.timestamp,
                    turns=tuple(self._turn(turn.role, turn.parts) for turn in session.turns),
                )
                for session in conversation.sessions
            ),
            query_timestamp=conversation.query_timestamp,
            query=self._turn("user", conversation.query),
        )

    def close(self) -> None:
        self.closed = True

    def _turn(self, role: str, parts: Sequence[TextPart | AudioPart]) -> HeardTurn:
        clips = []
        for part in parts:
            if isinstance(part, AudioPart):
                if part.sha256 not in self.turns:
                    raise InputError("the clip is no audio", item=part.sha256)
                clips.append(self.turns[part.sha256].clip)
        words = [part.text for part in parts if isinstance(part, TextPart)]
        return HeardTurn.model_validate(
            {
                "role": role,
                "words": " ".join([*words, *(clip.words for clip in clips)]),
                "clips": clips,
            }
        )


def told(
    sessions: Sequence[Sequence[Say | str]],
    query: Say,
    meaning: Query | None = None,
    item_id: str = "item",
) -> tuple[Told, Script]:
    """An item, a session a day, and what hears it. Strings are the assistant's replies."""
    turns: dict[str, Say] = {}

    def heard(say: Say) -> AudioPart:
        name = f"clip of {say}"
        turns[name] = say
        return AudioPart(sha256=name, seconds=4.0)

    def turn(said: Say | str) -> ToldTurn:
        if isinstance(said, str):
            return ToldTurn(role="assistant", parts=(TextPart(text=said),))
        return ToldTurn(role="user", parts=(heard(said),))

    conversation = Conversation(
        system=SYSTEM,
        sessions=tuple(
            ToldSession(
                timestamp=FIRST + timedelta(days=number),
                turns=tuple(turn(said) for said in session),
            )
            for number, session in enumerate(sessions)
        ),
        query_timestamp=FIRST + timedelta(days=100),
        query=(heard(query),),
    )
    return Told(item_id, conversation, lambda sha256: b"", meaning), Script(turns)
