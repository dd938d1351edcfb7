"""The gates, cheapest first: an item that fails one is not shown to the next in that pass."""

from __future__ import annotations

from voxmem.quality.gates.acoustic_control import AcousticControl
from voxmem.quality.gates.acoustic_transcript import AcousticTranscript
from voxmem.quality.gates.answer_validity import AnswerValidity
from voxmem.quality.gates.full_history import FullHistory
from voxmem.quality.gates.question_only import QuestionOnly
from voxmem.quality.gates.reading import Gate

GATES: tuple[Gate, ...] = (
    QuestionOnly(),
    AcousticTranscript(),
    AnswerValidity(),
    AcousticControl(),
    FullHistory(),
)
"""A new gate is one file, its prompts, and one entry here."""
