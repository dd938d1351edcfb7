"""What every assembled history must be, apart from what its question means (VoxMem, B.5 and B.6):
nested, on schedule, as long as it says, in order of time, with nothing in it twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from voxmem.config import Budget, BuildConfig
from voxmem.history.assembly import Assembly
from voxmem.history.fit import TOLERANCE
from voxmem.history.notes import shortest
from voxmem.length import total
from voxmem.records import Check, History, Plan

__all__ = ["ROWS", "Assembly", "check_histories"]

ROWS = ("roles", "timestamps", "samekey_schedule", "reused_schedule", "length_within_tolerance")
"""The checks of every history."""
OWN = ("evidence", "replacement", "samekey_haystack")
"""Roles of sessions that were written for the question itself."""


def check_histories(assembly: Assembly, plan: Plan) -> list[Check]:
    """The rows of one question: :data:`ROWS` for each of its histories, ``nested``, and
    ``refusal_kept_everything_else`` for a refusal variant."""
    question = plan.question
    histories = assembly.histories.get(question.question_id, ())
    budgets = assembly.config.budgets
    rows = [
        Check(subject=history.item_id, check=name, passed=not fault, detail=fault)
        for history, budget in zip(histories, budgets, strict=True)
        for name, fault in _faults(assembly, plan, history, budget)
    ]
    rows.append(_row(question.question_id, "nested", _unnested(histories)))
    if question.source_question_id is not None:
        fault = _not_kept(assembly, plan)
        rows.append(_row(question.question_id, "refusal_kept_everything_else", fault))
    return rows


def _row(subject: str, check: str, fault: str) -> Check:
    return Check(subject=subject, check=check, passed=not fault, detail=fault)


def _faults(
    assembly: Assembly, plan: Plan, history: History, budget: Budget
) -> Iterator[tuple[str, str]]:
    yield "roles", next(_misplaced(assembly, plan, history), "")
    yield "timestamps", next(_mistimed(assembly.config, plan, history), "")
    yield "samekey_schedule", _off_schedule(assembly, history, "samekey_haystack", budget.samekey)
    source = assembly.plan_of.get(plan.question.source_question_id or "", plan)
    reused = budget.reused_for(len(source.question.evidence_session_ids))
    yield "reused_schedule", _off_schedule(assembly, history, "topical_haystack", reused)
    yield "length_within_tolerance", _misfit(assembly, plan, history, budget)


# --- one history ------------------------------------------------------------------------------


def _misplaced(assembly: Assembly, plan: Plan, history: History) -> Iterator[str]:
    question = plan.question
    names = Counter(place.session_id for place in history.placements)
    yield from (f"{name} is there {count} times" for name, count in names.items() if count > 1)
    roles = {place.session_id: place.role for place in history.placements}
    for name in question.evidence_session_ids:
        if roles.get(name) != "evidence":
            yield f"its evidence {name} is {roles.get(name, 'missing')}"
    own = {item.session_id: item.role for item in plan.sessions}
    for name, role in roles.items():
        seen = assembly.glimpses[name]
        if role in OWN and own.get(name) != role:
            yield f"{name} is no {role} of this question"
        if role == "topical_haystack" and not _is_borrowed(assembly, plan, name):
            yield f"{name} is no evidence of another question of its kind"
        if role == "filler" and seen.states_facts:
            yield f"the filler {name} states facts"
        if strangers := seen.voices.difference(plan.cast):
            yield f"{name} is spoken by {min(map(str, strangers))}, who is not of the cast"
    yield from _repeated(assembly, history)


def _is_borrowed(assembly: Assembly, plan: Plan, name: str) -> bool:
    owner = assembly.owners.get(name)
    return owner is not None and (
        owner.question.family_id != plan.question.family_id
        and owner.question.evidence_type == plan.question.evidence_type
    )


def _repeated(assembly: Assembly, history: History) -> Iterator[str]:
    """The same words twice. Only among the sessions written for the question may they recur, in
    another voice, delivery or sound."""
    said: dict[tuple[str, ...], tuple[str, bool]] = {}
    for place in history.placements:
        name, own = place.session_id, place.role in OWN
        mine = assembly.glimpses[name]
        other, other_own = said.setdefault(mine.words, (name, own))
        rendition = own and other_own and assembly.glimpses[other].sound != mine.sound
        if other != name and not rendition:
            yield f"{name} has the words of {other}"


def _mistimed(config: BuildConfig, plan: Plan, history: History) -> Iterator[str]:
    moments = [place.timestamp for place in history.placements]
    for one, two in pairwise(moments):
        if one >= two:
            yield f"{two} does not come after {one}"
    first, last = config.window
    for when in moments:
        if not first <= when.date() <= last:
            yield f"{when} is outside the window"
        if when >= plan.question.query_timestamp:
            yield f"{when} is not before the query"
    written = {item.session_id: item.timestamp for item in plan.sessions}
    for place in history.placements:
        if written.get(place.session_id, place.timestamp) != place.timestamp:
            yield f"{place.session_id} is not when it was planned"


def _off_schedule(assembly: Assembly, history: History, role: str, wanted: int) -> str:
    found = sum(place.role == role for place in history.placements)
    if found > wanted:
        return f"{found}, not {wanted}"
    if found == wanted or assembly.noted.get((history.item_id, role)) == found:
        return ""
    return f"{found} of {wanted}, and no note says why"


def _misfit(assembly: Assembly, plan: Plan, history: History, budget: Budget) -> str:
    parts = map(assembly.lengths.of, history.placements)
    length = total((assembly.lengths.question(plan.question), *parts))
    if length != history.length:
        return f"says {history.length.tokens} tokens and has {length.tokens}"
    tokens = length.tokens
    most = budget.tokens * (TOLERANCE if plan.question.source_question_id else 1)
    if tokens > most:
        return f"{tokens} tokens, and {budget.name} holds {int(most)}"
    noted = assembly.noted.get((history.item_id, "tokens")) == tokens
    if tokens < shortest(budget) and not noted:
        return f"{tokens} tokens of {budget.tokens}, and no note says why"
    return ""


# --- the histories of a question --------------------------------------------------------------


def _unnested(histories: Sequence[History]) -> str:
    """A longer history holds the shorter one, at the same places in time, and more."""
    for short, long in pairwise(histories):
        lacking = set(short.placements) - set(long.placements)
        if lacking:
            return f"{long.budget} lacks {min(place.session_id for place in lacking)}"
        if len(long.placements) <= len(short.placements):
            return f"{long.budget} holds no more than {short.budget}"
    return ""


_KEPT = ("text", "query", "asker", "query_timestamp", "space", "answer_type", "form")


def _not_kept(assembly: Assembly, plan: Plan) -> str:
    """What a variant changed beside its one session (VoxMem, Table 10)."""
    question = plan.question
    source = assembly.plan_of.get(question.source_question_id or "")
    if source is None:
        return f"there is no source {question.source_question_id}"
    for name in _KEPT:
        if getattr(question, name) != getattr(source.question, name):
            return f"its {name} is not that of its source"
    mine = assembly.histories.get(question.question_id, ())
    theirs = assembly.histories.get(source.question.question_id, ())
    if [item.budget for item in mine] != [item.budget for item in theirs]:
        return "its source has no histories of the same budgets"
    changes = {_changed(one, two) for one, two in zip(theirs, mine, strict=True)}
    if len(changes) != 1 or None in changes:
        return "its histories do not differ from its source's by one and the same session"
    return ""


def _changed(source: History, variant: History) -> tuple[str, str] | None:
    """The one session that differs and what is in its place, or ``None``."""
    pairs = list(zip(source.placements, variant.placements, strict=False))
    changed = [(one, two) for one, two in pairs if one != two]
    if len(source.placements) != len(variant.placements) or len(changed) != 1:
        return None
    ((one, two),) = changed
    return (one.session_id, two.session_id) if one.timestamp == two.timestamp else None
