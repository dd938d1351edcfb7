"""The controls that know the annotations."""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.evaluate.controls.control import Named, reply
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.semantics import Answer, Channel, answer, mask, observe_all


@dataclass(frozen=True)
class Oracle(Named):
    """The semantics over the annotations, as far as they are not hidden from it."""

    name: str = "oracle"
    hidden: frozenset[Channel] = frozenset()

    async def decide(self, item: Item) -> Reply:
        """What the definition comes to.

        Raises:
            UsageError: The release is not annotated.
        """
        question = item.annotated
        episodes = mask(observe_all(item.history.placements, item.sessions), self.hidden)
        decision = answer(question.query, episodes, question.asker)
        return reply(decision.value if isinstance(decision, Answer) else None)
