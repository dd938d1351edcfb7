"""The responses that people may be shown, and what judges made of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run, responses
from voxmem.judge.judges import GRADED
from voxmem.records import Record, Response, Verdict

R = TypeVar("R", bound=Record)

VERDICTS = "verdicts"


@dataclass(frozen=True)
class Answered:
    """The responses of some runs with words that can be judged.

    Attributes:
        rows: The release.
        responses: In the order of runs and items.
        verdicts: Judge → response id → its verdict, judges in ascending order.
    """

    rows: ReleaseRows
    responses: tuple[Response, ...]
    verdicts: Mapping[str, Mapping[str, Verdict]]


def answered(runs: Sequence[Run], judges: Sequence[str] = ()) -> Answered:
    """What runs have left, and all that was ever said of it in this root.

    Args:
        runs: At least one; those that left nothing are passed over.
        judges: By name, or by name and version; all that there are if none is named.

    Raises:
        InputError: No run has left a response that could be judged.
        UsageError: There is no verdict of a judge that is named.
        CorruptTable: A part is damaged.
    """
    rows = runs[0].rows
    found = readable(runs)
    if not found:
        raise InputError(
            "there is no response to audit",
            item=rows.release.release_id,
            stage="audit",
            remedy="run voxmem evaluate with the same --root, --release, --model, --budget and "
            "--arm first",
        )
    return Answered(rows, found, named(_verdicts(rows, found), judges, "voxmem judge --judge"))


def readable(runs: Iterable[Run]) -> tuple[Response, ...]:
    """The responses of runs that have words that a judge is shown."""
    return tuple(
        row
        for run in runs
        for row in responses(run) or ()
        if row.outcome in GRADED and (row.text or "").strip()
    )


def _verdicts(rows: ReleaseRows, found: Iterable[Response]) -> dict[str, dict[str, Verdict]]:
    wanted = {row.response_id for row in found}
    by_judge: dict[str, dict[str, Verdict]] = {}
    for row in rows.root.tables.read(VERDICTS, Verdict):
        if row.response_id in wanted:
            by_judge.setdefault(row.judge, {})[row.response_id] = row
    return dict(sorted(by_judge.items()))


def named(
    found: Mapping[str, Mapping[str, R]], names: Sequence[str], command: str
) -> dict[str, Mapping[str, R]]:
    """What judges or auditors left, of those that are named; of all if none is.

    Args:
        found: By name and version.
        names: By name, or by name and version.
        command: That asks one of them, up to its name.

    Raises:
        UsageError: One has left nothing.
    """
    for name in names:
        if not any(_is(machine, name) for machine in found):
            raise UsageError(
                f"there is nothing of {name!r} on these responses",
                stage="audit",
                remedy=f"run {command} {name} first"
                + (f", or choose of: {', '.join(found)}" if found else ""),
            )
    return {
        machine: rows
        for machine, rows in found.items()
        if not names or any(_is(machine, name) for name in names)
    }


def _is(machine: str, name: str) -> bool:
    return name in (machine, machine.rpartition("-")[0])


class Unit(NamedTuple):
    """Responses that are one and the same to whoever labels them."""

    responses: tuple[Response, ...]

    @property
    def shown(self) -> Response:
        """The one that stands for all."""
        return self.responses[0]


def units(found: Iterable[Response], alike: Callable[[Response], Hashable]) -> dict[str, Unit]:
    """By the id of the response that is shown.

    Args:
        alike: What two responses share that are the same thing to label, their words aside.
    """
    groups: dict[Hashable, list[Response]] = {}
    for row in sorted(found, key=lambda row: row.response_id):
        groups.setdefault((alike(row), (row.text or "").strip()), []).append(row)
    return {rows[0].response_id: Unit(tuple(rows)) for rows in groups.values()}
