"""What people are asked: a queue of things, what is shown of each, and what may be said of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Generic, NamedTuple

from voxmem.errors import InputError
from voxmem.quality.labelling.records import L, Labels, Latest, checked, latest

OVERLAP = 50
"""Things, from the first, that every annotator labels: their agreement is computed from these."""


class Choice(NamedTuple):
    """One label on the bar of the page."""

    value: str
    name: str
    keys: str
    """That choose it, apart by spaces; the first is shown."""


@dataclass(frozen=True)
class Page:
    """What differs between the pages of two tasks.

    Attributes:
        title: Of the window.
        asks: For the name of whoever labels.
        things: What is labelled, in the plural.
        choices: The labels.
        files: Folder with ``item.html``, ``item.css`` and ``item.js``.
    """

    title: str
    asks: str
    things: str
    choices: tuple[Choice, ...]
    files: Traversable


class Audio(NamedTuple):
    """Bytes that a player takes, and what they are."""

    data: bytes
    kind: str


class Task(ABC, Generic[L]):
    """A queue that people label.

    Args:
        source: Name of the release or build.
        command: That asks for labels, without options ("voxmem audit clips").
        page: How it is shown.
        model: The row of a label.
        labels: Where they go.
        queue: Subjects, in the order in which they are labelled.
    """

    def __init__(
        self,
        source: str,
        command: str,
        page: Page,
        model: type[L],
        labels: Labels[L],
        queue: Sequence[str],
    ) -> None:
        self.source = source
        self.command = command
        self.page = page
        self.model = model
        self.labels = labels
        self.queue = queue

    # --- what a task says ---------------------------------------------------------------------

    @abstractmethod
    def identity(self, subject: str) -> Mapping[str, str]:
        """The fields of a row that say which thing is meant, and in which state.

        Raises:
            KeyError: There is no such thing.
        """

    @abstractmethod
    def card(self, subject: str) -> dict[str, Any]:
        """What the page shows from the start."""

    @abstractmethod
    def about(self, subject: str) -> dict[str, object]:
        """What a sheet shows; the same columns for every subject."""

    @property
    @abstractmethod
    def changed(self) -> str:
        """What is said where a thing is not any more what was labelled."""

    def details(self, subject: str) -> dict[str, Any]:
        """What the page shows when the subject's turn comes, of a subject in the queue."""
        return {}

    def shown(self) -> dict[str, Any]:
        """What the page shows of all."""
        return {}

    @property
    def audible(self) -> Collection[str]:
        """The SHA-256 of all that the page can play, and of nothing else."""
        return ()

    def audio(self, sha: str) -> Audio:
        """One of those.

        Raises:
            CorruptObject: It is damaged.
        """
        raise KeyError(sha)

    # --- what follows from it -----------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields of a row, as a sheet has them: which thing, who and when, the label, the
        note."""
        fields = list(self.model.model_fields)
        base = ["annotator", "time", "note"]
        own = [name for name in fields if name not in base]
        at = own.index(self.model.SAYS)
        return (*own[:at], "annotator", "time", *own[at:], "note")

    def latest(self) -> Latest[L]:
        """The labels that count."""
        return latest(self.labels.rows(), self.subject_of)

    def subject_of(self, row: L) -> str | None:
        """The thing that a row is of; ``None`` if it is not any more what was labelled."""
        try:
            identity = self.identity(row.subject)
        except KeyError:
            return None
        same = all(getattr(row, name) == value for name, value in identity.items())
        return row.subject if same else None

    def check(self, fields: Mapping[str, object]) -> L:
        """A label from what somebody has written.

        Raises:
            InputError: A field is wrong, or there is no such thing; it is named.
        """
        named = fields.get(self.model.SUBJECT)
        try:
            identity = self.identity(str(named))
        except KeyError:
            noun = self.model.SUBJECT.removesuffix("_id")
            raise InputError(f"there is no {noun} {named!r}", stage="audit") from None
        if any(fields.get(name) != value for name, value in identity.items()):
            raise InputError(self.changed, stage="audit")
        return checked(self.model, fields)

    def listing(self, annotator: str) -> dict[str, Any]:
        """The queue of one annotator, with what they said before."""
        said = self.latest()
        shared = set(self.queue[:OVERLAP])
        items = [
            {
                **self.card(name),
                "id": name,
                "key": self.identity(name),
                "shared": name in shared,
                "said": self._said(said.get(name, {}).get(annotator)),
            }
            for name in order_for(annotator, self.queue, said)
        ]
        return {"source": self.source, **self.shown(), "items": items}

    def _said(self, row: L | None) -> dict[str, Any] | None:
        if row is None:
            return None
        known = {"annotator", "time", *self.identity(row.subject)}
        return row.model_dump(mode="json", exclude=known)


def order_for(
    annotator: str, queue: Sequence[str], said: Latest[L], overlap: int = OVERLAP
) -> list[str]:
    """The queue as one annotator gets it: the first ones are the same for all; of the others those
    come first that nobody else has labelled."""

    def by_others(subject: str) -> bool:
        return any(name != annotator for name in said.get(subject, {}))

    return [*queue[:overlap], *sorted(queue[overlap:], key=by_others)]
