"""A request in writing, to a model that judges or audits: no conversation, no sound."""

from __future__ import annotations

from voxmem.errors import InputError
from voxmem.messages import Conversation, TextPart
from voxmem.models.told import Told


def written(system: str, text: str, *, item: str) -> Told:
    """What any candidate can be asked: an instruction and one text.

    Args:
        system: The instruction (a rubric).
        text: What is asked.
        item: For messages.
    """
    conversation = Conversation(
        system=system, sessions=(), query_timestamp=None, query=(TextPart(text=text),)
    )
    return Told(item, conversation, _no_audio)


def _no_audio(sha256: str) -> bytes:
    raise InputError("a written request has no clips", item=sha256, stage="models")
