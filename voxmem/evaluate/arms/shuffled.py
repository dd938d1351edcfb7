"""The sessions in another order, each under its own time: whoever reads the times loses nothing."""

from __future__ import annotations

from voxmem.evaluate.arms import audio
from voxmem.evaluate.arms.arm import Arm
from voxmem.keys import rng
from voxmem.messages import Conversation
from voxmem.models.item import Item


def tell(item: Item, system: str) -> Conversation:
    """As audio, with the sessions in a random order that follows from the item's id. It is never
    their own, where there are two or more."""
    told = audio.tell(item, system)
    order = list(range(len(told.sessions)))
    random = rng("shuffled", item.item_id)
    while len(order) > 1 and order == sorted(order):
        random.shuffle(order)
    return told.model_copy(update={"sessions": tuple(told.sessions[at] for at in order)})


SHUFFLED = Arm(
    "shuffled", tell, "as audio, with the sessions in random order under their own times"
)
