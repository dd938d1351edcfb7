"""Answers that decide: yes or no, which of several sessions, more or less."""

from __future__ import annotations

from voxmem import query as q
from voxmem.analyze.attribution.annotations.findings import Case
from voxmem.analyze.attribution.annotations.values import place
from voxmem.analyze.attribution.audit import Finding


def polar(case: Case) -> Finding:
    """A yes for a no, or the reverse."""
    held = case.held
    said = case.said.polarity(held.question.text)
    if said is None:
        return case.no_answer("it says neither yes nor no")
    if said == held.question.gold:
        return case.finding("evidence", "equivalent", f"it says {said}")
    match held.question.query:
        case q.IsAsker(same_as=None):
            session = next((each.episode.session_id for each in held.course[-1:]), None)
            return case.finding(
                "other_speaker", "other_value", f"it says {said} to whose voice it is",
                session=session,
            )  # fmt: skip
        case q.Is() as query if said == "yes" and held.reading is not None:
            return _affirmed(case, query, held.reading)
        case _:
            return case.about_evidence("wrong_comparison", f"it decides {said}")


def _affirmed(case: Case, query: q.Is, reading: q.Reading) -> Finding:
    found = place(case, str(query.value), reading.read)
    if found.source == "nowhere":
        return case.about_evidence("wrong_comparison", f"it says that it is {query.value!r}")
    return found


def label(case: Case) -> Finding:
    """Another of the sessions, or of the directions, that are compared."""
    question = case.held.question
    named = dict.fromkeys(case.said.named(question.space.options))
    gold = str(question.gold)
    if list(named) == [gold]:
        return case.finding("evidence", "equivalent", f"it says {gold!r}")
    if not named:
        return case.no_answer("it names none of those that are compared")
    return case.about_evidence("wrong_comparison", f"it decides for {', '.join(named)}")


def prevailing(case: Case) -> Finding:
    """Another of the values of which one occurs most often."""
    reading = case.held.reading
    assert reading is not None
    question = case.held.question
    named = dict.fromkeys(case.said.named(question.space.options))
    gold = str(question.gold)
    if list(named) == [gold]:
        return case.finding("evidence", "equivalent", f"it says {gold!r}")
    if not named:
        return case.no_answer("it names none of the values")
    said = next(each for each in named if each != gold)
    if said in {str(each.value) for each in case.held.course}:
        return case.about_evidence("wrong_comparison", f"it decides for {said!r}", said)
    return place(case, said, reading.read)
