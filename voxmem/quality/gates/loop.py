"""Passes over all items until every one that is left had two clean ones in a row (VoxMem, §3.3:
items that fail are revised and checked again, or discarded)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Literal

from voxmem.errors import ConstructionError, ModelError
from voxmem.models.audio import ReadAudio
from voxmem.quality.gates.asker import Asker
from voxmem.quality.gates.cases import Case
from voxmem.quality.gates.catalogue import GATES
from voxmem.quality.gates.model import GateModel
from voxmem.quality.gates.one_pass import run_pass
from voxmem.quality.gates.reading import Gate
from voxmem.quality.gates.records import GateOutcome
from voxmem.quality.gates.report import summarise
from voxmem.quality.gates.revise import Revise, never
from voxmem.quality.gates.settling import Item, Settling
from voxmem.store.rows import Ledger

Undecided = Literal["stop", "drop"]


def run_gates(
    cases: Sequence[Case],
    model: GateModel,
    ledger: Ledger,
    *,
    revise: Revise = never,
    undecided: Undecided = "stop",
    gates: Sequence[Gate] = GATES,
) -> GateOutcome:
    """The model-based part of the family gate, over questions that passed the deterministic part.

    In every pass each gate reads each item anew, under other labels and with another part of the
    evidence changed. An item is settled by two clean passes in a row; a revised one, and the
    refusal items that share its wording, begin again.

    Args:
        cases: Sources and their refusal items, in any order. A refusal item whose source is not
            among them stands alone.
        model: Who is asked.
        ledger: Where every reply is kept as it comes: a run that is killed goes on where it was.
        revise: Gives a question that failed other words. Called between passes, in the order of the
            items; it must do the same when a run is repeated.
        undecided: What becomes of an item for which no reply could be read in several passes:
            ``stop`` ends with an error once all others are settled, ``drop`` leaves it out and
            counts it apart.
        gates: Which gates, in their order.

    Raises:
        ModelError: The model is out of reach or cannot take what is asked; or items are undecided.
        UsageError: The model's settings are wrong.
        ConstructionError: Two cases have one question id, a history or session is missing, or a
            revision changes more than the wording.
    """
    run = Settling(_checked(cases), revise)
    asker = Asker(model, ledger, _reader(cases))
    passes = 0
    for number in count(1):
        waiting = run.open
        if not waiting:
            break
        run.take_pass(waiting, run_pass([item.case for item in waiting], number, asker, gates))
        passes = number
    _settle_undecided(run, undecided)
    items = run.items.values()
    admitted = tuple(item.case.question for item in items if item.dropped is None)
    dropped = tuple(item.dropped for item in items if item.dropped is not None)
    return GateOutcome(
        admitted=admitted,
        dropped=dropped,
        revised=tuple(run.revised),
        findings=tuple(run.findings),
        report=summarise(
            asker, gates, run.findings, run.revised, dropped, items=len(items), passes=passes
        ),
    )


def _settle_undecided(run: Settling, undecided: Undecided) -> None:
    left = [item for item in run.items.values() if item.is_undecided]
    if left and undecided == "stop":
        last = next(
            finding
            for finding in reversed(run.findings)
            if finding.question_id == left[0].name and finding.status == "unparsed"
        )
        raise ModelError(
            f"no reply could be read for {len(left)} of {len(run.items)} items; {last.gate}: "
            f"{last.detail}",
            item=left[0].name,
            stage="gate",
            remedy="run the same command again to ask anew (the rest is kept), or choose another "
            "gate_model",
        )
    for item in left:
        item.drop("unparsed")
    run.drop_variants()


def _checked(cases: Sequence[Case]) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for case in cases:
        name = case.question.question_id
        if name in items:
            raise ConstructionError("the question is given twice", item=name, stage="gate")
        if not case.histories:
            raise ConstructionError("the question has no history", item=name, stage="gate")
        placed = {place.session_id for history in case.histories for place in history.placements}
        lacking = sorted(placed - case.sessions.keys())
        if lacking:
            raise ConstructionError(
                f"the question lacks session {lacking[0]}", item=name, stage="gate"
            )
        items[name] = Item(case)
    return items


def _reader(cases: Sequence[Case]) -> ReadAudio:
    """Where recordings are read from: all cases of a build share one store."""
    return next((case.recordings.read for case in cases if case.recordings), _no_recording)


def _no_recording(sha256: str) -> bytes:
    raise ConstructionError("nothing is spoken in this build", item=sha256, stage="gate")
