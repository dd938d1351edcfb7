"""Which objects are referred to: every SHA-256 that a kept row or document holds, in any field.

No list of columns can be forgotten this way: a new table that names objects keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from voxmem.store.blobs import spread
from voxmem.store.release import Release, object_list
from voxmem.store.root import Root

_SHA256 = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_WEAK = frozenset({"clip_measures"})
"""Tables that tell of objects without needing them: what was measured of any recording."""


def objects_of(root: Root, releases: Iterable[Release]) -> set[str]:
    """The objects that releases need, their lists of objects too.

    Raises:
        InputError: A list is missing or damaged.
    """
    found: set[str] = set()
    for release in releases:
        found.add(release.audio_hash)
        found.update(object_list(root, release))
    return found


def mentioned(root: Root, parts: Iterable[tuple[str, str]], documents: Iterable[str]) -> set[str]:
    """Every SHA-256 in the rows of parts and in documents.

    Args:
        parts: Table and key of each.
        documents: Names, with their suffix.

    Raises:
        CorruptTable: A part is damaged: what it refers to is not known.
    """
    strong = [part for part in parts if part[0] not in _WEAK]
    found: set[str] = set()
    for text in _rows(root, strong):
        found.update(_SHA256.findall(text))
    for data in spread(root.blobs, root.blobs.read, documents):
        found.update(_SHA256.findall((data or b"").decode(errors="replace")))
    return found


def _rows(root: Root, parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    for part in spread(root.blobs, lambda name: root.tables.load(*name), parts):
        yield from part.rows
