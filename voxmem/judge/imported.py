"""Verdicts that came with imported predictions, as a judge: it was asked elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "imported:"


@dataclass(frozen=True)
class ImportedJudge:
    """Its verdicts were kept when the predictions were imported; it can give no others."""

    judge: str
    """As the files call it."""
    version: str = ""
    """What it is of is said in its name, or nobody knows; the files are part of a run's key."""

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.judge}"

    @property
    def identity(self) -> str:
        return self.name
