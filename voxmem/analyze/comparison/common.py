"""Which items two releases have in common: the same question after the same conversations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from voxmem.evaluate.items import ReleaseRows
from voxmem.records import AskedQuestion, History

Place = tuple[str, str]
"""Question and budget."""

QUESTION_FIELDS = {
    "text": "text",
    "gold": "gold",
    "expected_response": "expected response",
    "answer_type": "answer type",
    "space": "options",
    "evidence_session_ids": "evidence",
    "query_timestamp": "timestamp",
    "operation": "operation",
    "evidence_type": "evidence type",
}
"""What decides how a question is asked and judged → how it is called."""


@dataclass(frozen=True)
class Common:
    """Two releases, item by item."""

    a: ReleaseRows
    b: ReleaseRows

    @property
    def is_one_release(self) -> bool:
        return self.a.release.release_id == self.b.release.release_id

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The items that are the same in both, in the order of the first."""
        mine, theirs = _by_place(self.a), _by_place(self.b)
        if self.is_one_release:
            return tuple(mine)
        return tuple(
            place
            for place, history in mine.items()
            if place in theirs
            and not question_changes(self.a.asked[place[0]], self.b.asked[place[0]])
            and not self.history_changes(history, theirs[place])
        )

    @cached_property
    def changed(self) -> tuple[Place, ...]:
        """The items that both have, and that are not the same."""
        same, theirs = set(self.places), _by_place(self.b)
        return tuple(place for place in _by_place(self.a) if place in theirs and place not in same)

    def history_changes(self, a: History, b: History) -> tuple[str, ...]:
        """What is another in two histories of one name."""
        found = []
        if [one.session_id for one in a.placements] != [one.session_id for one in b.placements]:
            found.append("sessions")
        elif a.placements != b.placements:
            found.append("timestamps or roles")
        if any(one.session_id in self._other_words for one in (*a.placements, *b.placements)):
            found.append("words")
        return tuple(found)

    @cached_property
    def _other_words(self) -> frozenset[str]:
        """Sessions of both that are not the same."""
        theirs = self.b.sessions
        return frozenset(
            name for name, one in self.a.sessions.items() if name in theirs and one != theirs[name]
        )


def question_changes(a: AskedQuestion, b: AskedQuestion) -> tuple[str, ...]:
    """What is another in two questions of one name."""
    return tuple(
        name for field, name in QUESTION_FIELDS.items() if getattr(a, field) != getattr(b, field)
    )


def _by_place(rows: ReleaseRows) -> dict[Place, History]:
    return {(one.question_id, one.budget): one for one in rows.histories}
