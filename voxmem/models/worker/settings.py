"""What an entry may set for the backend ``worker``, and nothing else does."""

from __future__ import annotations

from pathlib import Path

from pydantic import ConfigDict, Field

from voxmem.records import Record


class WorkerSettings(Record):
    """How workers are started, and how long they may take."""

    # Additions to the environment may be keys, so errors do not repeat what was given.
    model_config = ConfigDict(hide_input_in_errors=True)

    command: tuple[str, ...] = Field(min_length=1)
    """Program and arguments. It is part of every row's key: what decides an answer belongs here."""
    cwd: Path | None = None
    """Where it runs, and what relative paths of the command are relative to."""
    env: dict[str, str] = Field(default_factory=dict)
    """Added to the environment. It is no part of a row's key."""
    rate: int | None = Field(default=None, ge=8000, le=96_000)
    """Hz of the clips; ``None``: what the worker names."""
    startup_seconds: float = Field(default=600.0, gt=0)
    """Until the model is loaded."""
    item_seconds: float = Field(default=600.0, gt=0)
    """For one item."""
    workers: int = Field(default=1, ge=1)
    """Processes, and so items at a time."""
