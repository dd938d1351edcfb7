"""``voxmem deliveries``: what each engine can render, and what was measured of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voxmem.commands.shared import JsonOption, show

if TYPE_CHECKING:
    from voxmem.quality.palette import Delivery


def deliveries(as_json: JsonOption = False) -> None:
    """List the deliveries: who renders them and how, what was measured, what they are taken for."""
    from voxmem.quality.palette import palette

    rows = palette()
    text = "\n".join(line for row in rows for line in _lines(row))
    show({"deliveries": [row.model_dump() for row in rows]}, as_json, text)


def _lines(row: Delivery) -> Iterator[str]:
    from voxmem.speech.realisations import REALISATIONS

    standing = "default" if row.default else "on request"
    yield f"{row.delivery:<12}{row.dimension:<13}{standing:<12}{_measured(row)}"
    for engine in REALISATIONS:
        yield f"    {engine:<14} {row.engines.get(engine, '—')}"
    if row.confusable:
        yield f"    taken for      {', '.join(row.confusable)}"


def _measured(row: Delivery) -> str:
    of = row.measured
    if of is None:
        return "not measured"
    return (
        f"told from neutral {of.told_from_neutral:.1%} of {of.cued}, "
        f"neutral taken for it {of.taken_for_it:.1%} of {of.neutral} ({of.engine})"
    )
