"""What an annotator says of a thing: a row that is written once, in a part of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import ClassVar, Generic, TypeVar

from pydantic import Field, ValidationError, field_validator

from voxmem.errors import InputError
from voxmem.keys import short
from voxmem.records import Record
from voxmem.store.tables import Tables


class Label(Record):
    """One label of one annotator on one thing: the base of every such row."""

    NAME: ClassVar[str]
    """Of a row ("clip audit")."""
    TABLE: ClassVar[str]
    SUBJECT: ClassVar[str]
    """The field that names the thing."""
    SAYS: ClassVar[str]
    """The field that holds the label."""

    annotator: str = Field(min_length=1, max_length=80)
    time: datetime
    """UTC."""
    note: str = Field(default="", max_length=2000)

    @field_validator("annotator", "note", mode="before")
    @classmethod
    def _trimmed(cls, value: object) -> object:
        return " ".join(value.split()) if isinstance(value, str) else value

    @field_validator("time")
    @classmethod
    def _in_utc(cls, value: datetime) -> datetime:
        if value.tzinfo is None:
            raise ValueError("a time needs its zone, such as Z")
        return value.astimezone(UTC)

    @property
    def subject(self) -> str:
        """The thing that is labelled."""
        return str(getattr(self, self.SUBJECT))

    @property
    def says(self) -> str:
        """The label."""
        return str(getattr(self, self.SAYS))

    @property
    def part(self) -> str:
        """The part that holds it: the same row is the same part."""
        return short(self.NAME, self, digits=20)


L = TypeVar("L", bound=Label)

Latest = dict[str, dict[str, L]]
"""Subject → annotator → the label that counts."""


class Labels(Generic[L]):
    """A table of labels: rows are added, none is changed. Safe for threads; rows that other
    processes add are seen at the next reading."""

    def __init__(self, tables: Tables, model: type[L]) -> None:
        self._tables = tables
        self._model = model
        self._read: dict[str, L] = {}
        self._lock = threading.Lock()

    def add(self, row: L) -> None:
        """Keep a label.

        Raises:
            StoreError: The root cannot be written.
        """
        self._tables.write(self._model.TABLE, row.part, [row], self._model)

    def rows(self) -> list[L]:
        """Every label, in the order of time.

        Raises:
            CorruptTable: A part is damaged.
        """
        with self._lock:
            for part in self._tables.parts(self._model.TABLE):
                if part not in self._read:
                    self._read[part] = self._one(part)
            return [
                row
                for _, row in sorted(self._read.items(), key=lambda item: (item[1].time, item[0]))
            ]

    def _one(self, part: str) -> L:
        try:
            (row,) = self._tables.read(self._model.TABLE, self._model, [part])
        except InputError as error:
            where = self._tables.where(self._model.TABLE, part)
            error.remedy = f"delete {where}: one label is lost with it, to be given again"
            raise
        return row


def latest(rows: Iterable[L], subject_of: Callable[[L], str | None]) -> Latest[L]:
    """The last label of each annotator on each thing.

    Args:
        rows: In the order of time.
        subject_of: The thing that a row is of; ``None`` if it is not any more what was labelled.
    """
    found: Latest[L] = {}
    for row in rows:
        subject = subject_of(row)
        if subject is not None:
            found.setdefault(subject, {})[row.annotator] = row
    return found


def checked(model: type[L], fields: Mapping[str, object]) -> L:
    """A label from what somebody has written; a field that is left empty is left out.

    Raises:
        InputError: A field is wrong; it is named.
    """
    known = model.model_fields
    given = {
        name: value
        for name, value in fields.items()
        if value != "" or name not in known or known[name].is_required()
    }
    try:
        return model.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        # Of a field that there is, its name alone; of all fields together, what a label says.
        places = [str(each) for each in first["loc"]]
        named = [each for each in places if each in known] or [*places, model.SAYS]
        said = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{named[0]}: {said}", stage="audit") from error
