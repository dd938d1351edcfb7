"""``voxmem import predictions``: answers that were given elsewhere become responses here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.evaluate import controls
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.predicted import (
    LostLine,
    PredictedSystem,
    PredictionsRecord,
    document,
    imported_predictions,
)
from voxmem.evaluate.run import Run, keep
from voxmem.interop.predictions.read import read_predictions
from voxmem.interop.predictions.row import Prediction, clips_note
from voxmem.interop.predictions.sorter import Sorter, Taken
from voxmem.interop.predictions.verdicts import keep_judgements
from voxmem.keys import key
from voxmem.memory import listener
from voxmem.memory import systems as memory_systems
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import SYSTEMS
from voxmem.records import Call, Delivery, Response

# Importing them registers their systems: no import takes the name of one.
assert controls.CONTROLS, (listener.Listener, memory_systems.NAMES)

_REVISION = 1
"""Raise it when the same rows become other responses."""
_DELIVERIES: dict[str | None, Delivery] = {"native": "native", "folded": "folded"}


def import_predictions(
    rows: ReleaseRows, paths: Sequence[Path], *, name: str | None = None
) -> list[PredictionsRecord]:
    """Keeps the rows of prediction files as responses: of one system called ``name``, or of one for
    each model in the files; and what is said of them as verdicts of ``imported:JUDGE``.

    A damaged row, one of an item that the release does not have, or a second one that says
    something else is lost, and reported with its line; a failure gives way to a later answer.

    Raises:
        UsageError: A file does not exist; a name is that of another system or import; or one name
            is given to several models.
        InputError: No row is of an item of the release.
        StoreError: The root cannot be written.
    """
    sorter = Sorter(rows)
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
    digests = sorted(sha for _, sha in files)
    records = [
        PredictionsRecord(
            name=name or model,
            fingerprint=key("predictions", _REVISION, name or model, model, digests),
            model=model,
            files=files,
            runs=tuple(sorter.runs(model)),
            responses=sum(each == model for each, _, _ in sorter.taken),
            judges=tuple(sorter.judges(model)),
            lost=tuple(sorter.lost),
        )
        for model in models
    ]
    for record in records:
        _check_name(rows, record)
    for record in records:
        _keep(rows, record, sorter)
    return records


def _keep(rows: ReleaseRows, record: PredictionsRecord, sorter: Sorter) -> None:
    system = PredictedSystem(record.name, record.fingerprint)
    for budget, arm in record.runs:
        run = Run(rows, system, budget, arm)
        kept = [_response(run, taken) for taken in sorter.of(record.model, budget, arm)]
        keep(run, kept)
        keep_judgements(run, sorter.of(record.model, budget, arm))
    # Last, so that a name never stands for responses that are not there.
    known = imported_predictions(rows) | {record.name: record}
    rows.root.put_json(
        document(rows.release.release_id),
        {name: each.model_dump(mode="json") for name, each in known.items()},
    )


def _response(run: Run, taken: Taken) -> Response:
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
