"""What was said to one question, what every judge made of it, and where its errors came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.labels import label
from voxmem.analyze.report.index import SIGNS
from voxmem.analyze.report.people import People
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.scores import mark_of
from voxmem.records import Response, Verdict

Replies = dict[str, list[dict[str, Any]]]
"""Budget → the responses there, in the order of the entrants."""


class Replied:
    """All responses of an analysis, by question."""

    def __init__(
        self,
        roster: Roster,
        scored_by_judge: Mapping[str, Sequence[Scored]],
        leading: str,
        attributions: Iterable[Attribution],
        people: People,
    ) -> None:
        """
        Args:
            roster: Whose responses are shown.
            scored_by_judge: Judge → responses with its verdicts.
            leading: The judge whose verdict is the sign of a response.
            attributions: Of wrong responses, by any auditors.
            people: What they said of responses.
        """
        self._people = people
        self._roster = roster
        self._verdicts: dict[str, list[Verdict]] = {}
        self._signs: dict[str, str] = {}
        self._by_question: dict[str, dict[str, Response]] = {}
        for judge, scored in scored_by_judge.items():
            for row in scored:
                self._add(row, leads=judge == leading)
        self._found: dict[str, list[Attribution]] = {}
        for one in attributions:
            self._found.setdefault(one.response_id, []).append(one)

    def to(self, question_id: str) -> Replies:
        """What was said to a question."""
        placed = [
            (place, response)
            for response in self._by_question.get(question_id, {}).values()
            if (place := self._roster.place(response)) is not None
        ]
        found: Replies = {}
        for place, response in sorted(placed, key=lambda one: one[0]):
            found.setdefault(response.budget, []).append(self._reply(place, response))
        return found

    def _add(self, row: Scored, *, leads: bool) -> None:
        name = row.response.response_id
        self._by_question.setdefault(row.question.question_id, {}).setdefault(name, row.response)
        self._verdicts.setdefault(name, []).append(row.verdict)
        if leads:
            self._signs.setdefault(name, SIGNS[mark_of(row)])

    def _reply(self, place: int, response: Response) -> dict[str, Any]:
        name = response.response_id
        call, usage = response.call, response.usage
        return {"entrant": place} | _filled(
            sign=self._signs.get(name, "-"),
            outcome="" if response.outcome == "ok" else label(response.outcome).lower(),
            text=response.text,
            error=response.error,
            verdicts=[_verdict(one) for one in self._verdicts[name]],
            errors=[_attribution(one) for one in self._found.get(name, ())],
            people=self._people.of_response(response),
            seconds=round(call.seconds, 1),
            dollars=call.dollars,
            tokens=usage.output_tokens,
            thinking=usage.thinking_tokens,
            notes=call.notes,
        )


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return _filled(
        judge=verdict.judge,
        status=label(verdict.status).lower(),
        detail=verdict.detail,
        reply=verdict.reply,
        votes=[[vote.judge, label(vote.status).lower(), vote.detail] for vote in verdict.votes],
    )


def _attribution(one: Attribution) -> dict[str, Any]:
    return _filled(
        auditor=one.auditor,
        excluded=one.excluded,
        found=label(one.error_class) if one.error_class else "",
        rule=one.rule,
        session=one.source_session,
        quote=one.quote,
    )


def _filled(**fields: Any) -> dict[str, Any]:
    """Without what is empty; an empty text that was said stays."""
    return {
        name: value for name, value in fields.items() if value or (name == "text" and value == "")
    }
