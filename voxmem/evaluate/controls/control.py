"""What the controls share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from voxmem.keys import key
from voxmem.models.outcome import Reply
from voxmem.records import Gold

REFUSAL = "insufficient evidence"
"""The reply that the candidate prompt asks for where no single answer is determined."""


@dataclass(frozen=True)
class Named:
    """A control with a name and a revision, which decide what it says."""

    name: str
    kind: ClassVar[Literal["control"]] = "control"
    revision: ClassVar[str] = "1"

    @property
    def fingerprint(self) -> str:
        return key("control", self.name, self.revision)


def as_text(gold: Gold) -> str:
    """An answer as a reply states it."""
    return ", ".join(gold) if isinstance(gold, tuple) else str(gold)


def reply(gold: Gold | None) -> Reply:
    """The reply that states an answer, or that there is none."""
    return Reply(outcome="ok", text=REFUSAL if gold is None else as_text(gold))
