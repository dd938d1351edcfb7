"""Every table of the analysis: a function from a study to a typed table, a file each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from voxmem.analyze.study import Study
from voxmem.analyze.table import Table

TABLES: tuple[Callable[[Study], Table[Any]], ...] = ()
"""In the order of the report. A new table is one file and one entry here."""


def all_tables(study: Study) -> dict[str, Table[Any]]:
    """Name → table."""
    return {table.name: table for table in (make(study) for make in TABLES)}
