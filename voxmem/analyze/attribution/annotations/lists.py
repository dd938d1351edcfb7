"""Answers that are several: a set, or values in order."""

from __future__ import annotations

from voxmem.analyze.attribution.annotations.findings import Case
from voxmem.analyze.attribution.annotations.values import place
from voxmem.analyze.attribution.audit import Finding, Relation


def chosen(case: Case) -> Finding:
    """Which of some named sessions: each is a comparison of its own."""
    named = case.said.named(case.held.question.space.options)
    if not named:
        return case.no_answer("it names none of the sessions")
    if set(named) == set(_gold(case)):
        return case.finding("evidence", "equivalent", "it names the same sessions")
    return case.about_evidence("wrong_members", f"it chooses {', '.join(named)}")


def collected(case: Case) -> Finding:
    """Values put together: what is too much comes from somewhere."""
    return _list(case, set(case.said.named(_elements(case))) == set(_gold(case)), "wrong_members")


def sequence(case: Case) -> Finding:
    """Values in order of time."""
    named = case.said.named(_elements(case))
    return _list(case, named == _gold(case), "wrong_order")


def turns_of_speakers(case: Case) -> Finding:
    """Stage by stage, whose voice it is."""
    named = case.said.named(case.held.question.space.options)
    if not named:
        return case.no_answer("it names no stage")
    if named == _gold(case):
        return case.finding("evidence", "equivalent", "it names the same stages")
    return case.finding("other_speaker", "wrong_members", f"it says {', '.join(named)}")


def _list(case: Case, is_gold: bool, same_elements: Relation) -> Finding:
    reading, gold = case.held.reading, _gold(case)
    assert reading is not None
    named = case.said.named(_elements(case))
    if not named:
        return case.no_answer("it names no element")
    if is_gold:
        return case.finding("evidence", "equivalent", "it names the same elements")
    extra = [place(case, each, reading.read) for each in named if each not in gold]
    if extra:
        # One that is nowhere makes it a list that nothing bears out, wherever the others are from.
        return next((each for each in extra if each.source == "nowhere"), extra[0])
    relation = same_elements if sorted(named) == sorted(gold) else "wrong_members"
    return case.about_evidence(relation, f"it lists {', '.join(named)}")


def _gold(case: Case) -> tuple[str, ...]:
    gold = case.held.question.gold
    return gold if isinstance(gold, tuple) else (str(gold),)


def _elements(case: Case) -> set[str]:
    """What an element may be: the options, and all values that sessions hold."""
    held = case.held
    options = {*held.question.space.options, *_gold(case)}
    return options | {str(each.value) for each in held.course}
