"""What an annotator says of a clip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from voxmem.quality.labelling.records import Label, Labels, Latest
from voxmem.quality.labelling.records import latest as latest_labels
from voxmem.records import Clip
from voxmem.store.tables import Tables

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


class ClipAudit(Label):
    """One verdict of one annotator on one clip."""

    NAME: ClassVar[str] = "clip audit"
    TABLE: ClassVar[str] = "clip_audits"
    SUBJECT: ClassVar[str] = "clip_id"
    SAYS: ClassVar[str] = "verdict"

    clip_id: str
    sha256: str
    """The primary rendition that was heard: a clip that is spoken again is heard again."""
    verdict: Verdict
    fault: Fault | None = None
    """Of a clip that failed."""

    @model_validator(mode="after")
    def _fault_of_a_failure(self) -> Self:
        if (self.verdict == "fail") is (self.fault is None):
            raise ValueError("a clip that fails has a fault, and no other has one")
        return self


Heard = Latest[ClipAudit]
"""Clip id → annotator → the verdict that counts."""


class Audits(Labels[ClipAudit]):
    """The table of verdicts on clips."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, ClipAudit)


def latest(rows: Iterable[ClipAudit], clips: Mapping[str, Clip]) -> Heard:
    """The last verdict of each annotator on each clip, if it is of the audio that the clip has now.

    Args:
        rows: In the order of time.
        clips: By id; verdicts on others are left out.
    """

    def subject_of(row: ClipAudit) -> str | None:
        clip = clips.get(row.clip_id)
        return row.clip_id if clip is not None and clip.sha256 == row.sha256 else None

    return latest_labels(rows, subject_of)


def parts_on(rows: Iterable[ClipAudit], clips: Mapping[str, Clip]) -> list[str]:
    """The parts that hold verdicts on these clips, for the manifest of a release."""
    return sorted(row.part for row in rows if row.clip_id in clips)
