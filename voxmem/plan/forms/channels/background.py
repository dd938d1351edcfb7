"""The channels of background sound, one for each level of the hierarchy (VoxMem, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voxmem.plan.forms.channels import Channel
from voxmem.plan.near import ALSO, NEAR_SOUNDS
from voxmem.query import ReadSound
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import ANYWHERE, SOUNDS

_BEFORE: Mapping[str, tuple[str, ...]] = {
    "a": (
        "can opening", "car horn", "cat", "chainsaw", "clock ticking", "cow", "crackling fire",
        "creaking door", "crow", "crying baby", "dog barking", "door knock", "frog", "hand saw",
        "helicopter", "hen", "mouse click", "pig", "rooster", "sheep", "siren", "thunderstorm",
        "toilet flushing", "train", "vacuum cleaner", "washing machine",
    ),
    "an": ("airplane", "alarm clock", "engine"),
    "somebody": ("brushing teeth", "clapping", "snoring"),
}  # fmt: skip
"""What is said before the name of an event; nothing before the others."""
EVENTS = dict.fromkeys(SOUNDS, "") | {
    event: f"{word} " for word, events in _BEFORE.items() for event in events
}
EVENTS = {event: f"{before}{event}" for event, before in EVENTS.items()}
"""Event → as one says that it was heard."""
_SCENES = {
    "bad weather": "a scene of bad weather",
    "farm": "a farm scene",
    "indoors": "an indoor scene",
    "nature": "a nature scene",
    "seaside": "a seaside scene",
    "street": "a street scene",
    "town": "a town scene",
    "transport": "a transport scene",
    "woodcutting": "a woodcutting scene",
}


def _members(level: int) -> dict[str, tuple[str, ...]]:
    """The events of every category (0) or scene (1)."""
    found: dict[str, tuple[str, ...]] = {}
    for event, levels in SOUNDS.items():
        found[levels[level]] = (*found.get(levels[level], ()), event)
    return found


def _named(phrases: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {value: {"it": phrase} for value, phrase in phrases.items()}


SOUND = Channel(
    name="sound",
    evidence=EvidenceType.ENVIRONMENTAL,
    read=ReadSound(level="event"),
    carriers={event: (event,) for event in SOUNDS},
    spoken=EVENTS,
    slots=_named(EVENTS),
    near=NEAR_SOUNDS,
    choices=4,
    closed=False,
)
"""Sound events. Most questions name no options: any event of the palette may be the answer."""
LISTED_SOUND = replace(SOUND, closed=True)
SCENE = Channel(
    name="scene",
    evidence=EvidenceType.ENVIRONMENTAL,
    read=ReadSound(level="scene"),
    carriers={scene: events for scene, events in _members(1).items() if scene != ANYWHERE},
    spoken={scene: scene for scene in _SCENES},
    slots=_named(_SCENES),
    near=frozenset(),
    choices=3,
    also=ALSO,
)
"""The scene that was audible, never where anybody was."""
KIND = Channel(
    name="kind",
    evidence=EvidenceType.ENVIRONMENTAL,
    read=ReadSound(level="category"),
    carriers=_members(0),
    spoken={kind: kind for kind in _members(0)},
    slots=_named({kind: kind for kind in _members(0)}),
    near=frozenset(),
    choices=4,
    also=ALSO,
)
"""Categories of sound."""
