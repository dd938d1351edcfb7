"""The verdicts that are kept of a run, one part a judge, and what is still to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxmem.evaluate.run import TABLE as RESPONSES
from voxmem.evaluate.run import Run, responses
from voxmem.judge.imported import ImportedJudge
from voxmem.judge.judges import GRADED, Judge
from voxmem.judge.panel import Panel
from voxmem.keys import short
from voxmem.records import Response, Verdict

TABLE = "verdicts"
_OPEN = ("unparsed", "error")


def part_of(run: Run, judge: Judge) -> str:
    """The part that a judge's verdicts of a run are kept in: one judge never overwrites another."""
    return short(TABLE, run.part, judge.name, judge.version, digits=20)


def kept(run: Run, judge: Judge, answered: Sequence[Response] | None = None) -> dict[str, Verdict]:
    """Response id → verdict, as far as a judge has come, in the order of the responses.

    Args:
        answered: The responses that are meant, where they are at hand; all of the run if ``None``.
    """
    tables, part = run.rows.root.tables, part_of(run, judge)
    if not tables.has(TABLE, part):
        return {}
    found = {row.response_id: row for row in tables.read(TABLE, Verdict, [part])}
    return _in_order(answered if answered is not None else responses(run) or (), found)


def verdicts(run: Run, judge: Judge) -> list[Verdict] | None:
    """The verdicts that are kept, or ``None`` if some response has none. Some may be ``error`` or
    ``unparsed``: see :func:`is_settled`."""
    if not run.rows.root.tables.has(TABLE, part_of(run, judge)):
        return None
    answered = responses(run) or []
    found = kept(run, judge, answered)
    return list(found.values()) if len(found) == len(answered) else None


def keep(run: Run, judge: Judge, rows: Mapping[str, Verdict]) -> None:
    """Adds verdicts to those that are kept; a later one replaces an earlier one.

    Raises:
        StoreError: The root cannot be written.
    """
    found = _in_order(responses(run) or (), {**kept(run, judge), **rows})
    run.rows.root.tables.write(TABLE, part_of(run, judge), list(found.values()), Verdict)


def is_settled(run: Run, judge: Judge) -> bool:
    """Whether nothing is left to do: every response has a verdict, and none would be asked for
    again. What a panel leaves open is a matter of its judges."""
    if isinstance(judge, Panel):
        found = verdicts(run, judge)
        settled = found is not None and all(is_settled(run, member) for member in judge.members)
        return settled and found == list(combined(run, judge).values())
    tables, part = run.rows.root.tables, part_of(run, judge)
    if not tables.has(TABLE, part):
        return False
    # Whole rows would take ten times as long: a night looks at every run of every model.
    statuses = dict(tables.columns(TABLE, part, ("response_id", "status")))
    answered: dict[str, str] = {}
    if tables.has(RESPONSES, run.part):
        answered = dict(tables.columns(RESPONSES, run.part, ("response_id", "outcome")))
    # What was judged elsewhere is what it is.
    to_ask = () if isinstance(judge, ImportedJudge) else _OPEN
    return all(
        _holds(statuses.get(name), outcome) and statuses[name] not in to_ask
        for name, outcome in answered.items()
    )


def is_open(verdict: Verdict | None) -> bool:
    """Whether a verdict is still to be had."""
    return verdict is None or verdict.status in _OPEN


def combined(run: Run, panel: Panel) -> dict[str, Verdict]:
    """What a panel makes of its judges' verdicts, where all of them have one."""
    members = [kept(run, member) for member in panel.members]
    return {
        each.response_id: panel.combine(each, [rows[each.response_id] for rows in members])
        for each in responses(run) or ()
        if all(each.response_id in rows for rows in members)
    }


def _in_order(answered: Sequence[Response], found: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The verdicts on what there is."""
    there = ((each, found.get(each.response_id)) for each in answered)
    return {
        each.response_id: row
        for each, row in there
        if row is not None and _holds(row.status, each.outcome)
    }


def _holds(status: str | None, outcome: str) -> bool:
    """Whether a verdict is one on a response. One that failed is settled without a judge, until
    another try succeeds."""
    return status is not None and (status != "not_judged" or outcome not in GRADED)
