"""Screening and answering dialogues. What comes out follows from what goes in, so that batches can
be worked on in several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voxmem.dialogue.fillers.protected import Protected, Statement
from voxmem.dialogue.fillers.shape import SECONDS
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.views import AssistantWriter, VisiblePrefix
from voxmem.errors import ConstructionError
from voxmem.records import Session, Turn
from voxmem.speech.estimate import estimate_seconds


@dataclass(frozen=True)
class Screened:
    """A dialogue up to the first turn that no filler may hold."""

    texts: tuple[str, ...]
    """User and assistant texts in turn."""
    fault: Statement | None
    """Why it was cut off there, if it was."""


def screen(
    protected: Protected, assistant: AssistantWriter, batch: Sequence[RawDialogue]
) -> list[Screened]:
    """Each dialogue with its replies, as far as nothing in it is at fault."""
    return [_screened(protected, assistant, raw.texts) for raw in batch]


def _screened(protected: Protected, assistant: AssistantWriter, said: tuple[str, ...]) -> Screened:
    texts: tuple[str, ...] = ()
    for text in said:
        fault = Statement("repeat", text) if text in texts else _fault(text, protected)
        if fault is None:
            reply, fault = _reply(assistant, (*texts, text), protected)
        if fault is not None:
            return Screened(texts, fault)
        texts = (*texts, text, reply)
    return Screened(texts, None)


def _fault(text: str, protected: Protected) -> Statement | None:
    if not SECONDS[0] <= estimate_seconds(text) <= SECONDS[1]:
        return Statement("length", text)
    return _leaked(text, "user") or protected.stated_in(text)


def _reply(
    assistant: AssistantWriter, texts: tuple[str, ...], protected: Protected
) -> tuple[str, Statement | None]:
    try:
        reply = assistant.reply(VisiblePrefix(texts))
    except ConstructionError as error:
        return "", Statement("no reply", error.message)
    return reply, _leaked(reply, "assistant") or _said(protected, reply)


@lru_cache(maxsize=1 << 14)
def _said(protected: Protected, reply: str) -> Statement | None:
    """Replies recur."""
    return protected.stated_in(reply)


@lru_cache(maxsize=1 << 14)
def _leaked(text: str, role: Literal["user", "assistant"]) -> Statement | None:
    turn = Turn(role=role, text=text)
    leaks = find_leaks(Session(session_id="", topic="", turns=(turn,)))
    return Statement(f"leak: {leaks[0].channel}", leaks[0].found) if leaks else None
