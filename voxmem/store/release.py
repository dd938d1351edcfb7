"""Releases: immutable manifests of content hashes.

Text and plan are hashed apart from the audio, so that one can tell a new rendering of the same
benchmark from another benchmark. No hash depends on a clock or on the order in which workers
finished; the hashes of content do not depend on how rows were split into parts either.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic import JsonValue, ValidationError

from voxmem.errors import InputError, StoreError, UsageError
from voxmem.keys import canonical_json, key
from voxmem.records import Record
from voxmem.store import files
from voxmem.store.blobs import spread
from voxmem.store.root import Root

TEXT_TABLES = frozenset(
    {"plans", "plan_rejections", "sessions", "leak_rejections", "casts", "allocations"}
)
"""The tables written before anything is spoken: what the text-and-plan hash covers."""


class TableContent(Record):
    """What a release holds of one table."""

    parts: tuple[str, ...]
    """Keys of the parts, in ascending order."""
    rows: int
    content: str
    """SHA-256 of the rows as a bag."""


class Release(Record):
    """The manifest of a release."""

    name: str
    tables: dict[str, TableContent]
    text_hash: str
    """Over the contents of the tables of text and plan."""
    audio_hash: str
    """SHA-256 of the sorted list of objects, one a line; the list itself is kept under it."""
    objects: int
    """How many objects the release needs."""
    counts: dict[str, int]
    licences: dict[str, str]
    """What is used → its licence."""
    versions: dict[str, str]
    """Code, engines and models → their versions."""
    config: dict[str, JsonValue]
    seed: int
    manifest_hash: str
    """The key of everything above."""

    @property
    def release_id(self) -> str:
        """Name and hash: another content is another release."""
        return f"{self.name}-{self.manifest_hash[:12]}"


def publish(
    root: Root,
    name: str,
    content: Mapping[str, Iterable[str]],
    *,
    objects: Iterable[str],
    counts: Mapping[str, int],
    licences: Mapping[str, str],
    versions: Mapping[str, str],
    config: Mapping[str, Any],
    seed: int,
    text_tables: Collection[str] = TEXT_TABLES,
) -> Release:
    """Freeze parts and objects as a release. Publishing the same again changes nothing.

    Args:
        content: Table → the keys of its parts.
        objects: The SHA-256 of every object that the release needs.
        text_tables: Which tables the text-and-plan hash covers.

    Raises:
        InputError: a part or an object is missing or damaged: nothing incomplete is published.
        StoreError: the root cannot be written, or another manifest is under this release's id.
    """
    files.checked_name(name, "release")
    listed = sorted(set(objects))
    for sha in root.objects.missing(listed)[:1]:
        raise InputError(
            "the release needs an object that is not in the store",
            item=sha,
            stage="publish",
            remedy="run again the command that makes it",
        )
    tables = {table: _content(root, table, parts) for table, parts in sorted(content.items())}
    text = {table: held.content for table, held in tables.items() if table in text_tables}
    manifest = {
        "name": name,
        "tables": {table: held.model_dump(mode="json") for table, held in tables.items()},
        "text_hash": key("text and plan", text),
        "audio_hash": root.objects.put(_listing(listed)),
        "objects": len(listed),
        "counts": dict(counts),
        "licences": dict(licences),
        "versions": dict(versions),
        "config": json.loads(canonical_json(dict(config))),
        "seed": seed,
    }
    release = Release.model_validate(manifest | {"manifest_hash": key(manifest)})
    _write_once(root, release)
    return release


def load(root: Root, name: str) -> Release:
    """A release by its id, or by its name where only one release has that name.

    Raises:
        UsageError: there is no such release, or the name has several.
        InputError: the manifest was changed since it was published.
    """
    release = _parsed(root, _resolve(root, name))
    if not _intact(release):
        raise InputError(
            "the manifest was changed since it was published",
            item=release.release_id,
            remedy="restore release.json, or delete it and publish again",
        )
    return release


class Examination(Record):
    """What was found when all of a release was read again."""

    problems: tuple[str, ...]
    """What is wrong with its manifest and tables, a line each."""
    damaged: dict[str, str]
    """SHA-256 → what is wrong with that object, a line each."""
    size: int
    """Bytes of its intact objects."""


def verify(root: Root, release: Release) -> list[str]:
    """Everything that is wrong with a release, a line each: see :func:`examine`."""
    found = examine(root, release)
    return [*found.problems, *found.damaged.values()]


def examine(
    root: Root, release: Release, heard: Callable[[int, int], None] = lambda done, total: None
) -> Examination:
    """Reads every part and object of a release from the store itself, not from a cache, and hashes
    them, several at a time.

    Args:
        heard: Called with how many objects were read, and of how many.
    """
    problems = [] if _intact(release) else ["manifest: its hash is not that of its content"]
    for table, held in release.tables.items():
        try:
            found = _content(root, table, held.parts, fresh=True)
        except InputError as error:
            problems.append(str(error))
        else:
            if found != held:
                problems.append(f"{table}: its rows are not those that were published")
    damaged: dict[str, str] = {}
    size, listed = 0, []
    try:
        listed = object_list(root, release)
    except InputError as error:
        damaged[release.audio_hash] = str(error)
    # Reading waits for the disk or the net, and hashing leaves Python's lock alone.
    with ThreadPoolExecutor(max(root.blobs.threads, os.cpu_count() or 1)) as pool:
        each = zip(listed, pool.map(lambda sha: _examined(root, sha), listed), strict=True)
        for done, (sha, (length, problem)) in enumerate(each, start=1):
            size += length
            if problem:
                damaged[sha] = problem
            heard(done, len(listed))
    return Examination(problems=tuple(problems), damaged=damaged, size=size)


def _examined(root: Root, sha: str) -> tuple[int, str]:
    """The size of an object, and what is wrong with it."""
    try:
        return len(root.objects.get(sha, fresh=True)), ""
    except InputError as error:
        return 0, str(error)


def is_complete(root: Root, release: Release) -> bool:
    """Whether every part and object of a release is there, intact or not: a quick look."""
    parts = ((table, part) for table, held in release.tables.items() for part in held.parts)
    return (
        not root.tables.missing(parts)
        and root.objects.exists(release.audio_hash)
        and not root.objects.missing(object_list(root, release))
    )


def object_list(root: Root, release: Release) -> list[str]:
    """The SHA-256 of every object that a release needs, in ascending order."""
    return root.objects.get(release.audio_hash).decode().split()


def _content(root: Root, table: str, parts: Iterable[str], *, fresh: bool = False) -> TableContent:
    from voxmem.store import parquet

    listed = sorted(set(parts))
    loaded = spread(root.blobs, lambda part: root.tables.load(table, part, fresh=fresh), listed)
    rows = [row for part in loaded for row in part.rows]
    return TableContent(parts=tuple(listed), rows=len(rows), content=parquet.digest(rows))


def _listing(shas: Sequence[str]) -> bytes:
    return "".join(f"{sha}\n" for sha in shas).encode()


def _intact(release: Release) -> bool:
    manifest = release.model_dump(mode="json", exclude={"manifest_hash"})
    return key(manifest) == release.manifest_hash


def _write_once(root: Root, release: Release) -> None:
    name = root.release_name(release.release_id)
    plain = release.model_dump(mode="json")
    data = f"{json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False)}\n".encode()
    if root.blobs.create(name, data) != data:
        raise StoreError(
            "another manifest is under this release's id, and releases are never changed",
            item=release.release_id,
            stage="publish",
            remedy=f"delete {root.blobs.where(name.rpartition('/')[0])} to publish it again",
        )


def _resolve(root: Root, name: str) -> str:
    ids = root.releases()
    if name in ids:
        return name
    found = [release_id for release_id in ids if release_id.rpartition("-")[0] == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"{len(found)} releases are called {name!r}", remedy=f"name one: {', '.join(found)}"
        )
    raise UsageError(
        f"there is no release {name!r} in {root.uri}",
        remedy=f"there are: {', '.join(ids)}" if ids else "build one first: voxmem build",
    )


def _parsed(root: Root, release_id: str) -> Release:
    name = root.release_name(release_id)
    try:
        return Release.model_validate_json(root.blobs.read(name) or b"")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InputError(
            f"the manifest cannot be read: {first['msg']}",
            item=release_id,
            remedy=f"restore {root.blobs.where(name)}, or delete it and publish again",
        ) from error
