"""A typed table: records, where they come from, and what is to be known about them."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from voxmem.analyze.scores import Bools
from voxmem.records import Record

R = TypeVar("R", bound=Record)


class Rate(Record):
    """A share of items with everything that decides it."""

    correct: int = 0
    n: int = 0
    """The denominator."""
    expected: int = 0
    """The items that the release asks."""

    @property
    def value(self) -> float | None:
        """``None`` for an empty denominator: there is no such number."""
        return self.correct / self.n if self.n else None

    @property
    def coverage(self) -> float | None:
        """The denominator over the items asked."""
        return self.n / self.expected if self.expected else None


class Mean(Record):
    """The unweighted mean of several entrants' shares."""

    value: float | None = None
    """``None`` where no entrant has a number."""
    entrants: int = 0
    """How many have one."""


class Interval(Record):
    """A number and its interval. ``None``: there is no such number."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Table(Generic[R]):
    """Rows of one kind.

    Shares are fractions; what shows them makes them per cent.
    """

    name: str
    """Of its files: "accuracy-by-evidence"."""
    title: str
    model: type[R]
    rows: tuple[R, ...]
    source: str = ""
    """What it repeats ("VoxMem, Table 15"); "" if it is our own."""
    notes: tuple[str, ...] = ()
    """Which choices it was made under, and what is missing: shown below it."""

    def records(self) -> list[dict[str, Any]]:
        """The rows as flat records: a field of a nested record is ``field_part``; the value of a
        :class:`Rate` is ``field``, no number is ``None``."""
        return [_flat(row) for row in self.rows]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the flat fields, in order."""
        found = dict.fromkeys(name for row in self.records() for name in row)
        return tuple(found or self.model.model_fields)

    def to_json(self) -> str:
        """One record a line."""
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in self.records())
        return f"[\n{lines}\n]\n" if lines else "[]\n"

    def to_csv(self) -> str:
        """With a header line; no number is an empty field."""
        out = io.StringIO()
        writer = csv.DictWriter(out, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records())
        return out.getvalue()


def rate(right: Bools, counted: Bools, asked: Bools) -> Rate:
    """The share of one group of items; masks of one shape."""
    return Rate(
        correct=int(np.count_nonzero(right & counted)),
        n=int(np.count_nonzero(counted)),
        expected=int(np.count_nonzero(asked)),
    )


def mean(values: Iterable[float | None]) -> Mean:
    """The unweighted mean of those that are numbers."""
    known = [value for value in values if value is not None]
    return Mean(value=math.fsum(known) / len(known) if known else None, entrants=len(known))


def _flat(row: Record) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name in type(row).model_fields:
        value = getattr(row, name)
        if isinstance(value, Rate):
            flat |= {name: _rounded(value.value)}
            flat |= {f"{name}_{part}": getattr(value, part) for part in Rate.model_fields}
        elif isinstance(value, Mean | Interval):
            flat[name] = _rounded(value.value)
            rest = (part for part in type(value).model_fields if part != "value")
            flat |= {f"{name}_{part}": _rounded(getattr(value, part)) for part in rest}
        elif isinstance(value, tuple):
            flat[name] = "; ".join(map(str, value))
        else:
            flat[name] = _rounded(value)
    return flat


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        # Six digits behind the point, and three that count of what is smaller (a p value).
        short = round(value, 6) if abs(value) >= 1e-3 else float(f"{value:.3g}")
        return short if math.isfinite(value) else None
    return getattr(value, "value", value)
