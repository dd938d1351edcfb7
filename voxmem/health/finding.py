"""What a check found, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any, Literal, TypeVar

from voxmem.errors import VoxmemError

Status = Literal["ok", "warn", "wrong"]
C = TypeVar("C")
Check = Callable[[C], Iterable["Finding"]]
"""One small function that looks at one thing. What it raises is a finding too."""

_UNEXPECTED = "look at what it is about; if that is well, report this as an error of voxmem"


@dataclass(frozen=True)
class Finding:
    """What was found.

    Attributes:
        name: What was looked at.
        status: ``warn`` is worth knowing; with ``wrong`` something will not work.
        what: As it is, in one line.
        remedy: What to do; empty where all is well.
    """

    name: str
    status: Status
    what: str
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return dict(vars(self))

    def line(self) -> str:
        """For people."""
        line = f"{self.status:<6} {self.name}: {self.what}"
        return f"{line} — {self.remedy}" if self.remedy else line


def examine(checks: Iterable[Check[C]], context: C) -> Iterator[Finding]:
    """Runs checks, one after the other. One that cannot be carried out is wrong, and ends none."""
    for check in checks:
        name = check.__name__.replace("_", " ")
        try:
            yield from check(context)
        except VoxmemError as error:
            what = f"{error.item}: {error.message}" if error.item else error.message
            yield Finding(name, "wrong", what, error.remedy or "")
        except Exception as error:  # noqa: BLE001 - the others are looked at all the same
            yield Finding(name, "wrong", f"this check failed: {_briefly(error)}", _UNEXPECTED)


def _briefly(error: Exception) -> str:
    """Its kind and place alone: what others say may hold a secret."""
    *_, frame = extract_tb(error.__traceback__)
    return f"{type(error).__name__} ({Path(frame.filename).name}, line {frame.lineno})"
