"""The accuracy of a run in plain lines, for the end of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxmem.analyze.accuracy import GROUPINGS, Accuracy, Scored, accuracy
from voxmem.analyze.labels import SHORT_EVIDENCE, STRATA, budgets_ascending, ordered, percent

_MOST_BUDGETS = 4
_NAME = 18
_Group = tuple[str, Sequence[Scored]]


def console_table(scored: Sequence[Scored]) -> str:
    """Accuracy in per cent under the paper's policy; lines of fewer than 100 columns.

    By evidence type at the largest budget, the two strata apart; then all items, by budget. The
    first line counts the items. What failed or was not read is named below the table.
    """
    if not scored:
        return "There are no judged responses."
    budgets = budgets_ascending(row.response.budget for row in scored)[-_MOST_BUDGETS:]
    largest = [row for row in scored if row.response.budget == budgets[-1]]
    groups: list[_Group] = [
        (name, [row for row in largest if row.question.evidence_type is kind])
        for kind, name in SHORT_EVIDENCE.items()
    ]
    groups.append(("All types", largest))
    lines = [*_headings(groups, budgets), *_body(scored, groups, budgets), *_notes(scored)]
    return "\n".join(lines)


def _headings(groups: Sequence[_Group], budgets: Sequence[str]) -> list[str]:
    over = f"% right at {budgets[-1]}: answerable items (ans) and refusal items (ref)"
    names = "".join(f"  {name:>9}" for name, _ in groups)
    pooled = f"  {'all items':>{6 * len(budgets)}}"
    return [
        f"{'':{_NAME}}  {over}",
        f"{'':{_NAME}}{names}{pooled}",
        _line("system", ["ans", "ref"] * len(groups), budgets),
    ]


def _body(scored: Sequence[Scored], groups: Sequence[_Group], budgets: Sequence[str]) -> list[str]:
    strata = [_by(rows, "system", "stratum") for _, rows in groups]
    pooled = _by(scored, "system", "budget")
    items = _line(
        "items",
        [_items(rows, "stratum", name) for _, rows in groups for name in STRATA],
        [_items(scored, "budget", name) for name in budgets],
    )
    return [items] + [
        _line(
            system,
            [percent(_value(table, system, name), 0) for table in strata for name in STRATA],
            [percent(_value(pooled, system, name)) for name in budgets],
        )
        for system in ordered(row.response.system for row in scored)
    ]


def _by(rows: Sequence[Scored], *names: str) -> dict[tuple[str, ...], Accuracy]:
    return {row.group: row for row in accuracy(rows, names, "paper")}


def _value(table: Mapping[tuple[str, ...], Accuracy], *group: str) -> float | None:
    row = table.get(group)
    return row.value if row else None


def _items(rows: Sequence[Scored], grouping: str, name: str) -> str:
    """How many different items there are in a group, whoever answered them."""
    return str(len({row.response.item_id for row in rows if GROUPINGS[grouping](row) == name}))


def _line(name: str, strata: Sequence[str], pooled: Sequence[str]) -> str:
    pairs = "".join(
        f"  {one:>4}{two:>5}" for one, two in zip(strata[::2], strata[1::2], strict=True)
    )
    return f"{_short(name):{_NAME}}{pairs}  {''.join(f'{text:>6}' for text in pooled)}"


def _short(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def _notes(scored: Sequence[Scored]) -> list[str]:
    return [
        f"{_short(row.group[0])}: of {row.responses} responses {row.failed} failed and "
        f"{row.unparsed} verdicts could not be read; {row.n} counted"
        for row in accuracy(scored, ["system"], "paper")
        if row.failed or row.unparsed or row.n < row.responses
    ]
