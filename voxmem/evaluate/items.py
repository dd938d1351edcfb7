"""The items of a release: questions over their histories, with everything they name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from voxmem.errors import InputError
from voxmem.models.item import Item
from voxmem.records import Check, Clip, ClipSpec, History, Question, Record, Retake, Session
from voxmem.speech.clips import question_spec, spec_of
from voxmem.store.release import Release
from voxmem.store.root import Root

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, eq=False)
class ReleaseRows:
    """A release's tables, each read once, on first use."""

    root: Root
    release: Release

    @cached_property
    def questions(self) -> dict[str, Question]:
        return {row.question_id: row for row in self._rows("questions", Question)}

    @cached_property
    def histories(self) -> list[History]:
        """Of the admitted questions, in the order of the questions and their budgets."""
        rows = self._rows("histories", History)
        return [row for row in rows if row.question_id in self.questions]

    @cached_property
    def sessions(self) -> dict[str, Session]:
        return {row.session_id: row for row in self._rows("sessions", Session)}

    @cached_property
    def clips(self) -> dict[ClipSpec, Clip]:
        return {row.spec: row for row in self._rows("clips", Clip)}

    @cached_property
    def session_checks(self) -> list[Check]:
        return self._rows("session_checks", Check)

    @cached_property
    def retakes(self) -> list[Retake]:
        return self._rows("retakes", Retake)

    @property
    def build_id(self) -> str:
        """The build it was published from, which names its plans."""
        return self.release.tables["plans"].parts[0]

    @cached_property
    def family_checks(self) -> list[Check]:
        return self._rows("family_checks", Check)

    def clip(self, spec: ClipSpec) -> Clip:
        """The clip of a specification.

        Raises:
            InputError: The release has no such clip.
        """
        try:
            return self.clips[spec]
        except KeyError:
            raise InputError(
                "the release has no clip of this turn",
                item=spec.text[:60],
                stage="evaluate",
                remedy="build the release again",
            ) from None

    def items(self, budgets: Iterable[str] | None = None) -> list[Item]:
        """All items, or those of some budgets."""
        wanted = None if budgets is None else set(budgets)
        return [
            self._item(history)
            for history in self.histories
            if wanted is None or history.budget in wanted
        ]

    def _item(self, history: History) -> Item:
        question = self.questions[history.question_id]
        sessions = {
            place.session_id: self.sessions[place.session_id] for place in history.placements
        }
        clips = {
            (name, at): self.clip(spec_of(turn))
            for name, session in sessions.items()
            for at, turn in enumerate(session.user_turns)
        }
        return Item(
            question=question,
            history=history,
            sessions=sessions,
            clips=clips,
            question_clip=self.clip(question_spec(question)),
            read_audio=self.root.objects.get,
        )

    def _rows(self, table: str, model: type[R]) -> list[R]:
        return self.root.tables.read(table, model, self.release.tables[table].parts)
