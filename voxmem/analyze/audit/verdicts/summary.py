"""What people found: how many responses are correct, and how far each judge says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from voxmem.analyze.audit.answered import Answered
from voxmem.analyze.audit.measured import (
    Measured,
    Pair,
    interval,
    measured,
    measured_text,
    share_text,
)
from voxmem.analyze.audit.progress import (
    Progress,
    decisions,
    progress,
    progress_text,
    stands_for,
)
from voxmem.analyze.audit.verdicts.queue import REFUSAL, group_of, reading
from voxmem.analyze.audit.verdicts.task import VerdictTask
from voxmem.analyze.labels import label
from voxmem.analyze.table import Interval
from voxmem.quality.labelling.agreement import Agreement, agreement, agreement_text
from voxmem.quality.labelling.share import share
from voxmem.records import Record


class GroupOfPeople(Record):
    """What people say of the responses of one group."""

    group: str
    """"all", "answerable", an answer type, or "refusal"."""
    responses: int
    """That there are."""
    decided: int
    """Things that people decided; the same words to one question are one."""
    correct: Interval
    """The share of all responses that people call correct."""


class JudgeOnGroup(Record):
    """One judge against people, on one group."""

    judge: str
    group: str
    unread: int
    """Things that people decided and the judge did not."""
    measured: Measured


class Summary(Record):
    """The state of an audit of verdicts. Shares and kappas are of all responses: each that was
    labelled counts for those of its stratum that it stands for."""

    progress: Progress
    people: tuple[GroupOfPeople, ...]
    judges: tuple[JudgeOnGroup, ...]
    agreement: Agreement
    """Between annotators, on items that have an answer."""
    agreement_on_refusals: Agreement


def summarise(answered: Answered, task: VerdictTask) -> Summary:
    """What is known so far. Labels of a larger queue count as well."""
    said = task.latest()
    groups = {name: group_of(task.question(name)) for name in task.units}
    of_refusal = {name for name, group in groups.items() if group == REFUSAL}
    decided, weights = decisions(said), stands_for(task, said)
    return Summary(
        progress=progress(task, said),
        people=tuple(
            _of_people(group, names, task, decided, weights)
            for group, names in _named(groups).items()
        ),
        judges=tuple(
            _on_group(judge, group, names, answered, task, decided, weights)
            for judge in answered.verdicts
            for group, names in _named(groups).items()
        ),
        agreement=agreement({name: rows for name, rows in said.items() if name not in of_refusal}),
        agreement_on_refusals=agreement(
            {name: rows for name, rows in said.items() if name in of_refusal}
        ),
    )


def _named(groups: Mapping[str, str]) -> dict[str, set[str]]:
    """Group → its things; answer refusal last, and never in an answer type."""
    kinds = sorted(set(groups.values()) - {REFUSAL})
    found = {"all": set(groups)}
    found["answerable"] = {name for name, group in groups.items() if group != REFUSAL}
    for kind in [*kinds, REFUSAL]:
        found[kind] = {name for name, group in groups.items() if group == kind}
    return found


def _of_people(
    group: str,
    names: Collection[str],
    task: VerdictTask,
    decided: Mapping[str, str],
    weights: Mapping[str, float],
) -> GroupOfPeople:
    there = [name for name in weights if name in names]
    found = share((weights[name], decided[name] == "correct") for name in there)
    return GroupOfPeople(
        group=group,
        responses=sum(len(task.units[name].responses) for name in names),
        decided=len(there),
        correct=interval(found),
    )


def _on_group(
    judge: str,
    group: str,
    names: Collection[str],
    answered: Answered,
    task: VerdictTask,
    decided: Mapping[str, str],
    weights: Mapping[str, float],
) -> JudgeOnGroup:
    there = [name for name in weights if name in names]
    readings = {name: reading(task.units[name], answered.verdicts[judge]) for name in there}
    pairs = [
        Pair(decided[name], machine, weights[name])
        for name, machine in readings.items()
        if machine is not None
    ]
    return JudgeOnGroup(
        judge=judge, group=group, unread=len(there) - len(pairs), measured=measured(pairs)
    )


def as_text(summary: Summary) -> str:
    """The summary as lines."""
    lines = [*progress_text(summary.progress, "responses")]
    for one in summary.people:
        shown = f"{share_text(one.correct)} correct ({one.decided} decided)"
        lines += [f"  {'people':<24}{label(one.group):<18}{shown}"] if one.decided else []
    for row in summary.judges:
        unread = f", {row.unread} not read" if row.unread else ""
        shown = f"agrees on {measured_text(row.measured)}{unread}"
        decided = row.unread + row.measured.n
        lines += [f"  {row.judge:<24}{label(row.group):<18}{shown}"] if decided else []
    lines += agreement_text(summary.agreement, "responses")
    lines += agreement_text(summary.agreement_on_refusals, "refusal items")
    return "\n".join(lines)
