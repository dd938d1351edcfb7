"""What one request carries, counted before it is sent."""

from __future__ import annotations

import math

from voxmem.length import text_tokens
from voxmem.messages import AudioPart, Conversation
from voxmem.records import Record


class Load(Record):
    """One conversation as a request."""

    clips: int
    audio_seconds: float
    audio_tokens: int
    """Of the model, each clip rounded up."""
    text_tokens: int
    """Whisper's: another tokenizer differs by some per cent; chat templates come on top."""


def measure(conversation: Conversation, tokens_per_second: float) -> Load:
    """The load of a conversation, by the lengths of its clips. No clip is read.

    Args:
        conversation: As an arm tells it.
        tokens_per_second: The model's, of audio.

    Raises:
        MissingExtra: The vocabulary with which text is counted is not installed.
    """
    clips = conversation.clips
    return Load(
        clips=len(clips),
        audio_seconds=sum(clip.seconds for clip in clips),
        audio_tokens=sum(math.ceil(clip.seconds * tokens_per_second) for clip in clips),
        text_tokens=sum(map(text_tokens, texts_of(conversation))),
    )


def texts_of(conversation: Conversation) -> list[str]:
    """The texts of a conversation, the system text first."""
    return [
        part.text
        for message in conversation.messages()
        for part in message.parts
        if not isinstance(part, AudioPart)
    ]
