"""The one error tree of voxmem, split by who can act on it.

::

    VoxmemError
    ├── UsageError          the caller asked for something that does not exist   (exit code 2)
    │   └── MissingExtra    a package of an optional extra is not installed
    ├── InputError          a file or record given to us is not what it should be (exit code 1)
    │   ├── CorruptObject   bytes in the store do not match their hash
    │   └── CorruptTable    a Parquet part cannot be read
    ├── StoreError          the root cannot be read or written (full disk, read-only folder)
    ├── ConstructionError   a plan, session or history breaks a rule of the benchmark
    ├── SpeechError         an engine did not render what was asked
    ├── ModelError          a model call ended without an answer
    └── EngineError         the workflow server could not be started or reached
"""

from __future__ import annotations


class VoxmemError(Exception):
    """Base of every error that voxmem raises on purpose.

    Args:
        message: What happened, in one line.
        item: The item, session, clip or file it happened to.
        stage: The stage of the pipeline ("plan", "speak", ...).
        remedy: What the reader can do about it.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        item: str | None = None,
        stage: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.item = item
        self.stage = stage
        self.remedy = remedy

    def __str__(self) -> str:
        where = " ".join(part for part in (self.stage and f"[{self.stage}]", self.item) if part)
        line = f"{where}: {self.message}" if where else self.message
        return f"{line} — {self.remedy}" if self.remedy else line

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only fields do not survive the default pickling of exceptions.
        return (_rebuild, (type(self), self.message, self.item, self.stage, self.remedy))


def _rebuild(
    kind: type[VoxmemError], message: str, item: str | None, stage: str | None, remedy: str | None
) -> VoxmemError:
    return kind(message, item=item, stage=stage, remedy=remedy)


class UsageError(VoxmemError):
    """The caller named something that does not exist or does not fit."""

    exit_code = 2


class MissingExtra(UsageError):
    """A package of an optional extra is not installed; the remedy names the extra."""


class InputError(VoxmemError):
    """A file or record handed to voxmem is not what it should be."""


class CorruptObject(InputError):
    """Stored bytes do not have the SHA-256 they are stored under."""


class CorruptTable(InputError):
    """A Parquet part cannot be read back."""


class StoreError(VoxmemError):
    """The root cannot be read or written."""


class ConstructionError(VoxmemError):
    """A plan, session or history breaks a rule of the benchmark."""


class SpeechError(VoxmemError):
    """A speech engine did not render what was asked."""


class ModelError(VoxmemError):
    """A model call ended without an answer."""


class EngineError(VoxmemError):
    """The workflow server could not be started or reached."""
