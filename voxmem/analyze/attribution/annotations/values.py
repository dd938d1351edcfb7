"""Answers that are one value: a fact, a delivery, a sound, a person."""

from __future__ import annotations

from functools import cache

from voxmem import query as q
from voxmem.analyze.attribution.annotations.findings import Case
from voxmem.analyze.attribution.annotations.held import stated, values_of
from voxmem.analyze.attribution.audit import Finding
from voxmem.plan.catalog import catalog


def value(case: Case) -> Finding:
    """Where a value of the kind that is asked for comes from."""
    held, reading = case.held, case.held.reading
    assert reading is not None
    gold = str(held.question.gold)
    own = {value for each in held.episodes for value in values_of(each, reading.read)}
    own |= {gold, *held.question.space.options, *_domain(reading.read)}
    named = dict.fromkeys(case.said.named(own))
    if gold in named:
        return _with_the_gold(case, gold, [each for each in named if each != gold])
    if named:
        return place(case, next(iter(named)), reading.read)
    return _of_another_kind(case, own)


def place(case: Case, said: str, read: q.Read) -> Finding:
    """Where a value comes from: from the course of what is asked for, from another session, or
    from none."""
    held = case.held
    for each in held.course:
        if str(each.value) == said:
            return case.of_session(each.episode, said, "other_point")
    holders = held.holders(read, said)
    return case.of_session(holders[0], said) if holders else case.nowhere(said)


def person(case: Case, query: q.WhoseVoice) -> Finding:
    """Which of several people was named."""
    held = case.held
    named = dict.fromkeys(case.said.named(held.question.space.options))
    if not named and "me" in held.question.space.options and case.said.named(["you"]):
        named = {"me": None}  # said by the one who was asked
    gold = str(held.question.gold)
    if gold in named:
        return _with_the_gold(case, gold, [each for each in named if each != gold])
    if not named:
        return case.no_answer("it names none of the people")
    said = next(iter(named))
    voices = {
        label: held.voice_of(where)
        for label, where in zip(query.labels, query.references, strict=True)
    }
    if len(held.course) > 1:
        for each in held.course:
            if _label(str(each.value), voices, query.otherwise) == said:
                return case.of_session(each.episode, said, "other_point")
    return case.finding("other_speaker", "other_value", f"it says that it was {said}")


def _label(voice: str, voices: dict[str, str | None], otherwise: str) -> str:
    return next((label for label, whose in voices.items() if whose == voice), otherwise)


def _with_the_gold(case: Case, gold: str, others: list[str]) -> Finding:
    if not others:
        return case.finding("evidence", "equivalent", f"it says {gold!r}")
    several = ", ".join([gold, *others])
    return case.finding("evidence", "not_done", f"it names several: {several}", commits="none")


def _of_another_kind(case: Case, own: set[str]) -> Finding:
    """What names no value of the kind that is asked for: a value of another attribute, nothing in
    particular, or something that is nowhere."""
    held = case.held
    for each in held.episodes:
        facts = stated(held.item.sessions[each.session_id])
        if found := case.said.named(facts):
            return case.finding(
                case.of_session(each, found[0]).source,
                "unrelated",
                f"{found[0]!r} is another attribute",
                session=each.session_id,
                value=found[0],
                commits="other_type",
            )
    if held.question.space.closed or not case.said.is_specific:
        return case.no_answer("it names nothing of the kind that is asked for")
    if others := case.said.named(_values() - own):
        reason = f"{others[0]!r} is of another attribute, and nowhere"
        return case.finding("nowhere", "unrelated", reason, commits="other_type")
    return case.nowhere(case.said.committed[:60])


def _domain(read: q.Read) -> tuple[str, ...]:
    """What may be said of an attribute, in any history."""
    if not isinstance(read, q.ReadFact) or read.attribute not in catalog().attributes:
        return ()
    return tuple(map(str, catalog().attributes[read.attribute].domain))


@cache
def _values() -> frozenset[str]:
    """Everything that may be said of any attribute, numbers aside."""
    found = (value for each in catalog().attributes.values() for value in each.domain)
    return frozenset(value for value in found if isinstance(value, str))
