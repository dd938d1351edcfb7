"""Acoustic necessity, second part: the paired control must not yield the gold (VoxMem, §3.3)."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from voxmem.quality.gates.cases import Scene
from voxmem.quality.gates.chance import Try, chance_level, is_given_away
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.records import Finding
from voxmem.quality.gates.renditions import control, primary, question_clip
from voxmem.quality.gates.replies import Solution
from voxmem.quality.gates.solving import as_try, solve, told
from voxmem.quality.gates.transcript import ClipOf, View, recording

_PROMPT = "acoustic_control"


class AcousticControl:
    """The shortest history to a listener, twice: as it is, and with the evidence in its control
    rendition (neutral delivery, clean stem, another voice).

    Whether the primary rendition yields the gold is recorded and does not decide: how well a cue is
    heard is the session gate's to say.
    """

    name = "acoustic_control"
    prompts = (_PROMPT,)

    async def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        case = reading.case
        if not case.is_acoustic:
            return
        if case.recordings is None:
            yield reading.not_run("control", "text_only")
            return
        silenced = control(case)
        if isinstance(silenced, str):
            yield reading.not_run("control", silenced)
            return
        heard, plain = case.shortest, silenced.scene
        first = await _listen(reading, "primary", heard, primary(case, heard))
        then = await _listen(reading, "control", plain, primary(case, plain, silenced.clips))
        shown, chance = as_try(reading, then), chance_level(case.question)
        yield reading.verdict(
            "control",
            _PROMPT,
            "control_suffices" if is_given_away([shown], chance) else "",
            value=float(shown.hit),
            threshold=chance,
            detail=f"{silenced.what}: {told(then)}; "
            f"primary {_heard(as_try(reading, first))}: {told(first)}",
        )


async def _listen(reading: Reading, part: str, scene: Scene, clip_of: ClipOf) -> Solution:
    asked = question_clip(reading.case)
    after = (recording(asked),) if asked else ()
    return await solve(reading, part, _PROMPT, scene, View(notes=False, clip_of=clip_of), after)


def _heard(shown: Try) -> str:
    return "yields the gold" if shown.hit else "does not yield the gold"
