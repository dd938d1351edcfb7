"""What can be known of a prompt without asking for an answer: for preflight."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from voxmem.models.told import Told
from voxmem.records import Record


class Inspection(Record):
    """A conversation as a model's own processor turned it into input."""

    system_texts: int
    """How often the whole system text occurs in the rendered prompt: once, if all is well."""
    replies_kept: bool
    """Whether every assistant text occurs in it, word for word."""
    alternates: bool
    """Whether user and assistant turns alternate as the template renders them."""
    clips: int
    """Audio placeholders in it."""
    audio_tokens: tuple[int, ...]
    """Encoded audio tokens, a clip of the conversation each (its pieces together)."""
    expected_tokens: tuple[int, ...]
    """What those clips should come to, by their seconds."""
    input_tokens: int
    context: int | None
    """Positions that the model has; ``None``: not known."""
    logits: str | None = None
    """SHA-256 of the next token's logits: two prompts that the model tells apart differ."""


@runtime_checkable
class Inspectable(Protocol):
    """A candidate, ready to be asked, that can show what it would be given."""

    async def inspect(self, told: Told) -> Inspection:
        """The prompt of one item.

        Raises:
            UsageError: The settings are wrong.
        """
        ...
