"""A conversation as the contents and the config of ``generate_content``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from voxmem.messages import AudioPart, Message, TextPart, alternating
from voxmem.models.entry import Decoding

SAFETY = (
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
)
"""The filters that can be turned off: an answer that they suppress says nothing of memory."""


def contents(
    types: Any, messages: Sequence[Message], audio: Callable[[AudioPart], Any]
) -> list[Any]:
    """User and model turns, in turn; ``audio`` gives the part of a clip.

    Args:
        types: The client library's module of request types.
        messages: Those of a system are left out.
    """
    spoken = [message for message in messages if message.role != "system"]
    return [
        types.Content(
            role="user" if message.role == "user" else "model",
            parts=[
                types.Part(text=part.text) if isinstance(part, TextPart) else audio(part)
                for part in message.parts
            ],
        )
        for message in alternating(spoken)
    ]


def config(types: Any, messages: Sequence[Message], decoding: Decoding) -> Any:
    """The system text, how the answer is drawn, and no filter of the four that can be off."""
    system = [message.text for message in messages if message.role == "system"]
    return types.GenerateContentConfig(
        system_instruction=system[0] if system else None,
        max_output_tokens=decoding.max_output_tokens,
        temperature=decoding.temperature,
        seed=decoding.seed,
        thinking_config=_thinking(types, decoding.thinking),
        safety_settings=[
            types.SafetySetting(category=category, threshold="OFF") for category in SAFETY
        ],
    )


def _thinking(types: Any, thinking: str | int | None) -> Any:
    if thinking is None:
        return None
    if isinstance(thinking, str):
        return types.ThinkingConfig(thinking_level=thinking.upper())
    return types.ThinkingConfig(thinking_budget=thinking)
