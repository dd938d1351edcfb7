"""The channels of delivery: how something was said (VoxMem, Table 4)."""

from __future__ import annotations

from voxmem.plan.forms.channels import Channel
from voxmem.query import ReadCue
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import CONFUSABLE, DELIVERIES, CueDimension


def _verb(do: str, did: str, doing: str, how: str = "") -> dict[str, str]:
    forms = {"do": do, "did": did, "doing": doing}
    return {slot: f"{verb} {how}".rstrip() for slot, verb in forms.items()}


_VERBS = {
    "monotone": _verb("speak", "spoke", "speaking", "in a monotone"),
    "whispered": _verb("whisper", "whispered", "whispering"),
    "fast": _verb("speak", "spoke", "speaking", "fast"),
    "slow": _verb("speak", "spoke", "speaking", "slowly"),
    "laughter": _verb("laugh", "laughed", "laughing"),
}


def _delivery(name: str, dimension: CueDimension, choices: int) -> Channel:
    values = [value for value, of in DELIVERIES.items() if of == dimension]
    return Channel(
        name=name,
        evidence=EvidenceType.PARALINGUISTIC,
        read=ReadCue(dimension=dimension),
        carriers={value: (value,) for value in values},
        spoken={value: value for value in values},
        slots={
            value: _VERBS.get(value) or _verb("sound", "sounded", "sounding", value)
            for value in values
        },
        near=CONFUSABLE,
        choices=choices,
    )


VOICE = _delivery("voice", "vocal_state", choices=4)
RATE = _delivery("rate", "rate", choices=2)
STRESS = _delivery("stress", "emphasis", choices=1)
"""Emphasis is there or not, on the phrase of the stated value: wordings call it stress."""
LAUGH = _delivery("laugh", "event", choices=1)
"""Laughter is there or not."""
