"""The recordings of an import: each kept once, its bytes as they came, and measured once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from voxmem.errors import InputError
from voxmem.interop.official.audio import AudioFile, audio_file
from voxmem.interop.official.container import container, declared
from voxmem.interop.official.records import ClipMeasure
from voxmem.keys import short
from voxmem.length import SAMPLE_RATE
from voxmem.speech.audio import decode_any
from voxmem.store.root import Root

TABLE = "clip_measures"
_OWN_NAME = re.compile(r"([0-9a-f]{64})\.\w+")

Note = Callable[[str], None]


class ClipShelf:
    """Puts recordings into a root. What an earlier import has measured is not measured again."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self.measures = {row.sha256: row for row in root.tables.read(TABLE, ClipMeasure)}
        self._put: set[str] = set()
        self._new: list[ClipMeasure] = []
        self.seen = self.bytes_in = 0
        """Clips and their bytes in all rows, however often the same one comes."""
        self.is_steady = True
        """Whether all audio so far was in the rows themselves. What was got from elsewhere, or
        could not be got, may be another the next time."""

    def keep(self, value: Any, folder: Path | None, note: Note) -> str | None:
        """Keeps what a row holds as audio; returns its SHA-256, ``None`` if there is nothing.

        Raises:
            InputError: It cannot be got at, or is not what its name, a SHA-256, says.
            StoreError: The root cannot be written.
        """
        try:
            file = audio_file(value, folder)
        except InputError:
            self.is_steady = False
            raise
        if file is None:
            return None
        self.is_steady &= not file.opened
        sha = hashlib.sha256(file.data).hexdigest()
        named = _OWN_NAME.fullmatch(file.name or "")
        if named and named[1] != sha:
            raise InputError(f"the bytes of {file.name} are not those it names")
        self.seen += 1
        self.bytes_in += len(file.data)
        if sha not in self._put:
            self._root.objects.put(file.data)
            self._put.add(sha)
        if sha not in self.measures:
            self.measures[sha] = _measured(sha, file.data)
            self._new.append(self.measures[sha])
        _say_what_is_odd(file, self.measures[sha], note)
        return sha

    def save(self) -> None:
        """Keeps what was measured since the last time."""
        if self._new:
            part = short(TABLE, self._new, digits=20)
            self._root.tables.write(TABLE, part, self._new, ClipMeasure)
            self._new = []


def _measured(sha: str, data: bytes) -> ClipMeasure:
    kind = container(data)
    rate = samples = 0
    fault: str | None = None
    try:
        audio, rate = decode_any(data)
        samples = round(len(audio) * SAMPLE_RATE / rate)
    except InputError as error:
        fault = error.message
    return ClipMeasure(
        sha256=sha, size=len(data), container=kind, rate=rate, samples=samples, fault=fault
    )


def _say_what_is_odd(file: AudioFile, measure: ClipMeasure, note: Note) -> None:
    promised = declared(file.name)
    if promised is not None and promised != measure.container:
        note(f"clips declared {promised} that are {measure.container}")
    if file.from_samples:
        note("clips that came as samples, written as 16-bit FLAC")
