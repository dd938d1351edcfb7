"""Templates with slots: texts in which {names} stand for one of several wordings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

_SLOT = re.compile(r"\{(\w+)\}")


def fill(
    text: str,
    slots: Mapping[str, Sequence[str]],
    draw: Random,
    given: Mapping[str, str] | None = None,
) -> str:
    """``text`` with every slot filled: from ``given`` if it is named there, else by a draw."""
    known = given or {}
    return _SLOT.sub(lambda slot: known.get(slot[1]) or draw.choice(slots[slot[1]]), text)
