"""What one may take for something else: topics, sounds and deliveries that are too near to each
other to be told apart by whoever answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from voxmem.plan.catalog import catalog
from voxmem.semantics.view import at_level
from voxmem.vocabulary import ANYWHERE, CONFUSABLE, DELIVERIES, SOUNDS, CueDimension

# --- sounds -----------------------------------------------------------------------------------

NEAR_SOUNDS = frozenset(
    frozenset(pair)
    for pair in (
        # noise without pitch: water, wind, fire and hands
        ("rain", "sea waves"), ("rain", "wind"), ("rain", "thunderstorm"),
        ("rain", "pouring water"), ("rain", "crackling fire"), ("rain", "clapping"),
        ("rain", "water drops"), ("sea waves", "wind"), ("thunderstorm", "wind"),
        ("thunderstorm", "fireworks"), ("pouring water", "water drops"),
        ("pouring water", "toilet flushing"), ("crackling fire", "fireworks"),
        ("clapping", "fireworks"),
        # animals, and voices like theirs
        ("hen", "rooster"), ("hen", "crow"), ("frog", "crow"), ("frog", "pig"), ("pig", "snoring"),
        ("crickets", "insects"), ("birds", "crickets"), ("birds", "rooster"), ("cow", "sheep"),
        ("cat", "crying baby"), ("sheep", "crying baby"), ("crow", "dog barking"),
        ("creaking door", "crow"),
        # motors
        ("engine", "train"), ("engine", "helicopter"), ("engine", "airplane"),
        ("engine", "chainsaw"), ("engine", "washing machine"), ("engine", "vacuum cleaner"),
        ("airplane", "helicopter"), ("airplane", "train"), ("airplane", "vacuum cleaner"),
        ("airplane", "washing machine"), ("airplane", "wind"), ("helicopter", "train"),
        ("helicopter", "chainsaw"), ("train", "washing machine"),
        ("vacuum cleaner", "washing machine"), ("vacuum cleaner", "chainsaw"),
        ("vacuum cleaner", "wind"), ("insects", "chainsaw"),
        # strokes
        ("hand saw", "brushing teeth"), ("hand saw", "snoring"), ("hand saw", "chainsaw"),
        # knocks and clicks
        ("door knock", "footsteps"), ("footsteps", "clock ticking"),
        ("clock ticking", "mouse click"), ("clock ticking", "keyboard typing"),
        ("clock ticking", "water drops"), ("keyboard typing", "mouse click"),
        ("can opening", "mouse click"), ("can opening", "glass breaking"),
        # tones
        ("alarm clock", "car horn"), ("alarm clock", "siren"), ("alarm clock", "crickets"),
    )
)  # fmt: skip
"""Events that one may take for each other when a little of them is heard behind speech."""

ALSO: Mapping[str, tuple[str, ...]] = {
    "rain": ("nature",),
    "thunderstorm": ("nature",),
    "wind": ("nature", "seaside"),
    "sea waves": ("nature",),
    "cow": ("nature",),
    "sheep": ("nature",),
    "chainsaw": ("nature", "vehicles"),
    "water drops": ("nature", "bad weather", "household"),
    "pouring water": ("household",),
    "toilet flushing": ("weather and water",),
    "brushing teeth": ("household",),
    "alarm clock": ("household",),
    "church bells": ("festivities",),
    "engine": ("transport",),
    "siren": ("town", "vehicles"),
    "car horn": ("town", "vehicles"),
    "fireworks": ("street",),
}
"""Sound event → further categories and scenes that one may say it is of: a car horn is a signal of
a vehicle."""


def sound_may_be(event: str, level: str, value: str) -> bool:
    """Whether somebody who hears an event may say that it is a value of a level."""
    taken_for = {event, *(item for item in SOUNDS if frozenset((event, item)) in NEAR_SOUNDS)}
    said = {at_level(item, level) for item in taken_for} | set(ALSO.get(event, ()))
    return value in said or at_level(event, level) == ANYWHERE


def unlike_sounds(sounds: Iterable[str], level: str, value: str) -> list[str]:
    """Those sounds, in alphabetical order, that nobody takes for a value of a level."""
    return [event for event in sorted(sounds) if not sound_may_be(event, level, value)]


def taken_for_each_other(one: str, other: str) -> bool:
    """Whether two deliveries, or two sound events, are a pair that listeners confuse."""
    pair = frozenset((one, other))
    return pair in CONFUSABLE or pair in NEAR_SOUNDS


# --- deliveries -------------------------------------------------------------------------------


def of_dimension(deliveries: Iterable[str], dimension: CueDimension) -> list[str]:
    """The deliveries of one dimension, in alphabetical order."""
    return sorted(name for name in deliveries if DELIVERIES[name] == dimension)


def delivery_may_be(one: str, other: str) -> bool:
    """Whether somebody who hears one delivery may say that it is the other."""
    return one == other or frozenset((one, other)) in CONFUSABLE


def unlike_deliveries(deliveries: Iterable[str], value: str) -> list[str]:
    """Deliveries of the same dimension, in alphabetical order, that nobody takes for this one."""
    same = of_dimension(deliveries, DELIVERIES[value])
    return [name for name in same if not delivery_may_be(name, value)]


# --- topics -----------------------------------------------------------------------------------

NEAR_TOPICS: tuple[tuple[str, ...], ...] = (
    ("events", "family", "cooking", "music", "games", "travel", "reading"),
    ("events", "side business", "shopping"),
    ("fitness", "health", "games", "travel"),
    ("studying", "reading", "office work", "job search", "music"),
    ("office work", "side business", "banking", "job search"),
    ("travel", "transport", "shopping"),
    ("home repair", "gardening", "cleaning", "shopping"),
    ("health", "pets", "family"),
    ("banking", "shopping", "transport"),
    ("family", "studying", "pets"),
    ("cleaning", "cooking", "pets"),
)
"""Topics some of whose things could be taken to be about one another."""


def far_topics(topic: str) -> list[str]:
    """Topics that nobody takes a thing of ``topic`` to be about."""
    near = {topic}.union(*(names for names in NEAR_TOPICS if topic in names))
    return [name for name in sorted(catalog().topics) if name not in near]
