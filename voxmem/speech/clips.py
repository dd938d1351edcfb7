"""Which clip a turn is: everything about its sound follows from its annotations."""

from __future__ import annotations

from voxmem.records import ClipSpec, Question, Turn


def spec_of(turn: Turn) -> ClipSpec:
    """The clip of a user turn."""
    return ClipSpec(
        text=turn.text,
        voice=turn.speaker or "",
        delivery=turn.cues[0].value if turn.cues else "neutral",
        sound=turn.sound,
    )


def question_spec(question: Question) -> ClipSpec:
    """The clip of a question: the asker's voice, neutral, no background."""
    return ClipSpec(text=question.text, voice=question.asker)
