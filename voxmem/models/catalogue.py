"""The catalogue of models: ``deployments/models.yaml``, or a file of one's own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from voxmem.errors import InputError, UsageError
from voxmem.keys import canonical_json
from voxmem.models.entry import ModelEntry

VARIABLE = "VOXMEM_MODELS"
"""Environment variable with the path of another catalogue, added to the one that ships."""


def catalogue() -> dict[str, ModelEntry]:
    """Name → entry: those that ship with voxmem, then those of ``$VOXMEM_MODELS``, which replace
    entries of the same name.

    Raises:
        UsageError: The file of ``$VOXMEM_MODELS`` does not exist.
        InputError: A file cannot be read, or an entry lacks a field or has a wrong one: file,
            entry and field are named.
    """
    own = os.environ.get(VARIABLE)
    return {**read(shipped()), **(read(Path(own)) if own else {})}


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


def read(file: Path) -> dict[str, ModelEntry]:
    """The entries of one file. See :func:`catalogue` for errors."""
    try:
        changed = file.stat().st_mtime_ns
    except OSError as error:
        raise UsageError(
            f"there is no catalogue of models ({error.strerror})",
            item=str(file),
            stage="models",
            remedy=f"correct ${VARIABLE}, or unset it",
        ) from None
    return _read(file, changed)


@lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> dict[str, ModelEntry]:
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise _unusable(file, f"cannot be read: {' '.join(str(error).split())[:200]}") from None
    listed = data.get("models") if isinstance(data, Mapping) else None
    if not isinstance(listed, list):
        raise _unusable(file, "has no list `models`")
    found: dict[str, ModelEntry] = {}
    for number, raw in enumerate(listed, start=1):
        entry = _entry(raw, number, file)
        if entry.name in found:
            raise _unusable(file, f"entry {number}: the name {entry.name!r} is taken")
        found[entry.name] = entry
    return found


def _entry(raw: Any, number: int, file: Path) -> ModelEntry:
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
        raise _unusable(file, f"entry {number} ({name}): {said}") from None
    except ValueError:
        name = str(raw.get("name"))
        raise _unusable(file, f"entry {number} ({name}): a number is not finite") from None


def _unusable(file: Path, what: str) -> InputError:
    return InputError(what, item=str(file), stage="models", remedy="correct the catalogue")
