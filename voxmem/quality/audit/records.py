"""What an annotator says of a clip: a row that is written once, in a part of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from voxmem.keys import short
from voxmem.records import Clip, Record
from voxmem.store.tables import Tables

TABLE = "clip_audits"

Verdict = Literal["pass", "fail", "unsure"]
Fault = Literal["words", "voice", "delivery", "sound", "noise", "level", "cut", "other"]

FAULTS: dict[Fault, str] = {
    "words": "a word is missing, wrong or added",
    "voice": "it is another voice",
    "delivery": "the delivery is not heard, or is another one",
    "sound": "the background sound is not heard, or is another one",
    "noise": "noise, clicks or a voice that breaks",
    "level": "too loud or too quiet",
    "cut": "its beginning or its end is cut off",
    "other": "something else: say what in the note",
}


class ClipAudit(Record):
    """One verdict of one annotator on one clip."""

    clip_id: str
    sha256: str
    """The primary rendition that was heard: a clip that is spoken again is heard again."""
    annotator: str = Field(min_length=1, max_length=80)
    time: datetime
    """UTC."""
    verdict: Verdict
    fault: Fault | None = None
    """Of a clip that failed."""
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

    @model_validator(mode="after")
    def _fault_of_a_failure(self) -> Self:
        if (self.verdict == "fail") is (self.fault is None):
            raise ValueError("a clip that fails has a fault, and no other has one")
        return self

    @property
    def part(self) -> str:
        """The part that holds it: the same row is the same part."""
        return short("clip audit", self, digits=20)


Latest = dict[str, dict[str, ClipAudit]]
"""Clip id → annotator → the verdict that counts."""


class Audits:
    """The table of verdicts: rows are added, none is changed. Safe for threads; rows that other
    processes add are seen at the next reading."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read: dict[str, ClipAudit] = {}
        self._lock = threading.Lock()

    def add(self, row: ClipAudit) -> None:
        """Keep a verdict.

        Raises:
            StoreError: The root cannot be written.
        """
        self._tables.write(TABLE, row.part, [row], ClipAudit)

    def rows(self) -> list[ClipAudit]:
        """Every verdict, in the order of time.

        Raises:
            CorruptTable: A part is damaged.
        """
        with self._lock:
            for part in self._tables.parts(TABLE):
                if part not in self._read:
                    (self._read[part],) = self._tables.read(TABLE, ClipAudit, [part])
            return [
                row
                for _, row in sorted(self._read.items(), key=lambda item: (item[1].time, item[0]))
            ]


def latest(rows: Iterable[ClipAudit], clips: Mapping[str, Clip]) -> Latest:
    """The last verdict of each annotator on each clip, if it is of the audio that the clip has now.

    Args:
        rows: In the order of time.
        clips: By id; verdicts on others are left out.
    """
    found: Latest = {}
    for row in rows:
        clip = clips.get(row.clip_id)
        if clip is not None and clip.sha256 == row.sha256:
            found.setdefault(row.clip_id, {})[row.annotator] = row
    return found


def parts_on(rows: Iterable[ClipAudit], clips: Mapping[str, Clip]) -> list[str]:
    """The parts that hold verdicts on these clips, for the manifest of a release."""
    return sorted(row.part for row in rows if row.clip_id in clips)
