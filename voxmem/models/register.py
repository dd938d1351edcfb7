"""Adds a model to the catalogue of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent
from typing import Any

import yaml

from voxmem.errors import InputError, UsageError
from voxmem.handwritten import load_yaml
from voxmem.models.catalogue import VARIABLE, decoded, parse, place_of, read, shipped, usable
from voxmem.models.entry import ModelEntry

_WAIT_SECONDS = 10.0
"""For another process that adds to the same catalogue."""


def register(text: str, source: str, place: str | None, *, replace: bool = False) -> ModelEntry:
    """Adds one entry to the catalogue of ``$VOXMEM_MODELS``, which is replaced as a whole.

    Where entries are only added, what else is in the file, such as comments, is kept. The catalogue
    that ships is never written.

    Args:
        text: One entry, as YAML or JSON; or a catalogue with one entry.
        source: Where it was read, for errors.
        place: The catalogue: a path, or an address in a bucket. It need not exist.
        replace: Whether it may take the place of an entry of its name.

    Raises:
        UsageError: No catalogue is named, or the name is taken.
        InputError: The entry, or the catalogue, is not what it should be; nothing is written.
        StoreError: The catalogue cannot be written.
    """
    if not place:
        raise UsageError(
            "there is no catalogue to add it to: the one that ships is not written",
            stage="models",
            remedy=f"name a file, or s3://bucket/models.yaml, in ${VARIABLE}",
        )
    raw = _one(text, source)
    [entry] = usable(parse(yaml.safe_dump({"models": [raw]}), source), source).values()
    root, name = place_of(place)
    with root.locked("models", item=place, stage="models", wait=_WAIT_SECONDS):
        old = decoded(root.blobs.read(name) or b"", place)
        known = usable(parse(old, place), place) if old else {}
        if entry.name in {**read(shipped()), **known} and not replace:
            raise UsageError(
                "the catalogue has a model of this name",
                item=entry.name,
                stage="models",
                remedy="choose another name, or give --replace",
            )
        root.blobs.write(name, _with(old, raw, known, entry).encode())
    return entry


def _with(old: str, raw: Any, known: Mapping[str, ModelEntry], entry: ModelEntry) -> str:
    """The catalogue's text with one more entry, or another one in the place of its namesake."""
    wanted = {**known, entry.name: entry}
    added = [] if entry.name in known or not old else [_appended(old, raw, by) for by in ("  ", "")]
    data = load_yaml(old) if old else {"models": []}
    data["models"] = [each for each in data["models"] if each["name"] != entry.name] + [raw]
    whole: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return next(text for text in (*added, whole) if _reads(text) == wanted)


def _appended(old: str, raw: Any, by: str) -> str:
    one = yaml.safe_dump([raw], sort_keys=False, allow_unicode=True)
    return f"{old.rstrip()}\n\n{indent(one, by)}"


def _reads(text: str) -> dict[str, ModelEntry] | None:
    try:
        return parse(text, "")
    except InputError:
        return None


def _one(text: str, source: str) -> Any:
    try:
        raw = load_yaml(text)
    except ValueError as error:
        raise InputError(
            f"cannot be read: {' '.join(str(error).split())[:200]}", item=source, stage="models"
        ) from None
    listed = raw.get("models") if isinstance(raw, Mapping) else raw
    if isinstance(listed, list):
        if len(listed) != 1:
            raise InputError(
                f"has {len(listed)} entries", item=source, stage="models", remedy="register one"
            )
        return listed[0]
    return raw
