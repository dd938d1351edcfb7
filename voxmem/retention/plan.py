"""What may be removed from a root, found without changing it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from voxmem.errors import InputError, UsageError
from voxmem.keys import short
from voxmem.retention.parts import Part, builds, unneeded
from voxmem.retention.references import mentioned, objects_of
from voxmem.store.blobs import Entry
from voxmem.store.objects import object_name
from voxmem.store.release import Release, load
from voxmem.store.root import Root
from voxmem.store.s3.address import is_bucket

Kind = Literal["part", "object", "document", "note"]
KINDS: tuple[Kind, ...] = ("part", "object", "document", "note")
"""In the order in which they are removed: what says that a build is gone goes after its parts. A
note is of a paid call that was answered."""

DAY_HOURS = 24.0
_BUCKET_HOURS = 1.0
_SUFFIX = ".parquet"
_SHARE = re.compile(r"-\d+-of-\d+$")
"""Where several processes evaluate a run, each leaves a document of its share."""
_DOCUMENTS = ("runs", "timings", "evaluations", "predictions", "imports")


@dataclass(frozen=True)
class Unneeded:
    """One thing that may be removed."""

    kind: Kind
    name: str
    """Relative to the root; of a note, its ledger and key."""
    size: int
    """In bytes."""


@dataclass(frozen=True)
class Plan:
    """Everything that may be removed, in the order in which it is."""

    items: tuple[Unneeded, ...]

    @cached_property
    def key(self) -> str:
        """Another one for another plan."""
        return short("gc", [(each.name, each.size) for each in self.items])

    @property
    def size(self) -> int:
        """Bytes of all."""
        return sum(each.size for each in self.items)

    def of(self, kind: Kind) -> list[Unneeded]:
        """Those of a kind."""
        return [each for each in self.items if each.kind == kind]


def hours_kept(root: Root, asked: float) -> float:
    """The age that protects, in hours. In a bucket, a run whose machine sleeps for a minute is not
    seen to be at work: what it has just made is kept whatever is asked."""
    return max(asked, _BUCKET_HOURS) if is_bucket(root.uri) else asked


def plan(root: Root, *, older_than: float = DAY_HOURS, unpublished: Collection[str] = ()) -> Plan:
    """Finds what no release, build or run needs.

    Args:
        older_than: Hours; what is younger stays, whatever it is: see :func:`hours_kept`.
        unpublished: Builds that will not become a release: what they have left goes too.

    Raises:
        InputError: A release, a part or a document is damaged, or a release has lost its manifest,
            so that it is not known what it refers to.
        UsageError: A build to be given up is not there, or is a release.
    """
    found = _Look(root, older_than, unpublished)
    items = [*found.parts(), *found.objects(), *found.documents(), *found.notes()]
    return Plan(tuple(sorted(items, key=lambda each: (KINDS.index(each.kind), each.name))))


class _Look:
    """One look at a root."""

    def __init__(self, root: Root, older_than: float, unpublished: Collection[str]) -> None:
        self._root, self._seconds = root, older_than * 3600
        self._releases = _releases(root)
        self._parts: dict[Part, Entry] = dict(self._listed_parts())
        self._documents = [
            entry
            for folder in _DOCUMENTS
            for entry in root.blobs.walk(folder)
            if entry.name.endswith(".json")
        ]
        self._said = {entry.name: root.get_json(_stem(entry.name)) for entry in self._documents}
        runs = _releases_of(self._told("runs"))
        self._builds = builds(self._parts, self._releases, runs, given_up=unpublished)
        for build in unpublished:
            if build not in self._builds.gone:
                raise UsageError(
                    "is a release" if build in self._builds.published else "there is no such build",
                    item=build,
                    stage="gc",
                    remedy=f"name one of: {', '.join(sorted(self._builds.working)) or 'none'}",
                )
        read = {
            part for name, said in self._told("imports").items() for part in _parts_of(name, said)
        }
        gone = unneeded(root, self._parts, self._releases, self._builds, read)
        self._gone = {part for part in gone if self._is_old(self._parts[part])}
        self._kept = self._parts.keys() - self._gone
        self._there = {release.release_id for release in self._releases}

    def parts(self) -> Iterator[Unneeded]:
        for part in self._gone:
            yield self._item("part", self._parts[part])

    def objects(self) -> Iterator[Unneeded]:
        needed = objects_of(self._root, self._releases) | mentioned(
            self._root,
            self._kept,
            [entry.name for entry in self._documents],
        )
        names = set(map(object_name, needed))
        for entry in self._root.blobs.walk("objects"):
            if entry.name not in names and self._is_old(entry):
                yield self._item("object", entry)

    def documents(self) -> Iterator[Unneeded]:
        """What is said of builds, releases and runs that are gone."""
        for entry in self._documents:
            folder, _, name = _stem(entry.name).partition("/")
            if self._is_of_nothing(folder, name, self._said[entry.name]) and self._is_old(entry):
                yield self._item("document", entry)

    def _is_of_nothing(self, folder: str, name: str, said: Any) -> bool:
        match folder:
            case "runs" | "imports":  # an import also says what it has read, which goes on
                return isinstance(said, str) and said not in self._there
            case "predictions":
                return name not in self._there
            case "evaluations":
                return ("responses", _SHARE.sub("", name)) not in self._kept
            case _:  # timings
                return name not in self._builds.published | self._builds.working

    def notes(self) -> Iterator[Unneeded]:
        """Notes of paid calls that began and were answered all the same."""
        for ledger in self._root.blobs.names("ledger"):
            answered = self._root.ledger(ledger).answered_intents()
            notes = self._root.blobs.walk(f"ledger/{ledger}/intents") if answered else ()
            # A folder keeps the notes of a key in one file, a bucket in several.
            young = {each.name.split("/")[3] for each in notes if not self._is_old(each)}
            for key in answered:
                if key not in young:
                    yield Unneeded("note", f"{ledger}/{key}", 1)

    def _listed_parts(self) -> Iterator[tuple[Part, Entry]]:
        for entry in self._root.blobs.walk("tables"):
            _, _, rest = entry.name.partition("/")
            table, _, file = rest.partition("/")
            if file.endswith(_SUFFIX) and "/" not in file:
                yield (table, file.removesuffix(_SUFFIX)), entry

    def _told(self, folder: str) -> dict[str, Any]:
        """Name → content of the documents in a folder."""
        return {
            _stem(name).partition("/")[2]: said
            for name, said in self._said.items()
            if name.startswith(f"{folder}/")
        }

    def _is_old(self, entry: Entry) -> bool:
        return entry.age >= self._seconds

    def _item(self, kind: Kind, entry: Entry) -> Unneeded:
        return Unneeded(kind, entry.name, entry.size)


def _releases(root: Root) -> list[Release]:
    """All releases. One that was deleted has left nothing, or an empty folder."""
    listed = root.blobs.names("releases")  # before it is asked which are there: one may come
    there = root.releases()
    for name in sorted(set(listed) - set(there)):
        if root.blobs.names(f"releases/{name}"):
            raise InputError(
                "this release has no manifest to read, so that it is not known what it needs",
                item=f"releases/{name}",
                stage="gc",
                remedy=f"restore {root.blobs.where(root.release_name(name))}, or delete "
                f"{root.blobs.where(f'releases/{name}')} if the release is to go; "
                "nothing was removed",
            )
    return [load(root, name) for name in there]


def _stem(name: str) -> str:
    return name.removesuffix(".json")


def _parts_of(name: str, said: object) -> list[str]:
    """The parts that an import goes on from; none if it is told which release it became."""
    if isinstance(said, str):
        return []
    parts = said.get("parts") if isinstance(said, dict) else None
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise _odd(f"imports/{name}", "what an import has read, or its release")
    return parts


def _releases_of(runs: Mapping[str, Any]) -> Mapping[str, str]:
    for name, said in runs.items():
        if not isinstance(said, str):
            raise _odd(f"runs/{name}", "the release of a build")
    return runs


def _odd(document: str, expected: str) -> InputError:
    return InputError(
        f"this document does not say {expected}, so that it is not known what is needed",
        item=document,
        stage="gc",
        remedy="delete it, and run again the command that writes it; nothing was removed",
    )
