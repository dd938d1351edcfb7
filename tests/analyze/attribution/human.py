"""Errors that were classed by reading each, with their annotated items: 100 of the ``small``
release, on which the auditor was mended, and 42 of the demo's, which it was only tried on.

A line of ``human_<release>.jsonl`` is a session, a question, a history or an error. Of sessions
those user turns are kept that state something, carry a cue, or show a voice or a sound. The errors
are of memory systems, as far as they commit to a wrong answer there, and of the controls;
stratified by evidence type and subtype. All were classed before the auditor's classes were looked
at, by one reader, who also wrote the auditor.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from voxmem.models.item import Item
from voxmem.records import History, Question, Response, Session, StoredClip


class Classed(NamedTuple):
    """One error and what it is."""

    item: Item
    response: Response
    error_class: str
    why: str


@cache
def errors(release: str) -> tuple[Classed, ...]:
    """Those of a release, in the order of the file."""
    file = Path(__file__).parent / f"human_{release}.jsonl"
    kinds: dict[str, list[Any]] = {"session": [], "question": [], "history": [], "error": []}
    for line in file.read_text("utf-8").splitlines():
        (kind, value), *_ = json.loads(line).items()
        kinds[kind].append(value)
    sessions = {one["session_id"]: Session.model_validate(one) for one in kinds["session"]}
    questions = {one["question_id"]: Question.model_validate(one) for one in kinds["question"]}
    histories = {one["item_id"]: History.model_validate(one) for one in kinds["history"]}
    return tuple(
        _classed(number, one, questions, histories, sessions)
        for number, one in enumerate(kinds["error"])
    )


def _classed(
    number: int,
    error: dict[str, Any],
    questions: dict[str, Question],
    histories: dict[str, History],
    sessions: dict[str, Session],
) -> Classed:
    history = histories[error["item_id"]]
    question = questions[history.question_id]
    response = Response(
        response_id=f"{number:03}", item_id=history.item_id, question_id=question.question_id,
        budget=history.budget, system=error["system"], arm="audio", outcome="ok",
        text=error["response"], prompt_hash="",
    )  # fmt: skip
    item = Item(question, history, sessions, {}, StoredClip(sha256="", samples=0), lambda sha: b"")
    return Classed(item, response, error["error_class"], error["why"])
