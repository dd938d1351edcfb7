"""Which sounds a question speaks of: from its words to events of the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from voxmem.quality.hearing.sound_names import SOUND_NAMES
from voxmem.vocabulary import ANYWHERE, SOUNDS

_WORD = re.compile(r"[a-z]{3,}")
_ENDINGS = ("ing", "er", "ies", "es", "ed", "e", "s", "y")
_AMBIGUOUS = frozenset({"fill", "fly", "household", "people", "tools", "town", "walk", ANYWHERE})
"""Names that questions use of other things at least as often."""


def sounds_asked_for(text: str) -> frozenset[str]:
    """The sound events that a text names: by their own name or one of AudioSet's ("bark", "meow"),
    by their category ("animals") or their scene ("a farm"). A text that speaks of sounds and names
    none is about all of them.

    A name is there if all its words are, whatever they end in ("a dog that barked").
    """
    said = _stems(text)
    named = frozenset(
        event for event, names in _names().items() if any(name <= said for name in names)
    )
    return named or frozenset(SOUNDS if said & _ANY else ())


@cache
def _names() -> Mapping[str, tuple[frozenset[str], ...]]:
    """Event → the words of each of its names."""
    return {
        event: tuple(map(_stems, _unambiguous((event, category, scene, *SOUND_NAMES[event]))))
        for event, (category, scene) in SOUNDS.items()
    }


def _unambiguous(names: Iterable[str]) -> list[str]:
    each = [part.strip().lower() for name in names for part in re.split(r"[,()]", name)]
    return [part for part in each if part not in _AMBIGUOUS and _stems(part)]


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()) if word != "and")


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_ANY = _stems("sound noise background")
