"""The family gate (QC-2) by the definition: every consequence of a question, at every budget.

What the paper asks a language model (VoxMem, §3.3) is computed over the assembled histories, with
all their haystack and filler sessions in place. Sessions that a question cannot look at, whatever
is hidden, change nothing (:func:`voxmem.semantics.relevant`): a history is decided by the
others, and histories that share those are decided at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from voxmem.history.assembly import Assembly
from voxmem.history.checks import check_histories
from voxmem.history.reuse import check_reuse
from voxmem.parallel import Mapper, serial
from voxmem.plan.chance import HIGHEST, possible_answers
from voxmem.plan.validate import check_question
from voxmem.records import Check, Plan, Question
from voxmem.semantics import Episode, observe, relevant
from voxmem.semantics.consequences import ANSWERABLE_CONSEQUENCES, REFUSAL_CONSEQUENCES

BATCH = 16
"""Questions decided together: what one process is given at a time."""


@dataclass(frozen=True)
class Case:
    """A question, and the different sets of sessions that decide its histories."""

    question: Question
    decisive: tuple[tuple[Episode, ...], ...]
    """The set of the shortest history comes first."""
    items: tuple[tuple[str, int], ...]
    """Every item, and which set decides it."""


def check_families(assembly: Assembly, *, mapper: Mapper = serial) -> list[Check]:
    """All rows of all families, question by question, and how often sessions are used.

    Rows of a question have it, or one of its items, for a subject.

    Args:
        mapper: Spreads the consequences over processes; the result does not depend on it.
    """
    plans = [plan for plan in assembly.plans if assembly.histories.get(_name(plan))]
    cases = (_case(assembly, plan) for plan in plans)
    decided = (rows for batch in mapper(_decide_all, _batches(cases)) for rows in batch)
    found: list[Check] = []
    for plan, rows in zip(plans, decided, strict=True):
        found += [*check_histories(assembly, plan), *rows]
    return [*found, *check_reuse(assembly)]


def _name(plan: Plan) -> str:
    return plan.question.question_id


def _batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    cases = iter(cases)
    while batch := list(islice(cases, BATCH)):
        yield batch


def _case(assembly: Assembly, plan: Plan) -> Case:
    question, histories = plan.question, assembly.histories[_name(plan)]
    placed = {
        (place.timestamp, place.session_id) for item in histories for place in item.placements
    }
    seen = [observe(assembly.sessions[name], when) for when, name in sorted(placed)]
    evidence = set(question.evidence_session_ids)
    concerned = {id(item) for item in relevant(question.query, seen)}
    kept = [item for item in seen if id(item) in concerned or item.session_id in evidence]
    known: dict[tuple[tuple[datetime, str], ...], int] = {}
    items: list[tuple[str, int]] = []
    decisive: list[tuple[Episode, ...]] = []
    for history in histories:
        there = {(place.timestamp, place.session_id) for place in history.placements}
        episodes = tuple(item for item in kept if (item.timestamp, item.session_id) in there)
        names = tuple((item.timestamp, item.session_id) for item in episodes)
        if names not in known:
            known[names] = len(decisive)
            decisive.append(episodes)
        items.append((history.item_id, known[names]))
    return Case(question, tuple(decisive), tuple(items))


def _decide_all(cases: Sequence[Case]) -> list[list[Check]]:
    return [list(_decide(case)) for case in cases]


def _decide(case: Case) -> Iterator[Check]:
    """One row an item and consequence, and the chance level."""
    question = case.question
    names = ANSWERABLE_CONSEQUENCES if question.gold is not None else REFUSAL_CONSEQUENCES
    found = [
        {item.consequence: item.detail for item in check_question(question, episodes)}
        for episodes in case.decisive
    ]
    for item_id, at in case.items:
        for name in names:
            detail = found[at].get(name)
            yield Check(subject=item_id, check=name, passed=detail is None, detail=detail or "")
    if question.gold is not None:
        yield _chance(question, case.decisive[0])


def _chance(question: Question, shortest: Sequence[Episode]) -> Check:
    """Longer histories leave at least as much open, so the shortest one decides."""
    count = possible_answers(question, shortest)
    level = 1 / max(count, 1)
    return Check(
        subject=question.question_id,
        check="chance_level",
        passed=level <= HIGHEST,
        value=round(level, 4),
        threshold=HIGHEST,
        detail=f"{count} answers remain possible under the mask",
    )
