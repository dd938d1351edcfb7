"""What a calibration leaves: for each check and condition a threshold, and how often it errs."""

from __future__ import annotations

from pydantic import Field

from voxmem import keys
from voxmem.records import Record

ALL = "all"
"""The condition of a check that has one threshold."""


class Trials(Record):
    """How many good and faulty clips were looked at."""

    good: int
    faulty: int


class Curve(Record):
    """One check under one condition. A value passes if it is at least the threshold."""

    check: str
    condition: str = ALL
    """A delivery, a sound, or how much speech there was."""
    judge: str
    threshold: float
    rule: str
    """How the threshold was set."""
    set_on: Trials
    """Empty where the threshold follows from the definition of the check."""
    tested_on: Trials
    false_rejects: float = Field(ge=0, le=1)
    """Of the good clips that it was tested on."""
    false_accepts: float = Field(ge=0, le=1)
    """Of the faulty ones."""
    equal_error: float = Field(ge=0, le=1)
    """The rate at which both would be equal, on the clips that it was tested on."""
    caught: dict[str, float] = Field(default_factory=dict)
    """Fault → share of its clips that the check turned away in the test."""
    grid: tuple[float, ...] = ()
    """Thresholds, ascending."""
    grid_false_rejects: tuple[float, ...] = ()
    grid_false_accepts: tuple[float, ...] = ()


class Calibration(Record):
    """All curves of one run, and what spoke."""

    engine: str
    sounds: str
    curves: tuple[Curve, ...]

    @property
    def revision(self) -> str:
        """Changes with any threshold."""
        rows = [(curve.check, curve.condition, curve.threshold) for curve in self.curves]
        return keys.short("calibration", rows, digits=8)

    def curve(self, check: str, condition: str = ALL) -> Curve | None:
        """The curve of a check under a condition, or under all."""
        found = {curve.condition: curve for curve in self.curves if curve.check == check}
        return found.get(condition) or found.get(ALL)
