"""Which clip a turn is: everything about its sound follows from its annotations."""

from __future__ import annotations

from voxmem.records import ClipSpec, Question, Turn


def spec_of(turn: Turn) -> ClipSpec:
    """The clip of a user turn."""
    cue = turn.cues[0] if turn.cues else None
    return ClipSpec(
        text=turn.text,
        voice=turn.speaker or "",
        delivery=cue.value if cue else "neutral",
        sound=turn.sound,
        span=cue.span if cue and cue.dimension == "emphasis" else None,
    )


def question_spec(question: Question) -> ClipSpec:
    """The clip of a question: the asker's voice, neutral, no background."""
    return ClipSpec(text=question.text, voice=question.asker)
