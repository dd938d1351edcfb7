"""Histories to be told to local models: tones and noise of a seed, with replies as text."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
import soundfile
from numpy.typing import NDArray

from voxmem import keys
from voxmem.messages import AudioPart, Conversation, TextPart, ToldSession, ToldTurn
from voxmem.models.told import Told

SYSTEM = "Answer from what you heard. Say that you do not know where nothing was said."
START = datetime(2025, 3, 1, 9, 30)


@dataclass
class Clips:
    """Clips by hash, and which were read."""

    bytes: dict[str, bytes] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    def add(self, samples: NDArray[np.float32], rate: int = 24_000) -> AudioPart:
        file = io.BytesIO()
        soundfile.write(file, samples, rate, format="FLAC", subtype="PCM_16")
        sha256 = hashlib.sha256(file.getvalue()).hexdigest()
        self.bytes[sha256] = file.getvalue()
        return AudioPart(sha256=sha256, seconds=len(samples) / rate)

    def speak(self, *seed: object, seconds: float) -> AudioPart:
        """A melody with noise, as loud as speech."""
        random = keys.numpy_rng("clip", *seed)
        time = np.arange(round(seconds * 24_000)) / 24_000
        tone = np.sin(2 * np.pi * random.uniform(100, 900) * time * (1 + 0.2 * np.sin(3 * time)))
        noise = random.normal(size=len(time))
        return self.add((0.2 * tone + 0.05 * noise).astype(np.float32))

    def read_audio(self, sha256: str) -> bytes:
        self.read.append(sha256)
        return self.bytes[sha256]

    def tell(
        self,
        sessions: Sequence[Sequence[AudioPart]],
        query: AudioPart | TextPart,
        *,
        replies: str = "Noted, number {}.",
        item: str = "item",
    ) -> Told:
        """A conversation of sessions, a reply to every clip."""
        numbers = iter(range(10_000))
        told = tuple(
            ToldSession(
                timestamp=START + timedelta(days=day),
                turns=tuple(
                    turn
                    for clip in clips
                    for turn in (
                        ToldTurn(role="user", parts=(clip,)),
                        ToldTurn(
                            role="assistant",
                            parts=(TextPart(text=replies.format(next(numbers))),),
                        ),
                    )
                ),
            )
            for day, clips in enumerate(sessions)
        )
        conversation = Conversation(
            system=SYSTEM,
            sessions=told,
            query_timestamp=START + timedelta(days=len(told)),
            query=(query,),
        )
        return Told(item_id=item, conversation=conversation, read_audio=self.read_audio)

    def history(self, clips: int, *, seconds: tuple[float, float], seed: str = "h") -> Told:
        """That many clips in sessions of two, and a spoken query of 1.5 s."""
        random = keys.rng("history", seed)
        spoken = [
            self.speak(seed, number, seconds=round(random.uniform(*seconds), 2))
            for number in range(clips)
        ]
        sessions = [spoken[start : start + 2] for start in range(0, clips, 2)]
        return self.tell(sessions, self.speak(seed, "query", seconds=1.5), item=seed)
