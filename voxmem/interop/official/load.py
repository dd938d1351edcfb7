"""``voxmem import official``: rows of the published layout into a root, as items and recordings.

A unit (a file) is read once: its items are parts of a table, and a small document says that it is
done. An import that is killed goes on at the unit it was at, and stores nothing again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from voxmem.errors import InputError
from voxmem.interop.official.clips import ClipShelf
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.records import ClipMeasure, ImportNote, Rejection
from voxmem.interop.official.rows import parsed
from voxmem.interop.official.unit import Unit
from voxmem.keys import key, short
from voxmem.records import Record
from voxmem.store.root import Root

TABLE = "official_rows"
_REVISION = 1
"""Raise it when the same rows are read as other items."""
_BATCH = 64
"""Items of one part: a benchmark's million placed turns do not fit in memory at once."""


class UnitDone(Record):
    """What reading one unit left."""

    rows: int
    parts: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    """Item id and the key of its content, of every item in the parts."""
    rejections: tuple[Rejection, ...]
    notes: tuple[ImportNote, ...]
    audio: tuple[str, ...]
    """The SHA-256 of every clip, each once."""
    clips: int
    """In the rows, however often the same one comes."""
    bytes_in: int

    def is_there(self, root: Root, shelf: ClipShelf) -> bool:
        """Whether all that it left is still in the root."""
        return all(root.tables.has(TABLE, part) for part in self.parts) and all(
            sha in shelf.measures and root.objects.exists(sha) for sha in self.audio
        )


@dataclass(frozen=True)
class Imported:
    """What an import left in a root: parts of the table ``official_rows``, and what it saw."""

    parts: tuple[str, ...]
    ids: frozenset[str]
    """Of the items that are kept."""
    rejections: tuple[Rejection, ...]
    notes: tuple[ImportNote, ...]
    rows: int
    clips: int
    bytes_in: int
    measures: dict[str, ClipMeasure]
    """By SHA-256; of every recording in the root."""

    @property
    def items(self) -> int:
        return len(self.ids)


def import_units(
    root: Root,
    units: Sequence[Unit],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Imported:
    """Keeps the items of units as parts of a table, their audio as objects.

    A row that is wrong leaves out its item, with a reason. An item that several units hold, as the
    published configs do, is kept once; of two that differ under one id neither is.

    Raises:
        InputError: A unit is damaged or lacks a column, or no row is an item.
        StoreError: The root cannot be written.
    """
    shelf = ClipShelf(root)
    done: list[UnitDone] = []
    for unit in units:
        done.append(_read_once(root, unit, shelf))
        progress(len(done), len(units))
    imported = _joined(done, shelf.measures)
    if not imported.rows:
        raise InputError("the Parquet files have no rows", item=_names(units), stage="import")
    if not imported.ids:
        first = imported.rejections[0]
        raise InputError(
            f"none of {imported.rows} rows is an item; {first.item}: {first.reason}",
            item=_names(units),
            stage="import",
            remedy="give Parquet files of the published layout",
        )
    return imported


def imported_items(root: Root, imported: Imported) -> Iterator[OfficialItem]:
    """The items of an import, each once, a part at a time."""
    left = set(imported.ids)
    for part in imported.parts:
        for item in root.tables.read(TABLE, OfficialItem, [part]):
            if item.item_id in left:
                left.remove(item.item_id)
                yield item


def _names(units: Sequence[Unit]) -> str:
    return ", ".join(unit.name for unit in units[:3]) + (", …" if len(units) > 3 else "")


def _read_once(root: Root, unit: Unit, shelf: ClipShelf) -> UnitDone:
    if unit.identity is None:
        return _read(root, unit, shelf)
    document = f"imports/{short('unit', _REVISION, unit.identity, digits=20)}"
    kept = root.get_json(document)
    if kept is not None:
        done = UnitDone.model_validate(kept)
        if done.is_there(root, shelf):
            return done
    shelf.is_steady = True
    done = _read(root, unit, shelf)
    if shelf.is_steady:
        root.put_json(document, done)
    return done


def _read(root: Root, unit: Unit, shelf: ClipShelf) -> UnitDone:
    reader = _Reader(unit, shelf)
    clips, size = shelf.seen, shelf.bytes_in
    parts: list[str] = []
    keys: list[tuple[str, str]] = []
    audio: dict[str, None] = {}
    items = reader.items()
    while batch := list(islice(items, _BATCH)):
        contents = [key(item) for item in batch]
        part = short("official", contents, digits=20)
        shelf.save()
        root.tables.write(TABLE, part, batch, OfficialItem)
        parts.append(part)
        keys += zip((item.item_id for item in batch), contents, strict=True)
        audio |= dict.fromkeys(sha for item in batch for sha in item.audio)
    shelf.save()
    return UnitDone(
        rows=reader.rows,
        parts=tuple(parts),
        items=tuple(keys),
        rejections=tuple(reader.rejections),
        notes=reader.noted(),
        audio=tuple(audio),
        clips=shelf.seen - clips,
        bytes_in=shelf.bytes_in - size,
    )


class _Reader:
    """The items of one unit, and what was odd about its rows."""

    def __init__(self, unit: Unit, shelf: ClipShelf) -> None:
        self._unit, self._shelf = unit, shelf
        self.rows = 0
        self.rejections: list[Rejection] = []
        self._notes = Counter[str]()
        self._first: dict[str, str] = {}

    def items(self) -> Iterator[OfficialItem]:
        for row in self._unit.rows():
            self.rows += 1
            where = f"{self._unit.name} row {self.rows}"
            name = str(row.get("item_id") or where)

            def note(what: str, name: str = name) -> None:
                self._notes[what] += 1
                self._first.setdefault(what, name)

            def keep(value: object, note: Callable[[str], None] = note) -> str | None:
                return self._shelf.keep(value, self._unit.folder, note)

            try:
                yield parsed(row, where, keep, note)
            except InputError as error:
                self.rejections.append(Rejection(item=name, stage="read", reason=error.message))

    def noted(self) -> tuple[ImportNote, ...]:
        return tuple(
            ImportNote(note=what, count=count, first=self._first[what])
            for what, count in sorted(self._notes.items())
        )


def _joined(done: Sequence[UnitDone], measures: dict[str, ClipMeasure]) -> Imported:
    contents: dict[str, set[str]] = {}
    for name, content in chain.from_iterable(unit.items for unit in done):
        contents.setdefault(name, set()).add(content)
    rejections = dict.fromkeys(chain.from_iterable(unit.rejections for unit in done))
    for name, different in contents.items():
        if len(different) > 1:
            reason = f"{len(different)} different items share this id: none of them is kept"
            rejections[Rejection(item=name, stage="unite", reason=reason)] = None
    return Imported(
        parts=tuple(dict.fromkeys(chain.from_iterable(unit.parts for unit in done))),
        ids=frozenset(contents.keys() - {rejection.item for rejection in rejections}),
        rejections=tuple(rejections),
        notes=tuple(_added(chain.from_iterable(unit.notes for unit in done))),
        rows=sum(unit.rows for unit in done),
        clips=sum(unit.clips for unit in done),
        bytes_in=sum(unit.bytes_in for unit in done),
        measures=measures,
    )


def _added(notes: Iterator[ImportNote]) -> Iterator[ImportNote]:
    found: dict[str, ImportNote] = {}
    for note in notes:
        before = found.get(note.note)
        count = note.count + (before.count if before else 0)
        found[note.note] = (before or note).model_copy(update={"count": count})
    yield from found.values()
