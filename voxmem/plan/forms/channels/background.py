"""The channels of background sound, one for each level of the hierarchy (VoxMem, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voxmem.plan.forms.channels import Channel, told_apart
from voxmem.query import ReadSound
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import SOUNDS

_ARTICLES = {
    "engine": "an",
    "siren": "a",
    "car horn": "a",
    "train": "a",
    "helicopter": "a",
    "clock ticking": "a",
}
_EVENTS = {event: f"{_ARTICLES.get(event, '')} {event}".lstrip() for event in SOUNDS}
_SCENES = {scene: f"a {scene} scene" for _, scene in SOUNDS.values()} | {
    "indoors": "an indoor scene"
}


def _pairs(*pairs: tuple[str, str]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in pairs)


NEAR_SOUNDS = _pairs(("rain", "sea waves"), ("engine", "train"), ("engine", "helicopter"))
"""Events that one may take for each other when a little of them is heard behind speech."""
NEAR_SCENES = _pairs(("street", "transport"), ("street", "town"), ("nature", "seaside"))
"""Scenes some of whose sounds fit the other as well: traffic is heard in a street and in a town and
is transport, the sea is part of nature."""
NEAR_CATEGORIES = _pairs(("vehicles", "alarms and signals"))
"""A car horn is of both."""


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
    spoken=_EVENTS,
    slots=_named(_EVENTS),
    named=tuple(SOUNDS),
    confusable=NEAR_SOUNDS,
    sets=told_apart(SOUNDS, 4, NEAR_SOUNDS),
    closed=False,
)
"""Sound events. Most questions name no options: any event of the vocabulary may be the answer."""
LISTED_SOUND = replace(SOUND, closed=True)
SCENE = Channel(
    name="scene",
    evidence=EvidenceType.ENVIRONMENTAL,
    read=ReadSound(level="scene"),
    carriers=_members(1),
    spoken={scene: scene for scene in _SCENES},
    slots=_named(_SCENES),
    named=("indoors", "seaside", "street"),
    confusable=NEAR_SCENES,
    sets=(
        ("nature", "indoors", "street"),
        ("seaside", "indoors", "street"),
        ("nature", "transport", "town"),
        ("seaside", "transport", "town"),
    ),
)
"""The scene that was audible, never where anybody was."""
KIND = Channel(
    name="kind",
    evidence=EvidenceType.ENVIRONMENTAL,
    read=ReadSound(level="category"),
    carriers=_members(0),
    spoken={kind: kind for kind in _members(0)},
    slots=_named({kind: kind for kind in _members(0)}),
    named=(),
    confusable=NEAR_CATEGORIES,
    sets=told_apart(_members(0), 4, NEAR_CATEGORIES),
)
"""Categories of sound."""
