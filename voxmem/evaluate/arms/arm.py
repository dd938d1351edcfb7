"""What an arm is: one way of telling an item to a system under test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voxmem.errors import UsageError
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.models.told import Told
from voxmem.prompts import Prompt, Prompts
from voxmem.records import Question

Tell = Callable[[Item, str], Conversation]
"""An item and the system text → the conversation. It raises
:class:`~voxmem.errors.UsageError` where the item lacks what the arm needs."""


@dataclass(frozen=True)
class Arm:
    """One arm. Its name is in every row, its revision in every row's key."""

    name: str
    tell: Tell
    what: str
    """In a sentence, for ``--help`` and reports."""
    revision: int = 1
    """Raise it when the same item is told in another way."""
    prompt_name: str = "candidate"

    def prompt(self, prompts: Prompts) -> Prompt:
        """The system prompt of the arm."""
        found: Prompt = getattr(prompts, self.prompt_name)
        return found

    def told(self, item: Item, prompts: Prompts) -> Told:
        """The item as the arm tells it.

        Raises:
            UsageError: The item lacks what the arm needs: annotations, a paired rendition.
        """
        question = item.question
        return Told(
            item_id=item.item_id,
            conversation=self.tell(item, self.prompt(prompts).text),
            read_audio=item.read_audio,
            meaning=question.query if isinstance(question, Question) else None,
        )


ARMS: dict[str, Arm] = {}
"""Name → arm, in the order of reports. Filled by :func:`register`."""


def register(arm: Arm) -> Arm:
    """Adds an arm."""
    ARMS[arm.name] = arm
    return arm


def arm_named(name: str) -> Arm:
    """The arm of that name.

    Raises:
        UsageError: There is none; the known names are listed.
    """
    if name not in ARMS:
        raise UsageError(
            f"there is no arm {name!r}",
            stage="evaluate",
            remedy=f"choose one of: {', '.join(ARMS)}",
        )
    return ARMS[name]
