"""Models for preflight: an honest listener, and those that each have one fault of this field."""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from tests.fake_speech import tone
from voxmem.evaluate.preflight.booth import WORDS, Booth
from voxmem.keys import key
from voxmem.messages import AudioPart, ToldSession
from voxmem.models.entry import ModelEntry
from voxmem.models.inspection import Inspection
from voxmem.models.outcome import Reply
from voxmem.models.told import Told
from voxmem.records import Usage
from voxmem.speech.engine import Audio


def speak(text: str) -> Audio:
    """A tone for each text."""
    return tone(text, "p01", "neutral")


def known_words() -> dict[str, str]:
    """Hash of a recording → its code word, for all words alone and in pairs."""
    booth = Booth(speak)
    alone = [booth.word(word) for word in WORDS]
    pairs = [each for other in WORDS for each in booth.pair(WORDS[0], other)]
    pairs += [each for other in WORDS for each in booth.pair(WORDS[3], other)]
    return {each.sha256: each.word for each in (*pairs, *alone)}


HEARD = known_words()
RATE = 25.0


def entry(**changes: object) -> ModelEntry:
    """An entry for the listeners."""
    return ModelEntry.model_validate(
        {
            "name": "hearer",
            "title": "Listener",
            "family": "none",
            "group": "omni-modal",
            "backend": "openai",
            "model": "listener",
            "context": 100_000,
            "tokens_per_second": RATE,
            "proof": {"status": "not proved", "by": "nothing"},
        }
        | changes
    )


@dataclass
class Listener:
    """Hears what it is given, obeys its system text, and answers what is asked. Its fields are its
    faults."""

    deaf: bool = False
    """Clips cost tokens and say nothing."""
    babbles: bool = False
    """Says something else every time."""
    silent: bool = False
    """Ends every answer without a word."""
    mute: bool = False
    """Says the same to everything, whatever it heard."""
    cut: float = math.inf
    """Seconds after which a clip is cut."""
    drops_system: bool = False
    keeps: int = 10**9
    """Clips it hears: the last ones; those before are dropped in silence."""
    most: int = 10**9
    """Clips a request may have: more are refused."""
    tells_usage: bool = True
    strict: bool = False
    """Refuses two user turns that follow each other."""
    broken: bool = False
    """The server is down."""
    asked: list[Told] = field(default_factory=list)
    name: str = "hearer"
    adapter: str = "scripted 1"
    kind: Literal["model", "memory"] = "model"
    concurrency: int = 1

    @property
    def fingerprint(self) -> str:
        return key("listener", self.name)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Listener]:
        yield self

    async def answer(self, told: Told) -> Reply:
        self.asked.append(told)
        if self.broken:
            return Reply(outcome="error", error="HTTP 503: busy")
        if len(told.conversation.clips) > self.most:
            return Reply(outcome="unsupported", error=f"at most {self.most} audio parts")
        sessions = told.conversation.sessions
        if self.strict and any(session.turns[-1].role == "user" for session in sessions):
            return Reply(outcome="unsupported", error="roles must alternate")
        usage = Usage(input_tokens=self.tokens(told), output_tokens=2)
        if self.silent:
            return Reply(outcome="empty", usage=usage)
        return Reply(
            outcome="ok", text=self._says(told), usage=usage if self.tells_usage else Usage()
        )

    def tokens(self, told: Told) -> int:
        heard = sum(math.ceil(min(part.seconds, self.cut) * RATE) for part in self._clips(told))
        return 40 + heard + 8 * len(told.conversation.sessions)

    def _clips(self, told: Told) -> tuple[AudioPart, ...]:
        return told.conversation.clips[-self.keeps :]

    def _says(self, told: Told) -> str:
        if self.mute:
            return "Insufficient evidence."
        if self.babbles:
            return f"Answer {len(self.asked)}."
        rule = re.search(r"your whole answer is the word (\w+)", told.conversation.system)
        if rule and not self.drops_system:
            return rule[1]
        query = " ".join(getattr(part, "text", "") for part in told.conversation.query)
        when = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", query)
        for session in told.conversation.sessions:
            if when and f"{session.timestamp:%Y-%m-%d %H:%M}" == when[0]:
                return self._word(told, session)
        return "I do not know."

    def _word(self, told: Told, session: ToldSession) -> str:
        (clip,) = (part for part in session.turns[0].parts if isinstance(part, AudioPart))
        if self.deaf or clip not in self._clips(told):
            return "I do not know."
        return f"It was {HEARD.get(clip.sha256, 'nothing')}."


@dataclass
class Glass(Listener):
    """The same, whose prompt can be seen."""

    system_texts: int = 1
    replies_kept: bool = True
    alternates: bool = True
    same_logits: bool = False

    async def inspect(self, told: Told) -> Inspection:
        clips = self._clips(told)
        heard = tuple(math.ceil(min(part.seconds, self.cut) * RATE) for part in clips)
        return Inspection(
            system_texts=self.system_texts,
            replies_kept=self.replies_kept,
            alternates=self.alternates,
            clips=len(clips),
            audio_tokens=heard,
            expected_tokens=tuple(math.ceil(part.seconds * RATE) for part in clips),
            input_tokens=self.tokens(told),
            context=8192,
            logits="same" if self.same_logits else key([part.sha256 for part in clips]),
        )
