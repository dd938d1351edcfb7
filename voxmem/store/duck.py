"""SQL over the tables: DuckDB in memory, one view for each table. It can only read.

The views are data sets handed to DuckDB, and DuckDB itself has no access to files: no statement
can change a part, and a root in a bucket needs no extension of DuckDB. Nested fields are text
columns of JSON: ``space->>'$.low'``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from voxmem.errors import InputError, UsageError
from voxmem.store.tables import Tables

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    import pyarrow.dataset as ds

Parts = Mapping[str, Collection[str]]
"""Table → the keys of its parts."""


def connect(tables: Tables, parts: Parts | None = None) -> duckdb.DuckDBPyConnection:
    """A connection with one view for each table, over the named parts or over all.

    Args:
        parts: For instance those of a release. A table without parts has no view.

    Raises:
        CorruptTable: a part's footer is cut or damaged.
        InputError: there is no such part, or a table's parts hold different records.
    """
    import duckdb

    chosen = _chosen(tables, parts)
    for table, keys in chosen.items():
        _check_alike(tables, table, keys)
    connection = duckdb.connect(":memory:", config={"enable_external_access": "false"})
    for table, keys in chosen.items():
        connection.register(table, _data_set(tables, table, keys))
    return connection


def sql(tables: Tables, query: str, parts: Parts | None = None) -> pa.Table:
    """The result of one query over the views of :func:`connect`.

    Raises:
        UsageError: the query is wrong, is more than one SELECT, or would touch a file.
        CorruptTable: a part is damaged.
    """
    import duckdb
    import pyarrow

    with connect(tables, parts) as connection:
        try:
            statements = connection.extract_statements(query)
            if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
                raise duckdb.NotSupportedError("a query is one SELECT statement")
            return connection.sql(query).to_arrow_table()
        except (duckdb.Error, pyarrow.ArrowException, OSError) as error:
            _find_damage(tables, parts)
            views = ", ".join(_chosen(tables, parts)) or "none"
            raise UsageError(
                " ".join(str(error).split()),
                item="SQL",
                remedy=f"select from these tables: {views}",
            ) from error


def _data_set(tables: Tables, table: str, parts: list[str]) -> ds.Dataset:
    """Files are mapped: DuckDB is given their bytes, and opens none itself."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    kind = ds.ParquetFileFormat()
    files = tables.locals((table, part) for part in parts)
    fragments = [kind.make_fragment(pa.memory_map(str(file)).read_buffer()) for file in files]
    return ds.FileSystemDataset(fragments, schema=fragments[0].physical_schema, format=kind)


def _check_alike(tables: Tables, table: str, parts: list[str]) -> None:
    first, *others = tables.heads(table, parts)
    for part, head in zip(parts[1:], others, strict=True):
        if head != first:
            raise InputError(
                f"this part and {parts[0]} hold different records",
                item=f"{table}/{part}",
                remedy="name the parts to query, for instance those of one release",
            )


def _find_damage(tables: Tables, parts: Parts | None) -> None:
    """Raise :class:`CorruptTable` if it was a damaged part, not the query, that failed."""
    for table, keys in _chosen(tables, parts).items():
        for part in keys:
            tables.load(table, part)


def _chosen(tables: Tables, parts: Parts | None) -> dict[str, list[str]]:
    """The tables that have parts, in ascending order, with these parts."""
    if parts is None:
        parts = {name: tables.parts(name) for name in tables.names()}
    listed = {table: list(keys) for table, keys in sorted(parts.items())}
    return {table: keys for table, keys in listed.items() if keys}
