"""A whole calibration: every measurement, out of which come the thresholds of the session gate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from voxmem.errors import StoreError, UsageError
from voxmem.quality.calibration import sound_records
from voxmem.quality.calibration.deliveries import Deliveries
from voxmem.quality.calibration.document import as_markdown
from voxmem.quality.calibration.measurement import Measured, Measurement, Notebook
from voxmem.quality.calibration.records import Calibration, Curve
from voxmem.quality.calibration.rules import Rules
from voxmem.quality.calibration.sounds import Sounds, perceptibility
from voxmem.quality.calibration.speakers import Speakers
from voxmem.quality.calibration.thresholds import FILE
from voxmem.quality.calibration.transcripts import Transcripts
from voxmem.quality.hearing.speakers import rendered_centroid
from voxmem.quality.session import centroids
from voxmem.speech.studio import Studio

MEASUREMENTS: tuple[Measurement, ...] = (
    Rules(),
    Deliveries(),
    Sounds(),
    Speakers(),
    Transcripts(),
)
"""A new measurement is a file and a line here."""

DOCUMENT = "calibration.md"
_PERCEIVED = 24
"""Sentences at each ratio of the perceptibility curve."""


def calibrate(
    studio: Studio, out: Path, *, sentences: int | None = None, only: Sequence[str] = ()
) -> Calibration:
    """Measures, sets thresholds, and writes ``calibration.json``, ``sounds.json``,
    ``centroids.json`` and ``calibration.md`` into a folder. What a run that ended early has
    measured is not measured again.

    Args:
        studio: Who speaks; also whose centroids are written.
        out: The folder.
        sentences: Of each half, in place of what each measurement wants.
        only: Names of measurements; the curves of all others are taken over from the folder.

    Raises:
        UsageError: There is no such measurement.
        MissingExtra: A model that listens is not installed.
        StoreError: The folder cannot be written.
    """
    known = [item.name for item in MEASUREMENTS]
    unknown = [name for name in only if name not in known]
    if unknown:
        raise UsageError(
            f"there is no measurement {unknown[0]!r}",
            stage="calibrate",
            remedy=f"choose one of: {', '.join(known)}",
        )
    notebook = Notebook(out / "measured")
    curves: list[Curve] = []
    for item in MEASUREMENTS:
        if only and item.name not in only:
            continue
        rows = notebook.run(item, studio, sentences or item.sentences)
        curves += item.curves(rows)
        if isinstance(item, Sounds):
            _write(out / sound_records.FILE, _sounds(item, studio, rows))
    made = {(curve.check, curve.condition) for curve in curves}
    taken = [it for it in _kept(out) if only and (it.check, it.condition) not in made]
    found = Calibration(
        engine=studio.engine_id, sounds=studio.sounds.revision, curves=(*taken, *curves)
    )
    _write(out / FILE, _lines(found))
    _write(out / DOCUMENT, as_markdown(found))
    if not only or Speakers.name in only:
        _write(out / centroids.FILE, _centroids(studio))
    return found


def _kept(out: Path) -> Iterator[Curve]:
    if (out / FILE).exists():
        yield from Calibration.model_validate_json((out / FILE).read_text("utf-8")).curves


def _lines(found: Calibration) -> str:
    """JSON with a curve a line, so that a change of one check is a change of its lines."""
    curves = ",\n  ".join(curve.model_dump_json() for curve in found.curves)
    head = json.dumps({"engine": found.engine, "sounds": found.sounds})[:-1]
    return f'{head}, "curves": [\n  {curves}\n]}}\n'


def _sounds(item: Sounds, studio: Studio, rows: Sequence[Measured]) -> str:
    table = item.table(studio, rows)
    heard = perceptibility(studio, table.scales, _PERCEIVED)
    return sound_records.as_lines(table.model_copy(update={"perceived": heard}))


def _centroids(studio: Studio) -> str:
    engine = studio.engine
    rows = ",\n  ".join(
        centroids.kept(engine, voice, rendered_centroid(engine, voice)).model_dump_json()
        for voice in engine.voices
    )
    return f"[\n  {rows}\n]\n"


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot be written: {error}", item=str(file), stage="calibrate"
        ) from error
