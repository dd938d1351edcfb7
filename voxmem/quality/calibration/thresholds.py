"""The committed calibration, from which the session gate takes its thresholds."""

from __future__ import annotations

from functools import cache

from voxmem.errors import UsageError
from voxmem.quality.calibration.committed import committed
from voxmem.quality.calibration.records import ALL, Calibration

FILE = "calibration.json"


@cache
def calibration() -> Calibration:
    """The calibration that ships with the package.

    Raises:
        InputError: Its file is damaged.
    """
    return committed(FILE, Calibration, "the calibration of the session gate")


@cache
def threshold(check: str, condition: str = ALL) -> float:
    """The least value that passes a check under a condition; without one of its own, that of the
    check under all conditions.

    Raises:
        UsageError: The check was not calibrated.
    """
    found = calibration().curve(check, condition)
    if found is None:
        raise UsageError(
            f"the check {check!r} has no threshold",
            stage="gate",
            remedy="run `voxmem calibrate`",
        )
    return found.threshold


@cache
def judged_by(judge: str) -> str:
    """A judge, and the calibration that its thresholds are from."""
    return f"{judge}, calibration {calibration().revision}"
