"""What an import keeps beside the items themselves."""

from __future__ import annotations

from voxmem.interop.official.item import OfficialItem
from voxmem.records import Record


class Rejection(Record):
    """An item that was left out, and why."""

    item: str
    """Its id; the file and row where it has none."""
    stage: str
    """``read``: the row. ``unite``: ids. ``hear``: a clip. ``tell``: the history. ``ask``: the
    question."""
    reason: str


class ImportNote(Record):
    """Something odd that left nothing out."""

    note: str
    count: int
    first: str
    """The first item it was seen in."""


class ClipMeasure(Record):
    """What a recording was measured to be."""

    sha256: str
    size: int
    """Bytes."""
    container: str
    rate: int
    """Hz of the file; 0 if it cannot be read."""
    samples: int
    """Length in samples at 24 kHz; 0 if it cannot be read."""
    fault: str | None = None
    """Why nobody can be asked to hear it."""


class PublishedItem(OfficialItem):
    """The published columns of an item of an imported release, with what was found.

    ``sessions`` is empty here: they are in the tables ``histories``, ``sessions`` and
    ``imported_clips``.
    """

    session_ids: tuple[str, ...]
    """As published, in the order of the history."""
    recomputed_audio_tokens: int
    """Of the history without the query: 50 a second, each clip rounded up."""
    recomputed_duration_seconds: float
