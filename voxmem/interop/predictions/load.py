"""``voxmem import predictions``: answers that were given elsewhere become responses here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.predicted import (
    LostLine,
    PredictedSystem,
    PredictionsRecord,
    document,
    imported_predictions,
)
from voxmem.evaluate.run import Run, keep
from voxmem.interop.predictions.read import Found, read_predictions
from voxmem.interop.predictions.row import ARMS, Prediction, clips_note
from voxmem.keys import key
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import SYSTEMS
from voxmem.records import Call, Delivery, History, Response

_REVISION = 1
"""Raise it when the same rows become other responses."""
_DELIVERIES: dict[str | None, Delivery] = {"native": "native", "folded": "folded"}


def import_predictions(
    rows: ReleaseRows, paths: Sequence[Path], *, name: str | None = None
) -> list[PredictionsRecord]:
    """Keeps the rows of prediction files as responses: of one system called ``name``, or of one for
    each model in the files.

    A damaged row, one of an item that the release does not have, or a second one that says
    something else is lost, and reported with its line; a failure gives way to a later answer.

    Raises:
        UsageError: A file does not exist; a name is that of another system or import; or one name
            is given to several models.
        InputError: No row is of an item of the release.
        StoreError: The root cannot be written.
    """
    sorter = _Sorter(rows)
    for path in paths:
        for found in read_predictions(path):
            sorter.add(found)
    models = list(dict.fromkeys(model for model, _, _ in sorter.taken))
    if not models:
        raise _nothing(rows, paths, sorter.lost)
    if name is not None and len(models) > 1:
        raise UsageError(
            f"{name!r} cannot name several models: {', '.join(models)}",
            stage="import",
            remedy="leave --name out: each gets its own",
        )
    files = tuple((path.name, _digest(path)) for path in paths)
    records = [
        PredictionsRecord(
            name=name or model,
            fingerprint=key("predictions", _REVISION, model, sorted(sha for _, sha in files)),
            model=model,
            files=files,
            runs=tuple(sorter.runs(model)),
            responses=sum(each == model for each, _, _ in sorter.taken),
            lost=tuple(sorter.lost),
        )
        for model in models
    ]
    for record in records:
        _check_name(rows, record)
    for record in records:
        _keep(rows, record, sorter)
    return records


@dataclass(frozen=True)
class _Taken:
    found: Found
    history: History


class _Sorter:
    """Takes one record for each model, arm and item of a release."""

    def __init__(self, rows: ReleaseRows) -> None:
        self._histories = {history.item_id: history for history in rows.histories}
        self._asked = rows.asked
        self.taken: dict[tuple[str, str, str], _Taken] = {}
        self.lost: list[LostLine] = []

    def add(self, found: Found | LostLine) -> None:
        """Takes a record, or notes why not."""
        if isinstance(found, LostLine):
            self.lost.append(found)
            return
        said = found.prediction
        history = self._histories.get(said.item_id)
        if history is None:
            self.lost.append(found.lost(f"{said.item_id} is no item of the release"))
        elif said.question_text not in (None, self._asked[history.question_id].text):
            self.lost.append(found.lost(f"{said.item_id} asks something else in the release"))
        else:
            self._place(found, history)

    def _place(self, found: Found, history: History) -> None:
        said = found.prediction
        place = (said.model, said.arm, said.item_id)
        before = self.taken.get(place)
        if before is None:
            self.taken[place] = _Taken(found, history)
        elif said == before.found.prediction:
            self.lost.append(found.lost(f"{said.item_id} as in line {before.found.line}"))
        elif before.found.prediction.outcome != "ok" and said.outcome == "ok":
            self.lost.append(before.found.lost(f"{said.item_id}: a later row has an answer"))
            self.taken[place] = _Taken(found, history)
        else:
            reason = f"{said.item_id} differs from line {before.found.line}, which is kept"
            self.lost.append(found.lost(reason))

    def runs(self, model: str) -> Iterator[tuple[str, str]]:
        """The budgets and arms of a model's records, in the order of the release."""
        budgets = dict.fromkeys(history.budget for history in self._histories.values())
        there = {
            (taken.history.budget, arm)
            for (each, arm, _), taken in self.taken.items()
            if each == model
        }
        yield from ((budget, arm) for arm in ARMS for budget in budgets if (budget, arm) in there)

    def of(self, model: str, budget: str, arm: str) -> list[_Taken]:
        """The records of one run, in the order of the release."""
        found = {
            item: taken
            for (each, under, item), taken in self.taken.items()
            if (each, under, taken.history.budget) == (model, arm, budget)
        }
        return [found[item] for item in self._histories if item in found]


def _keep(rows: ReleaseRows, record: PredictionsRecord, sorter: _Sorter) -> None:
    system = PredictedSystem(record.name, record.fingerprint)
    for budget, arm in record.runs:
        run = Run(rows, system, budget, arm)
        kept = [_response(run, taken) for taken in sorter.of(record.model, budget, arm)]
        keep(run, kept)
    # Last, so that a name never stands for responses that are not there.
    known = imported_predictions(rows) | {record.name: record}
    rows.root.put_json(
        document(rows.release.release_id),
        {name: each.model_dump(mode="json") for name, each in known.items()},
    )


def _response(run: Run, taken: _Taken) -> Response:
    said: Prediction = taken.found.prediction
    odd = clips_note(said.n_audio_clips, taken.history.length.clips)
    return Response(
        response_id=run.response_id(said.item_id),
        item_id=said.item_id,
        question_id=taken.history.question_id,
        budget=run.budget,
        system=run.system.name,
        arm=run.arm.name,
        outcome=said.outcome,
        text=said.response,
        error=said.message,
        prompt_hash="",  # the file does not say it
        call=Call(delivery=_DELIVERIES.get(said.system_prompt_delivery), notes=odd),
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_name(rows: ReleaseRows, record: PredictionsRecord) -> None:
    before = imported_predictions(rows).get(record.name)
    if before is not None and before.fingerprint != record.fingerprint:
        files = ", ".join(name for name, _ in before.files)
        what = f"the name is that of other predictions, from {files}"
    elif record.name in SYSTEMS or record.name in catalogue() or "@" in record.name:
        what = "the name is that of a system that can be asked here"
    else:
        return
    raise UsageError(what, item=record.name, stage="import", remedy="choose another with --name")


def _nothing(rows: ReleaseRows, paths: Sequence[Path], lost: Sequence[LostLine]) -> InputError:
    first = f"; line {lost[0].line} of {lost[0].file}: {lost[0].reason}" if lost else ""
    return InputError(
        f"no row answers an item of {rows.release.release_id}{first}",
        item=", ".join(map(str, paths)),
        stage="import",
        remedy="name the release that was answered, with --release",
    )
