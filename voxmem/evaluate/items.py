"""The items of a release: questions over their histories, with everything they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from voxmem.errors import InputError, UsageError
from voxmem.models.item import Item
from voxmem.records import (
    AskedQuestion,
    Check,
    Clip,
    ClipSpec,
    History,
    ImportedClip,
    Question,
    Record,
    Retake,
    Session,
    StoredClip,
)
from voxmem.speech.clips import question_spec, spec_of
from voxmem.store.release import Release, load
from voxmem.store.root import Root, open_root

R = TypeVar("R", bound=Record)
IMPORTED_CLIPS = "imported_clips"
"""The table that only imported releases have."""


@dataclass(frozen=True, eq=False)
class ReleaseRows:
    """A release's tables, each read once, on first use."""

    root: Root
    release: Release

    @property
    def is_imported(self) -> bool:
        """Whether it is a dataset of others: its questions have no meaning but their words, its
        sessions no annotations, and its clips no specification."""
        return IMPORTED_CLIPS in self.release.tables

    @property
    def is_spoken(self) -> bool:
        """Whether it has sound: a release that was built as text alone has none."""
        return self.is_imported or bool(self.release.objects)

    @cached_property
    def asked(self) -> Mapping[str, AskedQuestion]:
        """The questions, for everything that needs no annotations."""
        if self.is_imported:
            return {row.question_id: row for row in self._rows("questions", AskedQuestion)}
        return self.questions

    @cached_property
    def questions(self) -> dict[str, Question]:
        """The questions with their meaning.

        Raises:
            UsageError: The release was imported.
        """
        if self.is_imported:
            raise UsageError(
                "this release was imported: it carries no annotations",
                item=self.release.release_id,
                remedy="use a release that was built here",
            )
        return {row.question_id: row for row in self._rows("questions", Question)}

    @cached_property
    def histories(self) -> list[History]:
        """Of the admitted questions, in the order of the questions and their budgets."""
        rows = self._rows("histories", History)
        return [row for row in rows if row.question_id in self.asked]

    @cached_property
    def sessions(self) -> dict[str, Session]:
        return {row.session_id: row for row in self._rows("sessions", Session)}

    @cached_property
    def clips(self) -> dict[ClipSpec, Clip]:
        return {row.spec: row for row in self._rows("clips", Clip)}

    @cached_property
    def imported_clips(self) -> dict[tuple[str, int], ImportedClip]:
        """By session or question, and user turn."""
        return {(row.owner, row.turn): row for row in self._rows(IMPORTED_CLIPS, ImportedClip)}

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
        question = self.asked[history.question_id]
        sessions = {
            place.session_id: self.sessions[place.session_id] for place in history.placements
        }
        return Item(
            question=question,
            history=history,
            sessions=sessions,
            clips={
                (name, at): clip
                for name, session in sessions.items()
                for at, clip in enumerate(self._clips_of(session))
            },
            question_clip=self.question_clip(question),
            read_audio=self.root.objects.get,
        )

    @cached_property
    def _session_clips(self) -> dict[str, tuple[StoredClip, ...]]:
        """Of the sessions that were needed so far: they recur in many histories."""
        return {}

    def _clips_of(self, session: Session) -> tuple[StoredClip, ...]:
        found = self._session_clips.get(session.session_id)
        if found is None:
            turns = range(len(session.user_turns))
            found = tuple(self.turn_clip(session, at) for at in turns)
            self._session_clips[session.session_id] = found
        return found

    def turn_clip(self, session: Session, at: int) -> StoredClip:
        """The clip of a user turn, counted from 0.

        Raises:
            InputError: The release has none.
        """
        if self.is_imported:
            return self._imported(session.session_id, at)
        return self.clip(spec_of(session.user_turns[at]))

    def question_clip(self, question: AskedQuestion) -> StoredClip:
        """The clip of a question.

        Raises:
            InputError: The release has none.
        """
        if isinstance(question, Question):
            return self.clip(question_spec(question))
        return self._imported(question.question_id, 0)

    def _imported(self, owner: str, turn: int) -> ImportedClip:
        try:
            return self.imported_clips[owner, turn]
        except KeyError:
            raise InputError(
                f"user turn {turn + 1} has no audio",
                item=owner,
                stage="evaluate",
                remedy="import the dataset again",
            ) from None

    def _rows(self, table: str, model: type[R]) -> list[R]:
        return self.root.tables.read(table, model, self.release.tables[table].parts)


def open_release(root: str, release: str) -> ReleaseRows:
    """The rows of a release, by its name or id in a root: read as they are asked for.

    Raises:
        UsageError: There is no such release, or several have that name.
    """
    folder = open_root(root)
    return ReleaseRows(folder, load(folder, release))
