"""What probes may look at: a release's questions, histories and sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from voxmem.keys import rng
from voxmem.quality.probes.recordings import Recordings
from voxmem.records import History, Length, Placement, Question, Session


@dataclass(frozen=True)
class ReleaseView:
    """A release as a probe sees it.

    Args:
        questions: All questions, admitted variants included.
        histories: Of every question, shortest first.
        sessions: By id.
        lengths: Session id → its length without its timestamp.
        seed: Draws the samples.
        recordings: What was spoken; ``None`` for a text-only build.
    """

    questions: Sequence[Question]
    histories: Mapping[str, Sequence[History]]
    sessions: Mapping[str, Session]
    lengths: Mapping[str, Length]
    seed: int
    recordings: Recordings | None = None

    @cached_property
    def answerable(self) -> tuple[Question, ...]:
        return tuple(item for item in self.questions if item.gold is not None)

    def longest(self, question: Question) -> History:
        """The history of a question at the largest budget."""
        return self.histories[question.question_id][-1]

    def placed(self, question: Question, role: str) -> list[tuple[int, Placement]]:
        """The sessions of a role in the longest history, with their positions."""
        return [
            (at, place)
            for at, place in enumerate(self.longest(question).placements)
            if place.role == role
        ]

    def some(self, questions: Iterable[Question], count: int, purpose: str) -> list[Question]:
        """``count`` of them in seeded order, or all if there are fewer."""
        items = list(questions)
        return rng("probe", self.seed, purpose).sample(items, min(count, len(items)))

    def sample(
        self, items: Sequence[tuple[int, Placement]], count: int, *parts: str
    ) -> list[tuple[int, Placement]]:
        """``count`` of them, or all if there are fewer."""
        return rng("probe", self.seed, *parts).sample(list(items), min(count, len(items)))


def user_text(session: Session) -> str:
    """The words of the user's side."""
    return " ".join(turn.text for turn in session.user_turns)


def assistant_text(session: Session) -> str:
    """The words of the assistant's side."""
    return " ".join(turn.text for turn in session.turns if turn.role == "assistant")
