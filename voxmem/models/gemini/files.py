"""Which clips the Files API has, remembered across items and runs until it drops them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from voxmem.errors import StoreError
from voxmem.keys import short
from voxmem.records import Record

MARGIN = 3600.0
"""Seconds before its end from which a file is taken to be gone: longer than any item takes."""


class ServiceFile(Record):
    """One clip that the service has, ready for use."""

    sha256: str
    """Of its bytes."""
    name: str
    """As the service calls it ("files/abc")."""
    uri: str
    mime_type: str
    expires: float
    """Unix seconds."""


class ServiceFiles:
    """What was uploaded to one address.

    Args:
        folder: Where it is written down, a line a file; made if need be. ``None``: it is not.
        address: Of the service: another one has other files.
        clock: Unix seconds; replaced in tests.

    Raises:
        StoreError: The folder cannot be read or written.
    """

    def __init__(
        self, folder: Path | None, *, address: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._clock = clock
        self._path = folder and folder.expanduser() / f"gemini-{short(address)}.jsonl"
        self._known: dict[str, ServiceFile] = {}
        if self._path:
            self._load(self._path)

    def get(self, sha256: str) -> ServiceFile | None:
        """The file of a clip, unless it is about to expire."""
        file = self._known.get(sha256)
        return file if file and self._lives(file) else None

    def put(self, file: ServiceFile) -> None:
        """Remembers a file, in place of an earlier one of the same clip.

        Raises:
            StoreError: It cannot be written down.
        """
        self._known[file.sha256] = file
        if self._path:
            self._write(self._path, "ab", [file])

    def forget(self, file: ServiceFile) -> None:
        """Of a file that the service has dropped."""
        if self._known.get(file.sha256) == file:
            del self._known[file.sha256]

    def _lives(self, file: ServiceFile) -> bool:
        return self._clock() < file.expires - MARGIN

    def _load(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise _unusable(path, error) from None
        lines = text.split()  # a file's line holds no blank
        read = [file for line in lines for file in _read(line)]
        self._known = {file.sha256: file for file in read if self._lives(file)}
        if len(self._known) < len(lines):
            # Another process that adds a line just now loses it: it costs one more upload.
            fresh = path.with_suffix(f".{os.getpid()}")
            self._write(fresh, "wb", list(self._known.values()))
            fresh.replace(path)

    def _write(self, path: Path, mode: str, files: list[ServiceFile]) -> None:
        try:
            with path.open(mode) as out:
                # One write: lines of several processes do not mix. Each begins with a line feed,
                # so that one that a killed process left half does not spoil it.
                out.write(b"".join(b"\n" + file.model_dump_json().encode() for file in files))
        except OSError as error:
            raise _unusable(path, error) from None


def _read(line: bytes) -> list[ServiceFile]:
    try:
        return [ServiceFile.model_validate_json(line)]
    except ValidationError:
        return []


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"the list of uploaded clips cannot be kept ({error.strerror})",
        item=str(path),
        stage="evaluate",
        remedy="correct files_folder of the model's entry, or free space",
    )
