"""Imported predictions as a system: it was asked elsewhere, and is only judged here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.evaluate.items import ReleaseRows
from voxmem.records import Record


class LostLine(Record):
    """A record that was not taken, and why."""

    file: str
    line: int
    """Counted from 1."""
    reason: str


class PredictionsRecord(Record):
    """What an import of predictions left."""

    name: str
    fingerprint: str
    """The key of the files' bytes."""
    model: str
    """As the files call it."""
    files: tuple[tuple[str, str], ...]
    """Name and SHA-256 of each."""
    runs: tuple[tuple[str, str], ...]
    """The budgets and arms that have responses."""
    responses: int
    judges: tuple[str, ...] = ()
    """That have verdicts in the files: ``voxmem judge --judge imported:NAME``."""
    lost: tuple[LostLine, ...]
    """Of all files, whatever system they were meant for."""


@dataclass(frozen=True)
class PredictedSystem:
    """Neither a control nor a candidate: it cannot be asked, its responses are there."""

    name: str
    fingerprint: str
    kind: ClassVar[Literal["predictions"]] = "predictions"


def document(release_id: str) -> str:
    """The name of the document that lists what was imported for a release."""
    return f"predictions/{release_id}"


def imported_predictions(rows: ReleaseRows) -> dict[str, PredictionsRecord]:
    """System → what was imported under its name, for this release."""
    kept = rows.root.get_json(document(rows.release.release_id)) or {}
    return {name: PredictionsRecord.model_validate(each) for name, each in kept.items()}


def predicted_system(rows: ReleaseRows, name: str) -> PredictedSystem | None:
    """The system that was imported under a name; ``None``: nothing was."""
    found = imported_predictions(rows).get(name)
    return PredictedSystem(found.name, found.fingerprint) if found else None


def predictions_of(rows: ReleaseRows, name: str) -> set[tuple[str, str]] | None:
    """The budgets and arms that have imported responses; ``None``: nothing was imported."""
    found = imported_predictions(rows).get(name)
    return set(found.runs) if found else None
