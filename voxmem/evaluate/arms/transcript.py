"""What was said and nothing of how it sounded (VoxMem, Table 2, transcript-only).

The query is a user turn like any other, so it is told as its words too: its voice would be the only
one to be heard, with none to compare it with.
"""

from __future__ import annotations

from voxmem.evaluate.arms.arm import Arm
from voxmem.evaluate.arms.written import written
from voxmem.messages import Conversation
from voxmem.models.item import Item


def tell(item: Item, system: str) -> Conversation:
    """User turns and the query as the words that were spoken.

    Raises:
        UsageError: The release does not have them.
    """
    return written(item, system, lambda turn: turn.text, item.question.text)


TRANSCRIPT = Arm("transcript", tell, "user turns and the query as their words, without any audio")
TRANSCRIPT_NO_ABSTENTION = Arm(
    "transcript-no-abstention",
    tell,
    "as transcript, with the prompt that always asks for an answer (VoxMem, Table 2)",
    prompt_name="candidate_no_abstain",
)
