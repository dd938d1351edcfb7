"""Acoustic necessity, first part: the transcript alone must not yield the gold (VoxMem, §3.3)."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from voxmem.quality.gates.chance import chance_level, is_given_away
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.records import Finding
from voxmem.quality.gates.solving import as_try, solve, told
from voxmem.quality.gates.transcript import View


class AcousticTranscript:
    """The words of the longest history, without a note on how anything sounded."""

    name = "acoustic_transcript"
    prompts = ("acoustic_transcript",)

    async def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        case = reading.case
        if not case.is_acoustic:
            return
        found = await solve(
            reading, "words", "acoustic_transcript", case.longest, View(notes=False)
        )
        shown = as_try(reading, found)
        chance = chance_level(case.question)
        yield reading.verdict(
            "words",
            "acoustic_transcript",
            "transcript_suffices" if is_given_away([shown], chance) else "",
            value=float(shown.hit),
            threshold=chance,
            detail=told(found),
        )
