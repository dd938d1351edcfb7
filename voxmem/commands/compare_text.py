"""How comparisons are printed: lines of fewer than 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voxmem.analyze.comparison import ReleaseComparison, RunComparison
from voxmem.analyze.comparison.records import AbstentionRow, Changes, Flip, Grouping, GroupRow
from voxmem.analyze.labels import NO_NUMBER, SHORT_EVIDENCE, label, percent
from voxmem.analyze.table import Interval
from voxmem.commands.model_text import table

_LISTED = 8
"""Names of a list that are printed; all of them are in the JSON."""
_SHORT = {
    "information_extraction": "Extract",
    "multi_session_reasoning": "Multi-s.",
    "temporal_evolution_tracking": "Temporal",
    "answer_refusal": "Refusal",
    **{kind.value: name for kind, name in SHORT_EVIDENCE.items()},
}
_TITLES: dict[Grouping, str] = {
    "all": "All items",
    "stratum": "Answerable items and refusals",
    "evidence": "By evidence type",
    "operation": "By memory operation",
    "cell": "By cell, at the longest budget",
}
_HEAD = ("budget", "policy", "group", "n", "A %", "B %", "A - B [95 %]", "A/B only", "p", "Holm")


def run_page(found: RunComparison) -> str:
    """What is not the same, every group, what flipped, and who abstains."""
    parts = [f"A  {found.a}\nB  {found.b}"]
    if found.differences:
        lines = [("not the same", "A", "B")]
        lines += [(each.what, _cut(each.a), _cut(each.b)) for each in found.differences]
        parts.append(table(lines))
    if found.table.rows:
        parts += _tables(found.table.rows)
        parts.append(
            "A - B in points, by paired bootstrap; items right on one side alone; p of the exact\n"
            "test of McNemar. --json has the cells at every budget."
        )
        parts.append("\n".join((_flips(found.flips, "a"), _flips(found.flips, "b"))))
        abstain = table([_ABSTAINS, *map(_abstention, found.abstention)])
        parts.append(f"Who abstains, of the items that both replied to:\n{abstain}")
    parts.append("\n".join(f"- {note}" for note in found.table.notes))
    return "\n\n".join(parts)


def release_page(found: ReleaseComparison, runs: Sequence[RunComparison]) -> str:
    """What changed, how many questions each cell has, and who does how on what is common."""
    parts = [f"A  {found.a}\nB  {found.b}"]
    head = ("", "A", "B", "only in A", "only in B", "changed")
    parts.append(table([head, *map(_counts, found.changes)]))
    parts += ["\n".join(lines)] if (lines := [*_names(found.changes)]) else []
    if found.settings:
        settings = [(_cut(each.what, 40), _cut(each.a), _cut(each.b)) for each in found.settings]
        parts.append(table([("setting", "A", "B"), *settings]))
    unequal = [each for each in found.cells if each.a != each.b]
    if unequal:
        counts = [(_cell(each.cell), str(each.a), str(each.b)) for each in unequal]
        parts.append(table([("questions in cell", "A", "B"), *counts]))
    parts.append(_systems(runs))
    return "\n\n".join(parts)


def _systems(runs: Sequence[RunComparison]) -> str:
    """What each is worth on the items that are the same in both releases."""
    if not runs:
        return "No system was evaluated and judged on both."
    rows = [
        (_cut(run.a, 20), *_without_group(row))
        for run in runs
        for row in _merged([one for one in run.table.rows if one.grouping == "all"])
    ]
    if not rows:
        return "No item that was answered is the same in both."
    names = ("system", *_without_group(_HEAD))
    return f"On the items that are the same in both:\n{table([names, *rows])}"


def _tables(rows: Sequence[GroupRow]) -> Iterable[str]:
    """A table a grouping: that of which Holm's p is adjusted together."""
    for grouping in dict.fromkeys(row.grouping for row in rows):
        members = [row for row in rows if row.grouping == grouping]
        yield f"{_TITLES[grouping]}:\n{table([_HEAD, *_groups(members)])}"


def _groups(rows: Sequence[GroupRow]) -> Iterable[tuple[str, ...]]:
    """Everything, then group by group; of cells the longest budget."""
    longest = rows[-1].budget
    names = dict.fromkeys(row.group for row in rows)
    for name in names:
        members = [row for row in rows if row.group == name]
        if members[0].grouping == "cell":
            members = [row for row in members if row.budget == longest]
        yield from _merged(members)


def _merged(rows: Sequence[GroupRow]) -> Iterable[tuple[str, ...]]:
    """Budget by budget; both policies as one line where they count the same."""
    for budget in dict.fromkeys(row.budget for row in rows):
        there = [row for row in rows if row.budget == budget]
        if len(there) > 1 and all((row.a, row.b) == (there[0].a, there[0].b) for row in there):
            yield _row(there[0], "both")
        else:
            yield from (_row(row, row.policy) for row in there)


def _without_group(row: tuple[str, ...]) -> tuple[str, ...]:
    return (*row[:2], *row[3:])


def _row(row: GroupRow, policy: str) -> tuple[str, ...]:
    return (
        row.budget,
        policy,
        _cell(row.group),
        str(row.a.n),
        percent(row.a.value),
        percent(row.b.value),
        _interval(row.difference),
        f"{row.a_only}/{row.b_only}",
        _p(row.p_mcnemar),
        _p(row.p_holm),
    )


def _flips(flips: Sequence[Flip], right: str) -> str:
    ids = [each.item_id for each in flips if each.right == right]
    return f"right in {right.upper()} alone: {_listed(ids)}"


_ABSTAINS = ("budget", "stratum", "both replied", "A abstains", "B abstains", "A/B only", "p")


def _abstention(row: AbstentionRow) -> tuple[str, ...]:
    counts = (row.n, row.a, row.b)
    only = f"{row.a_only}/{row.b_only}"
    return (row.budget, row.stratum, *map(str, counts), only, _p(row.p_mcnemar))


def _counts(each: Changes) -> tuple[str, ...]:
    numbers = (each.a, each.b, len(each.removed), len(each.added), len(each.changed))
    return (each.kind, *(f"{number:,d}" for number in numbers))


def _names(changes: Iterable[Changes]) -> Iterable[str]:
    for each in changes:
        if each.kind in ("questions", "histories"):
            changed = [f"{one.name} ({', '.join(one.fields)})" for one in each.changed]
            named = (("only in A", each.removed), ("only in B", each.added), ("changed", changed))
            yield from (f"{each.kind} {how}: {_listed(names)}" for how, names in named if names)


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "none"
    more = len(names) - _LISTED
    shown = "".join(f"\n  {name}" for name in names[:_LISTED])
    return f"{len(names)}{shown}" + (f"\n  and {more} more (--json has all)" if more > 0 else "")


def _cell(name: str) -> str:
    """ "Temporal × Speaker" for ``temporal_evolution_tracking/speaker_identity``."""
    return " × ".join(_SHORT.get(part) or label(part) for part in name.split("/"))


def _interval(found: Interval) -> str:
    if found.value is None:
        return NO_NUMBER
    if found.low is None or found.high is None:
        return f"{100 * found.value:+.1f}"
    return f"{100 * found.value:+.1f} [{100 * found.low:+.0f}, {100 * found.high:+.0f}]"


def _p(value: float | None) -> str:
    if value is None:
        return NO_NUMBER
    return f"{value:.3f}" if value >= 0.001 else "<.001"


def _cut(text: str, most: int = 26) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
