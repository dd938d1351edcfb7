"""Tables as Parquet parts, each written whole under the key of its content.

A part is never changed: another content has another key. Parts are the record of truth; what
else there is (DuckDB views, reports) is read from them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from voxmem.errors import CorruptTable, InputError
from voxmem.records import Record
from voxmem.store import files
from voxmem.store.columns import Kind, column_kinds

if TYPE_CHECKING:
    from voxmem.store.parquet import Part

R = TypeVar("R", bound=Record)
_SUFFIX = ".parquet"
_AGAIN = "the command that wrote it writes it again"

# The Parquet library takes longer to import than all of voxmem: functions import it when used.


class Tables:
    """The folder ``tables/<table>/<part key>.parquet`` of a root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = root / "tables"

    def write(self, table: str, part: str, rows: Sequence[R], model: type[R]) -> None:
        """Write one part whole, in one step, waiting for the disk. Writing it again heals it.

        Raises:
            InputError: a row is no ``model``, or holds what a column cannot.
            StoreError: the root cannot be written.
        """
        from voxmem.store import parquet

        path = self.path(table, part)
        try:
            data = parquet.encode(model, rows)
        except InputError as error:
            raise InputError(error.message, item=f"{table}/{part}") from error
        files.write_whole(self._root, path, data, durable=True)

    def has(self, table: str, part: str) -> bool:
        """Whether the part is there. Its content is verified when it is read."""
        return files.is_file(self.path(table, part))

    def names(self) -> list[str]:
        """The tables that have parts, in ascending order."""
        return [name for name in files.folder_names(self._folder) if self.parts(name)]

    def parts(self, table: str) -> list[str]:
        """The keys of a table's parts, in ascending order; none if there is no such table."""
        folder = self._folder / files.checked_name(table, "table")
        names = files.folder_names(folder)
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
        for part in self.parts(table) if parts is None else parts:
            content = self.load(table, part)
            self._check_model(content, model, table, part)
            rows += self._validated(content, model, table, part)
        return rows

    def load(self, table: str, part: str) -> Part:
        """One part, verified against its own digest but against no model.

        Raises:
            CorruptTable: the part is cut or damaged.
            InputError: there is no such part.
        """
        from voxmem.store import parquet

        try:
            return parquet.decode(self._bytes(table, part))
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

    def fingerprint(self, table: str, part: str) -> str | None:
        """The SHA-256 of a part's file, another one for other rows; ``None``: no such part."""
        data = files.read_or_none(self.path(table, part))
        return None if data is None else hashlib.sha256(data).hexdigest()

    def path(self, table: str, part: str) -> Path:
        """The file of a part, whether or not it is there."""
        name = files.checked_name(part, "part") + _SUFFIX
        return self._folder / files.checked_name(table, "table") / name

    def _bytes(self, table: str, part: str) -> bytes:
        data = files.read_or_none(self.path(table, part))
        if data is None:
            raise InputError(
                "there is no such part in the store",
                item=f"{table}/{part}",
                remedy="run again the command that computes it",
            )
        return data

    def _corrupt(self, table: str, part: str, error: Exception) -> CorruptTable:
        return CorruptTable(
            f"this part cannot be read: {error}",
            item=f"{table}/{part}",
            remedy=f"delete {self.path(table, part)}; {_AGAIN}",
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
            f"{self.path(table, part)}; {_AGAIN}",
        )
