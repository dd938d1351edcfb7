"""Answers that are a number: counted, computed, or the number of a stage."""

from __future__ import annotations

from itertools import combinations

from voxmem import query as q
from voxmem.analyze.attribution.annotations.findings import Case
from voxmem.analyze.attribution.annotations.values import value
from voxmem.analyze.attribution.audit import Finding

_MOST = 6
"""So many numbers are tried in all their sums."""


def number(case: Case) -> Finding:
    """What a number is a result of."""
    said = case.said.number
    if said is None:
        return case.no_answer("it gives no number")
    if said == case.held.question.gold:
        return case.finding("evidence", "equivalent", f"it says {said}")
    match case.held.question.query:
        case q.Count() as query:
            return _count(case, query, said)
        case q.Sum() | q.Difference():
            return _computed(case, said)
        case q.FirstStage() | q.LastStage():
            return _stage(case, said)
        case q.Changes() | q.CountDistinct():
            return case.about_evidence("wrong_count", f"it counts {said}")
        case _:
            return value(case)


def _count(case: Case, query: q.Count, said: int) -> Finding:
    """None at all: each evidence session was taken for one that does not count. As many as meet
    the words alone: what tells the sessions apart was not heeded. More than that: made up."""
    if said == 0:
        return case.about_evidence("other_value", "it finds none of the sessions")
    selection = query.of
    anchors = selection.anchors if isinstance(selection, q.Named) else (selection.where,)
    worded = case.held.counted(anchors)
    if said in worded:
        return case.finding(
            "elsewhere", "wrong_count", f"{said} sessions meet the words of the question alone"
        )
    if said > max(worded):
        return case.finding("nowhere", "wrong_count", f"there are not {said} such sessions")
    return case.about_evidence("wrong_count", f"it counts {said}")


def _computed(case: Case, said: int) -> Finding:
    read = [each.value for each in case.held.course if isinstance(each.value, int)]
    shown = read and set(case.said.named(set(map(str, read)))) == set(map(str, read))
    if shown or said in _results(read):
        return case.about_evidence("wrong_count", f"{said} follows from the evidence", str(said))
    reading = case.held.reading
    holders = case.held.holders(reading.read, str(said)) if reading else []
    if holders:
        return case.of_session(holders[0], str(said))
    return case.finding("nowhere", "wrong_count", f"nothing comes to {said}")


def _results(read: list[int]) -> set[int]:
    """What sums and differences of some numbers come to."""
    few = read[:_MOST]
    sums = {sum(some) for size in range(1, len(few) + 1) for some in combinations(few, size)}
    return sums | {abs(one - two) for one, two in combinations(few, 2)}


def _stage(case: Case, said: int) -> Finding:
    if 1 <= said <= len(case.held.course):
        session = case.held.course[said - 1].episode
        return case.of_session(session, str(said), "other_point")
    return case.finding("nowhere", "other_point", f"there is no stage {said}")
