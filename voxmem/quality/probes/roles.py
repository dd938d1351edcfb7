"""Whether anything but its content tells a session's role (VoxMem, §3.2 and Table 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Literal

from voxmem.quality.probes import probe
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.view import ReleaseView, assistant_text
from voxmem.records import Placement, Question

ROLES = ("evidence", "samekey_haystack", "topical_haystack", "filler")
PER_QUESTION = 3
"""Sessions of one role and one question that are looked at, and as many of the other roles."""

Look = Callable[[ReleaseView, Question, int, Placement], Any]


def _length(view: ReleaseView, question: Question, at: int, place: Placement) -> Any:
    length = view.lengths[place.session_id]
    return (length.audio_seconds, length.audio_tokens, length.text_tokens)


def _position(view: ReleaseView, question: Question, at: int, place: Placement) -> Any:
    count = len(view.longest(question).placements)
    return (at, count - 1 - at, (at + 0.5) / count)


def _timestamp(view: ReleaseView, question: Question, at: int, place: Placement) -> Any:
    places = view.longest(question).placements
    when = place.timestamp
    before = places[at - 1].timestamp if at else when
    after = places[at + 1].timestamp if at + 1 < len(places) else question.query_timestamp
    return (
        when.hour,
        when.minute,
        when.weekday(),
        when.day,
        _hours(before, when),
        _hours(when, after),
    )


def _turns(view: ReleaseView, question: Question, at: int, place: Placement) -> Any:
    session = view.sessions[place.session_id]
    return (len(session.user_turns), len(session.turns))


def _replies(view: ReleaseView, question: Question, at: int, place: Placement) -> Any:
    return assistant_text(view.sessions[place.session_id])


def _hours(one: datetime, two: datetime) -> float:
    return (two - one).total_seconds() / 3600


_LOOKS: tuple[tuple[str, Literal["text", "numbers"], Look], ...] = (
    ("length", "numbers", _length),
    ("position", "numbers", _position),
    ("timestamp", "numbers", _timestamp),
    ("turn counts", "numbers", _turns),
    ("assistant text", "text", _replies),
)


@probe
def roles(view: ReleaseView) -> Iterator[Task]:
    """Each role against the others, from one kind of trace at a time."""
    for role in ROLES:
        samples = [
            (question, at, place, place.role == role)
            for question in view.answerable
            for at, place in _balanced(view, question, role)
        ]
        classes = [role if same else "other" for *_, same in samples]
        groups = [question.question_id for question, *_ in samples]
        for name, kind, look in _LOOKS:
            rows = [look(view, question, at, place) for question, at, place, _ in samples]
            yield Task(f"{role}, from {name}", kind, rows, classes, groups)


def _balanced(view: ReleaseView, question: Question, role: str) -> list[tuple[int, Placement]]:
    """As many sessions of the role as of the others, the others role by role in turn."""
    own = view.sample(view.placed(question, role), PER_QUESTION, "role", role, question.question_id)
    others = [
        view.sample(view.placed(question, other), PER_QUESTION, "other", role, question.question_id)
        for other in ROLES
        if other != role
    ]
    ranked = [found[rank] for rank in range(PER_QUESTION) for found in others if rank < len(found)]
    count = min(len(own), len(ranked))
    return own[:count] + ranked[:count]
