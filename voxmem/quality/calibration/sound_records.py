"""What was measured of background sounds: how well each is told, and down to which ratio."""

from __future__ import annotations

import json
from functools import cache

from pydantic import Field

from voxmem.quality.calibration.committed import committed
from voxmem.quality.hearing.sounds import Scale
from voxmem.records import Record

FILE = "sounds.json"
LEAST_AUC = 0.95
LEAST_NAMED = 0.7


class SoundRow(Record):
    """One event. Scales and thresholds are set on half of the clips; all else is of the others."""

    event: str
    mean: float
    """Of the event's evidence over clips with all sounds."""
    deviation: float = Field(gt=0)
    threshold: float
    """The least score of a clip that is taken to have the sound: 2 % of the clips with other
    sounds reach it."""
    clips: int
    """With the sound."""
    auc_absent: float
    """Against the same speech without any sound."""
    auc_other: float
    """Against speech with another sound."""
    named_right: float
    """Share of its clips that are named by it, among all events."""
    named_whole: float
    """The same for a listener who is not told where nobody speaks."""
    false_rejects: float
    false_accepts: float

    @property
    def is_told(self) -> bool:
        """Whether it may stand in a default palette."""
        return min(self.auc_absent, self.auc_other) >= LEAST_AUC and self.named_right >= LEAST_NAMED


class Perceived(Record):
    """All events together at one ratio of speech over sound."""

    snr_db: float
    clips: int
    named_right: float
    auc_other: float


class SoundTable(Record):
    """One measurement of a source of sounds."""

    judge: str
    sounds: str
    """The source's revision."""
    engine: str
    edge_seconds: float
    snr_db: float
    rows: tuple[SoundRow, ...]
    perceived: tuple[Perceived, ...] = ()

    @property
    def scales(self) -> dict[str, Scale]:
        return {row.event: Scale(row.mean, row.deviation) for row in self.rows}

    def row(self, event: str) -> SoundRow | None:
        """What was measured of an event, if it was."""
        return next((row for row in self.rows if row.event == event), None)


def as_lines(table: SoundTable) -> str:
    """JSON with an event a line."""
    head = table.model_dump(mode="json", exclude={"rows", "perceived"})
    parts = [
        f'"{name}": [\n  ' + ",\n  ".join(row.model_dump_json() for row in rows) + "\n]"
        for name, rows in (("rows", table.rows), ("perceived", table.perceived))
    ]
    return f"{json.dumps(head)[:-1]},\n{parts[0]},\n{parts[1]}}}\n"


@cache
def sound_table() -> SoundTable:
    """The measurement of the embedded sounds that ships with the package.

    Raises:
        InputError: Its file is damaged.
    """
    return committed(FILE, SoundTable, "the measurement of the sounds")
