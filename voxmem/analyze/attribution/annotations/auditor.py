"""Which function audits which operation of the algebra."""

from __future__ import annotations

from collections.abc import Callable

from voxmem import query as q
from voxmem.analyze.attribution.annotations import lists, numbers, values, verdicts
from voxmem.analyze.attribution.annotations.findings import Case
from voxmem.analyze.attribution.annotations.held import Held
from voxmem.analyze.attribution.annotations.said import Said
from voxmem.analyze.attribution.audit import Finding
from voxmem.judge.rule import grade
from voxmem.models.item import Item
from voxmem.records import Response
from voxmem.taxonomy import AnswerType

_AUDITS: dict[type[q.Term], Callable[[Case], Finding]] = {
    q.Same: verdicts.polar,
    q.IsAsker: verdicts.polar,
    q.Is: verdicts.polar,
    q.Majority: verdicts.polar,
    q.Recurs: verdicts.polar,
    q.Count: numbers.number,
    q.CountDistinct: numbers.number,
    q.Sum: numbers.number,
    q.Difference: numbers.number,
    q.Changes: numbers.number,
    q.FirstStage: numbers.number,
    q.LastStage: numbers.number,
    q.MoreOf: verdicts.label,
    q.OddOneOut: verdicts.label,
    q.Extreme: verdicts.label,
    q.Direction: verdicts.label,
    q.Dominant: verdicts.prevailing,
    q.WhichOf: lists.chosen,
    q.Alike: lists.chosen,
    q.Merge: lists.collected,
    q.Sequence: lists.sequence,
    q.AskerStages: lists.turns_of_speakers,
    q.Handoff: lists.turns_of_speakers,
}
"""Everything else reads one value."""


class AnnotationAuditor:
    """Audits by annotations. ``version`` changes whenever a finding can."""

    name = "rule"
    version = "3"

    @property
    def identity(self) -> str:
        """Name and version, as rows carry them."""
        return f"{self.name}-{self.version}"

    def audit(self, item: Item, response: Response) -> Finding:
        """What it finds of one wrong response.

        Raises:
            UsageError: The release was imported: it carries no annotations.
        """
        held = Held(item)
        case = Case(held, Said(response.text or ""))
        if grade(held.question, response.text or "")[0]:
            return case.finding("evidence", "equivalent", "the rule judge takes it as right")
        return _audit_of(held)(case)


def _audit_of(held: Held) -> Callable[[Case], Finding]:
    query = held.question.query
    if isinstance(query, q.WhoseVoice):
        return lambda case: values.person(case, query)
    if type(query) in _AUDITS:
        return _AUDITS[type(query)]
    if held.question.answer_type is AnswerType.NUMBER:
        return numbers.number
    return values.value
