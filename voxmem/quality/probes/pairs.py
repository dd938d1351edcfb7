"""Whether anything but the cue tells an answer-refusal item from its source."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.probes import probe
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.view import ReleaseView, assistant_text, user_text
from voxmem.records import History, Question


@probe
def refusal_or_source(view: ReleaseView) -> Iterator[Task]:
    """A refusal item against the question it was made from: by words, and by lengths."""
    by_id = {question.question_id: question for question in view.questions}
    words, numbers, classes, groups = [], [], [], []
    for variant in view.questions:
        source = by_id.get(variant.source_question_id or "")
        if source is None:
            continue
        for label, question in (("refusal", variant), ("source", source)):
            history = view.longest(question)
            words.append(_words(view, question, history))
            numbers.append(_numbers(view, question))
            classes.append(label)
            groups.append(source.question_id)
    yield Task("refusal or source, from text", "text", words, classes, groups)
    yield Task("refusal or source, from lengths and counts", "numbers", numbers, classes, groups)


def _words(view: ReleaseView, question: Question, history: History) -> str:
    """The question and all sessions but fillers: those are the same in both."""
    sessions = [
        view.sessions[place.session_id] for place in history.placements if place.role != "filler"
    ]
    spoken = (f"{user_text(session)} {assistant_text(session)}" for session in sessions)
    return " ".join((question.text, *spoken))


def _numbers(view: ReleaseView, question: Question) -> tuple[float, ...]:
    found: list[float] = []
    for history in view.histories[question.question_id]:
        found += [len(history.placements), history.length.audio_seconds, history.length.tokens]
    return tuple(found)
