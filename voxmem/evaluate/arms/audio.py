"""The protocol itself: user turns as audio, replies as text, the query spoken."""

from __future__ import annotations

from voxmem.evaluate.arms.arm import Arm
from voxmem.messages import Conversation, converse
from voxmem.models.item import Item


def tell(item: Item, system: str) -> Conversation:
    """The history and the query as the papers evaluate them (VoxMem, Appendix C.2)."""
    return converse(
        system, item.spoken_sessions(), item.question.query_timestamp, item.question_clip
    )


AUDIO = Arm("audio", tell, "user turns as audio: the published protocol")
NO_ABSTENTION = Arm(
    "no-abstention",
    tell,
    "as audio, with the prompt that always asks for an answer (VoxMem, Table 2)",
    prompt_name="candidate_no_abstain",
)
