"""Whether a gold answer can be had without the evidence: from the question's words, or from the
channels that are not its own (VoxMem, Table 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxmem.quality.probes import probe
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.view import ReleaseView
from voxmem.records import Question, Session
from voxmem.taxonomy import ACOUSTIC, AnswerType, EvidenceType


@probe
def gold_from_question(view: ReleaseView) -> Iterator[Task]:
    """The gold from the words of the question: yes/no questions, and all others."""
    for name, chosen in _strata(view.answerable):
        yield Task(
            f"gold of {name}, from the question",
            "text",
            [question.text for question in chosen],
            [str(question.gold) for question in chosen],
            [question.question_id for question in chosen],
        )


@probe
def gold_from_other_channels(view: ReleaseView) -> Iterator[Task]:
    """The gold from the voices, deliveries and sounds that are not asked about."""
    for evidence in EvidenceType:
        asked = [item for item in view.answerable if item.evidence_type is evidence]
        for name, chosen in _strata(asked):
            yield Task(
                f"gold of {name} over {evidence}, from the other channels",
                "labels",
                [_labels(view, question) for question in chosen],
                [str(question.gold) for question in chosen],
                [question.question_id for question in chosen],
            )


def _strata(questions: Iterable[Question]) -> Iterator[tuple[str, list[Question]]]:
    found = list(questions)
    yes_no = [item for item in found if item.answer_type is AnswerType.YES_NO]
    yield "yes/no questions", yes_no
    yield "other questions", [item for item in found if item not in yes_no]


def _labels(view: ReleaseView, question: Question) -> dict[str, str | int]:
    """What is heard in the evidence besides the item's own channel, and the form."""
    labels: dict[str, str | int] = {f"form {question.form}": 1}
    for channel in (item for item in ACOUSTIC if item is not question.evidence_type):
        for session_id in question.evidence_session_ids:
            for heard in _heard(view.sessions[session_id], channel):
                name = f"{channel} {heard}"
                labels[name] = int(labels.get(name, 0)) + 1
    return labels


def _heard(session: Session, channel: EvidenceType) -> set[str]:
    turns = session.user_turns
    if channel is EvidenceType.SPEAKER_IDENTITY:
        return {str(turn.speaker) for turn in turns}
    if channel is EvidenceType.PARALINGUISTIC:
        return {cue.value for turn in turns for cue in turn.cues}
    return {turn.sound for turn in turns if turn.sound}
