"""What a calibration measures, and the machinery that keeps what was measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from voxmem import keys
from voxmem.errors import StoreError
from voxmem.progress import report
from voxmem.quality.calibration.curves import Trial
from voxmem.quality.calibration.records import ALL, Curve
from voxmem.quality.calibration.texts import HALVES, Half
from voxmem.records import Record
from voxmem.speech.studio import Studio

VERSION = 1
"""Raise it when the same clips give other values."""


class Measured(Record):
    """What one check made of one clip."""

    check: str
    condition: str = ALL
    half: Half
    number: int
    """Which sentence of its half the clip says."""
    fault: str
    value: float


class Measurement(Protocol):
    """One kind of check, measured on good and on faulty clips."""

    @property
    def name(self) -> str: ...

    @property
    def judge(self) -> str:
        """Who measures; a part of what values are kept under."""
        ...

    @property
    def sentences(self) -> int:
        """Of each half, for the error rates that are promised."""
        ...

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        """The values of the clips that say one sentence, good ones and faulty ones."""
        ...

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        """Thresholds and errors out of all values."""
        ...


def trials(rows: Iterable[Measured], check: str, *conditions: str) -> list[Trial]:
    """The values of one check, of some or all conditions."""
    return [
        Trial(row.half, row.fault, row.value)
        for row in rows
        if row.check == check and (not conditions or row.condition in conditions)
    ]


@dataclass(frozen=True)
class Notebook:
    """Values in a folder, a line each, so that a run that ends early goes on where it was."""

    folder: Path

    def run(self, measurement: Measurement, studio: Studio, sentences: int) -> list[Measured]:
        """Measures what is not kept yet.

        Args:
            sentences: Of each half.

        Raises:
            StoreError: The folder cannot be written.
        """
        identity = keys.short(
            "calibration", VERSION, measurement.name, measurement.judge, studio.engine_id,
            studio.sounds.revision, studio.edge_seconds, studio.snr_db,
            [studio.engine.voice_revision(voice) for voice in studio.engine.voices],
        )  # fmt: skip
        file = self.folder / f"{measurement.name.replace(' ', '-')}-{identity}.jsonl"
        kept = _read(file)
        done = {(row.half, row.number) for row in kept}
        wanted = [(half, number) for half in HALVES for number in range(sentences)]
        missing = [item for item in wanted if item not in done]
        for count, (half, number) in enumerate(missing, start=1):
            rows = list(measurement.measure(studio, half, number))
            _append(file, rows)
            kept += rows
            report(f"calibrate {measurement.name}", len(wanted) - len(missing) + count, len(wanted))
        return [row for row in kept if row.number < sentences]


def _read(file: Path) -> list[Measured]:
    """What is kept. A sentence is one write: a last line that is not whole was never measured."""
    rows: list[Measured] = []
    if not file.exists():
        return rows
    for line in file.read_text("utf-8").splitlines():
        try:
            rows += [Measured.model_validate(row) for row in _rows(line)]
        except (ValueError, ValidationError):
            continue
    return rows


def _rows(line: str) -> list[object]:
    found = json.loads(line)
    return found if isinstance(found, list) else []


def _append(file: Path, rows: Sequence[Measured]) -> None:
    # Begun anew: the line before may have been cut off.
    line = f"\n[{','.join(row.model_dump_json() for row in rows)}]"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(line)
    except OSError as error:
        raise StoreError(
            f"cannot be written: {error}", item=str(file), stage="calibrate"
        ) from error
