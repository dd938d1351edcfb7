"""Answer and operation validity, on the annotated transcript (VoxMem, §3.3 and F.3).

The model is not told the gold: it must find it, and must no longer find it once a session that the
operation needs is gone or, where order is the question, moved.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from voxmem.quality.gates.changes import Change, removal, reordering
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.records import Finding
from voxmem.quality.gates.replies import Solution
from voxmem.quality.gates.solving import as_try, solve, told
from voxmem.quality.gates.transcript import View
from voxmem.semantics import Answer, Decision
from voxmem.taxonomy import Operation

_PROMPT = "answer_validity"
_ANNOTATED = View(notes=True)


class AnswerValidity:
    """The longest history, whole; without one evidence session; with its evidence reordered."""

    name = "answer_validity"
    prompts = (_PROMPT,)

    async def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        yield await self._whole(reading)
        if reading.question.gold is None:
            return
        changes = {"removal": removal(reading.case, *reading.seed)}
        if reading.question.operation is not Operation.INFORMATION_EXTRACTION:
            changes["order"] = reordering(reading.case, *reading.seed)
        for part, change in changes.items():
            if change is None:
                yield reading.not_run(part, "no_change_follows")
            else:
                yield await self._changed(reading, part, change)

    async def _whole(self, reading: Reading) -> Finding:
        scene = reading.case.longest
        found = await solve(reading, "whole", _PROMPT, scene, _ANNOTATED)
        reason = _fault(reading, found)
        return reading.verdict("whole", _PROMPT, reason, detail=told(found))

    async def _changed(self, reading: Reading, part: str, change: Change) -> Finding:
        """Decided by the gold alone; whether the model agrees with the definition is recorded."""
        found = await solve(reading, part, _PROMPT, change.scene, _ANNOTATED)
        shown = as_try(reading, found)
        if change.keeps(reading.case):
            reason = "" if shown.hit else "changed_by_order"
        else:
            reason = f"survives_{part}" if shown.hit and shown.claimed else ""
        return reading.verdict(
            part,
            _PROMPT,
            reason,
            value=float(_agrees(reading, found, change.decision)),
            detail=f"{change.what}, where the definition says {_said(change.decision)}: "
            f"{told(found)}",
        )


def _agrees(reading: Reading, found: Solution, decision: Decision) -> bool:
    if isinstance(decision, Answer):
        return found.verdict != "insufficient" and reading.gives(found.answer, decision.value)
    return found.verdict != "determined"


def _said(decision: Decision) -> str:
    return repr(decision.value if isinstance(decision, Answer) else decision.reason)


def _fault(reading: Reading, found: Solution) -> str:
    """Why the whole history does not bear the item out; "" if it does."""
    if reading.question.gold is None:
        return "answerable" if found.verdict == "determined" else ""
    if found.verdict == "insufficient":
        return "no_answer"
    if not reading.gives(found.answer):
        return "other_answer"
    return "" if found.verdict == "determined" else "not_unique"
