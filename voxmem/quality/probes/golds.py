"""Whether a gold answer can be had without the evidence: from the question's words, or from the
channels that are not its own (VoxMem, Table 4).

Questions have answers of many kinds, and their words tell the kind. What must not be told is which
answer of its kind it is: the probe is asked for the half of its form's answers that the gold lies
in, which makes one task of all questions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from voxmem.quality.probes import probe
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.view import ReleaseView
from voxmem.records import Gold, Question, Session
from voxmem.taxonomy import ACOUSTIC, AnswerType, EvidenceType


@probe
def gold_from_question(view: ReleaseView) -> Iterator[Task]:
    """The gold from the words of the question."""
    halves = _halves(view.answerable)
    yield _task("gold, from the question", "text", view.answerable, halves, _text)
    yes_no = [item for item in view.answerable if item.answer_type is AnswerType.YES_NO]
    yield _task("yes or no, from the question", "text", yes_no, halves, _text, decides=False)


@probe
def gold_from_other_channels(view: ReleaseView) -> Iterator[Task]:
    """The gold from the voices, deliveries and sounds that are not asked about. Single evidence
    types are too few for a narrow interval: they are reported, all together decide."""
    halves = _halves(view.answerable)

    def look(question: Question) -> dict[str, int]:
        return _heard_besides(view, question)

    yield _task("gold, from the other channels", "labels", view.answerable, halves, look)
    for evidence in EvidenceType:
        asked = [item for item in view.answerable if item.evidence_type is evidence]
        name = f"gold over {evidence}, from the other channels"
        yield _task(name, "labels", asked, halves, look, decides=False)


def _text(question: Question) -> str:
    return question.text


def _task(
    name: str,
    kind: Literal["text", "labels"],
    questions: Sequence[Question],
    halves: Mapping[str, str],
    look: Callable[[Question], Any],
    *,
    decides: bool = True,
) -> Task:
    chosen = [item for item in questions if item.question_id in halves]
    names = [item.question_id for item in chosen]
    return Task(name, kind, [*map(look, chosen)], [halves[item] for item in names], names, decides)


def _halves(questions: Sequence[Question]) -> dict[str, str]:
    """Question → the half of its answers that the gold lies in: of its options where they are in
    the question, else of the golds of its form. Those in the middle are left out."""
    of_form: dict[str, list[_Rank]] = defaultdict(list)
    for item in questions:
        of_form[item.form].append(_rank(item.gold))
    found: dict[str, str] = {}
    for item in questions:
        closed = item.space.closed and item.gold in item.space.options
        among = list(map(_rank, item.space.options)) if closed else of_form[item.form]
        below = sum(_rank(item.gold) > other for other in among)
        above = sum(_rank(item.gold) < other for other in among)
        if below != above:
            found[item.question_id] = "upper" if below > above else "lower"
    return found


_Rank = tuple[float, str]


def _rank(gold: Gold | None) -> _Rank:
    """What golds of one form are sorted by: numbers first."""
    if isinstance(gold, int):
        return float(gold), ""
    return math.inf, ",".join(gold) if isinstance(gold, tuple) else str(gold)


def _heard_besides(view: ReleaseView, question: Question) -> dict[str, int]:
    """What is heard in the evidence besides the item's own channel, and the form."""
    labels: dict[str, int] = {f"form {question.form}": 1}
    for channel in (item for item in ACOUSTIC if item is not question.evidence_type):
        for session_id in question.evidence_session_ids:
            for heard in _heard(view.sessions[session_id], channel):
                for name in (f"{channel} {heard}", f"{question.form}: {channel} {heard}"):
                    labels[name] = labels.get(name, 0) + 1
    return labels


def _heard(session: Session, channel: EvidenceType) -> set[str]:
    turns = session.user_turns
    if channel is EvidenceType.SPEAKER_IDENTITY:
        return {str(turn.speaker) for turn in turns}
    if channel is EvidenceType.PARALINGUISTIC:
        return {cue.value for turn in turns for cue in turn.cues}
    return {turn.sound for turn in turns if turn.sound}
