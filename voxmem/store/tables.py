"""Tables as Parquet parts, each written whole under the key of its content.

A part is never changed: another content has another key. Parts are the record of truth; what
else there is (DuckDB views, reports) is read from them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from voxmem.errors import CorruptTable, InputError, UsageError
from voxmem.records import Record
from voxmem.store import files
from voxmem.store.blobs import Blobs, spread
from voxmem.store.columns import Kind, column_kinds
from voxmem.store.folder import FolderBlobs

if TYPE_CHECKING:
    from voxmem.store.parquet import Part

R = TypeVar("R", bound=Record)
_SUFFIX = ".parquet"
_AGAIN = "the command that wrote it writes it again"
_FOLDER = "use a root that is a folder"

# The Parquet library takes longer to import than all of voxmem: functions import it when used.


class Tables:
    """The parts ``tables/<table>/<part key>.parquet`` of a root."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def write(self, table: str, part: str, rows: Sequence[R], model: type[R]) -> None:
        """Write one part whole, in one step, durably. Writing it again heals it.

        Raises:
            InputError: a row is no ``model``, or holds what a column cannot.
            StoreError: the root cannot be written.
        """
        from voxmem.store import parquet

        name = self._name(table, part)
        try:
            data = parquet.encode(model, rows)
        except InputError as error:
            raise InputError(error.message, item=f"{table}/{part}") from error
        self._blobs.write(name, data)

    def has(self, table: str, part: str) -> bool:
        """Whether the part is there. Its content is verified when it is read."""
        return self._blobs.size(self._name(table, part)) is not None

    def remove(self, table: str, part: str) -> None:
        """Removes a part that another one has replaced; nothing happens if there is none."""
        self._blobs.remove(self._name(table, part))

    def missing(self, parts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those (table, part) that are not there: quicker than to ask for each."""
        wanted = list(parts)
        there = self._blobs.sizes(self._name(*part) for part in wanted)
        return [part for part in wanted if self._name(*part) not in there]

    def names(self) -> list[str]:
        """The tables that have parts, in ascending order."""
        return [name for name in self._blobs.names("tables") if self.parts(name)]

    def parts(self, table: str) -> list[str]:
        """The keys of a table's parts, in ascending order; none if there is no such table."""
        names = self._blobs.names(f"tables/{files.checked_name(table, 'table')}")
        return [name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)]

    def read(self, table: str, model: type[R], parts: Iterable[str] | None = None) -> list[R]:
        """The rows of the named parts (of all parts, by ascending key), in the order written.

        A field that the model has gained since is given its default.

        Raises:
            CorruptTable: a part is cut or damaged; the error names its file.
            InputError: there is no such part, or another record model wrote it: the error
                names the fields that differ.
        """
        rows: list[R] = []
        listed = list(self.parts(table) if parts is None else parts)
        contents = spread(self._blobs, lambda part: self.load(table, part), listed)
        for part, content in zip(listed, contents, strict=True):
            self._check_model(content, model, table, part)
            rows += self._validated(content, model, table, part)
        return rows

    def load(self, table: str, part: str, *, fresh: bool = False) -> Part:
        """One part, verified against its own digest but against no model.

        Args:
            fresh: Whether it must come from the store itself, not from a cache of it.

        Raises:
            CorruptTable: the part is cut or damaged.
            InputError: there is no such part.
        """
        from voxmem.store import parquet

        try:
            return parquet.decode(self._bytes(table, part, fresh=fresh))
        except parquet.UnreadablePartError as error:
            raise self._corrupt(table, part, error) from error

    def columns(self, table: str, part: str, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Of every row of a part the named fields alone, unverified: for a decision about many
        rows, after which those that matter are read.

        Raises:
            CorruptTable: the part is cut or damaged so that it shows, or lacks a field.
            InputError: there is no such part.
        """
        from voxmem.store import parquet

        try:
            return parquet.columns(self._bytes(table, part), names)
        except parquet.UnreadablePartError as error:
            raise self._corrupt(table, part, error) from error

    def head(self, table: str, part: str) -> tuple[str, dict[str, Kind]]:
        """The record name and column kinds of one part; its rows are not read.

        Raises:
            CorruptTable: the part's footer is cut or damaged.
            InputError: there is no such part.
        """
        from voxmem.store import parquet

        try:
            return parquet.head(self._bytes(table, part))
        except parquet.UnreadablePartError as error:
            raise self._corrupt(table, part, error) from error

    def heads(self, table: str, parts: Iterable[str]) -> list[tuple[str, dict[str, Kind]]]:
        """The :meth:`head` of each part, in their order."""
        return list(spread(self._blobs, lambda part: self.head(table, part), parts))

    def fingerprint(self, table: str, part: str) -> str | None:
        """The SHA-256 of a part's file, another one for other rows; ``None``: no such part."""
        data = self._blobs.read(self._name(table, part))
        return None if data is None else hashlib.sha256(data).hexdigest()

    def path(self, table: str, part: str) -> Path:
        """The file of a part in a folder, whether or not it is there.

        Raises:
            UsageError: the root is in a bucket; :meth:`local` gives a copy.
        """
        name = self._name(table, part)
        if not isinstance(self._blobs, FolderBlobs):
            raise UsageError(
                "a part in a bucket has no path", item=self._blobs.where(name), remedy=_FOLDER
            )
        return self._blobs.path(name)

    def local(self, table: str, part: str) -> Path:
        """A file of this machine with the part, unverified. Not to be written to.

        Raises:
            InputError: there is no such part.
        """
        path = self._blobs.local(self._name(table, part))
        if path is None:
            raise self._absent(table, part)
        return path

    def locals(self, parts: Iterable[tuple[str, str]]) -> Iterator[Path]:
        """The file of each (table, part), in their order; see :meth:`local`."""
        return spread(self._blobs, lambda part: self.local(*part), parts)

    def where(self, table: str, part: str) -> str:
        """What a person would delete: the path of a part, or its address."""
        return self._blobs.where(self._name(table, part))

    def _name(self, table: str, part: str) -> str:
        name = files.checked_name(part, "part") + _SUFFIX
        return f"tables/{files.checked_name(table, 'table')}/{name}"

    def _bytes(self, table: str, part: str, *, fresh: bool = False) -> bytes:
        data = self._blobs.read(self._name(table, part), fresh=fresh)
        if data is None:
            raise self._absent(table, part)
        return data

    def _absent(self, table: str, part: str) -> InputError:
        return InputError(
            "there is no such part in the store",
            item=f"{table}/{part}",
            remedy="run again the command that computes it",
        )

    def _corrupt(self, table: str, part: str, error: Exception) -> CorruptTable:
        return CorruptTable(
            f"this part cannot be read: {error}",
            item=f"{table}/{part}",
            remedy=f"delete {self.where(table, part)}; {_AGAIN}",
        )

    def _check_model(self, content: Part, model: type[Record], table: str, part: str) -> None:
        expected = column_kinds(model)
        required = {name for name, field in model.model_fields.items() if field.is_required()}
        differences = {
            "not in the part": sorted(required - content.kinds.keys()),
            f"not in {model.__name__}": sorted(content.kinds.keys() - expected.keys()),
            "of another type": sorted(
                name for name, kind in content.kinds.items() if expected.get(name, kind) != kind
            ),
        }
        named = [f"{what}: {', '.join(names)}" for what, names in differences.items() if names]
        if named or content.record != model.__name__:
            raise self._other_model(
                f"written as {content.record}, read as {model.__name__}"
                + "".join(f"; {difference}" for difference in named),
                table,
                part,
            )

    def _validated(self, content: Part, model: type[R], table: str, part: str) -> list[R]:
        rows: list[R] = []
        try:
            rows.extend(map(model.model_validate_json, content.rows))
        except ValidationError as error:
            # The part's digest holds, so it is the model that is another than the writer's.
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the row"
            raise self._other_model(
                f"row {len(rows) + 1} is no {model.__name__} of this version: "
                f"{where}: {first['msg']}",
                table,
                part,
            ) from error
        return rows

    def _other_model(self, message: str, table: str, part: str) -> InputError:
        return InputError(
            message,
            item=f"{table}/{part}",
            remedy="read it with the version that wrote it, or delete "
            f"{self.where(table, part)}; {_AGAIN}",
        )
