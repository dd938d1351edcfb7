"""What a check found, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from voxmem.errors import VoxmemError

Status = Literal["ok", "warn", "wrong"]
C = TypeVar("C")
Check = Callable[[C], Iterable["Finding"]]
"""One small function that looks at one thing. What it raises of ours is a finding too."""


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
        try:
            yield from check(context)
        except VoxmemError as error:
            name = check.__name__.replace("_", " ")
            what = f"{error.item}: {error.message}" if error.item else error.message
            yield Finding(name, "wrong", what, error.remedy or "")
