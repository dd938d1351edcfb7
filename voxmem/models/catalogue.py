"""The catalogue of models: ``deployments/models.yaml``, and a file of one's own, here or in a
bucket."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from voxmem.errors import InputError, UsageError
from voxmem.handwritten import load_yaml
from voxmem.keys import canonical_json
from voxmem.models.backend import open_entry
from voxmem.models.entry import ModelEntry

if TYPE_CHECKING:
    from voxmem.store.root import Root

VARIABLE = "VOXMEM_MODELS"
"""Environment variable with another catalogue, added to the one that ships: a path, or the
``s3://bucket/name`` of a file that all workers see."""
BUCKET = "s3://"


def catalogue() -> dict[str, ModelEntry]:
    """Name → entry: those that ship with voxmem, then those of ``$VOXMEM_MODELS``, which replace
    entries of the same name.

    Raises:
        UsageError: ``$VOXMEM_MODELS`` names no regular file, and none in a bucket.
        InputError: A file cannot be read, or an entry lacks a field or has a wrong one, or a
            setting that its backend does not take: file, entry and field are named, not its value.
        StoreError: Its bucket cannot be reached.
    """
    own = os.environ.get(VARIABLE)
    return {**read(shipped()), **(read_at(own) if own else {})}


def entry_of(system: str) -> ModelEntry | None:
    """The entry of the model behind a system, also of one that is called ``NAME@MODEL``."""
    return catalogue().get(system.rpartition("@")[2])


def shipped() -> Path:
    """The catalogue of this installation."""
    inside = Path(str(files("voxmem"))) / "models.yaml"  # in a wheel
    return (
        inside
        if inside.is_file()
        else Path(str(files("voxmem"))).parent / "deployments/models.yaml"
    )


def read_at(place: str) -> dict[str, ModelEntry]:
    """The entries of a file of one's own, here or in a bucket. See :func:`catalogue` for errors."""
    _check_address(place)
    if place.startswith(BUCKET):
        return _read_bucket(place)
    file = Path(place).expanduser()
    return _read_own(file, _changed(file))


def read(file: Path) -> dict[str, ModelEntry]:
    """The entries of one file, their settings unseen: tests open those that ship. See
    :func:`catalogue` for errors."""
    return _read(file, _changed(file))


def parse(text: str, place: str) -> dict[str, ModelEntry]:
    """The entries of a catalogue's text.

    Args:
        place: Where it was read, for errors.

    Raises:
        InputError: See :func:`catalogue`.
    """
    try:
        data = load_yaml(text)
    except ValueError as error:
        raise _unreadable(place, error) from None
    listed = data.get("models") if isinstance(data, Mapping) else None
    if not isinstance(listed, list):
        raise _unusable(place, "has no list `models`")
    found: dict[str, ModelEntry] = {}
    for number, raw in enumerate(listed, start=1):
        entry = _entry(raw, number, place)
        if entry.name in found:
            raise _unusable(place, f"entry {number}: the name {entry.name!r} is taken")
        found[entry.name] = entry
    return found


def usable(entries: dict[str, ModelEntry], place: str) -> dict[str, ModelEntry]:
    """The same entries, each with settings that its backend takes.

    Raises:
        InputError: One has others. It is named with the setting, which may be a key: its value is
            not.
    """
    for number, entry in enumerate(entries.values(), start=1):
        try:
            open_entry(entry)
        except UsageError as error:
            said = f"entry {number} ({entry.name}): {error.message}"
            raise _unusable(place, said, error.remedy) from None
    return entries


def decoded(data: bytes, place: str) -> str:
    """The text of a catalogue's bytes; :class:`InputError` if they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _unreadable(place, error) from None


def place_of(place: str) -> tuple[Root, str]:
    """The folder or bucket of a catalogue, and its name there. A link is followed.

    Raises:
        UsageError: It names no file.
    """
    from voxmem.store.root import open_root

    _check_address(place)
    if not place.startswith(BUCKET):
        file = Path(os.path.realpath(Path(place).expanduser()))
        if os.path.exists(file):
            _changed(file)
        return open_root(file.parent), file.name
    folder, _, name = place.rpartition("/")
    return open_root(folder), name


def _check_address(place: str) -> None:
    """Asserts that it is a path, or names a file in a bucket. It is not repeated: other addresses
    may hold a login."""
    is_address = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", place)
    if is_address and not re.fullmatch(r"s3://[^/@]+/(.*/)?[^/]+", place):
        why = "a catalogue is a file, or in a bucket, such as s3://bucket/models.yaml"
        raise _missing(f"${VARIABLE}", why)


def _changed(file: Path) -> int:
    """When a file was written last, in nanoseconds; :class:`UsageError` if it is none."""
    try:
        found = file.stat()
    except OSError as error:
        raise _missing(str(file), str(error.strerror)) from None
    if not stat.S_ISREG(found.st_mode):  # who reads a pipe waits for somebody to write
        raise _missing(str(file), "it is no regular file")
    return found.st_mtime_ns


@lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> dict[str, ModelEntry]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(str(file), error) from None
    return parse(text, str(file))


@lru_cache(maxsize=4)
def _read_own(file: Path, changed: int) -> dict[str, ModelEntry]:
    return usable(_read(file, changed), str(file))


@lru_cache(maxsize=4)
def _read_bucket(place: str) -> dict[str, ModelEntry]:
    """Once a process: a run does not change its models under way, and each look is a request."""
    root, name = place_of(place)
    data = root.blobs.read(name)
    if data is None:
        raise _missing(place, "no such file in the bucket")
    return usable(parse(decoded(data, place), place), place)


def _entry(raw: Any, number: int, place: str) -> ModelEntry:
    try:
        entry = ModelEntry.model_validate(raw)
        canonical_json(entry)  # its content is part of keys: infinity cannot be
        return entry
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        name = raw.get("name", "without a name") if isinstance(raw, Mapping) else "no mapping"
        what = first["msg"].removeprefix("Value error, ")
        said = f"{where}: {what}" if where else what
        raise _unusable(place, f"entry {number} ({name}): {said}") from None
    except ValueError:
        name = str(raw.get("name"))
        raise _unusable(place, f"entry {number} ({name}): a number is not finite") from None


def _missing(place: str, why: str) -> UsageError:
    return UsageError(
        f"there is no catalogue of models ({why})",
        item=place,
        stage="models",
        remedy=f"correct ${VARIABLE}, or unset it",
    )


def _unreadable(place: str, error: Exception) -> InputError:
    return _unusable(place, f"cannot be read: {' '.join(str(error).split())[:200]}")


def _unusable(place: str, what: str, remedy: str | None = None) -> InputError:
    return InputError(what, item=place, stage="models", remedy=remedy or "correct the catalogue")
