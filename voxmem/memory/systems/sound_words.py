"""Which sounds a question speaks of: from its words to events of the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from voxmem.quality.hearing.sound_names import SOUND_NAMES
from voxmem.vocabulary import ANYWHERE, SOUNDS

_WORD = re.compile(r"[a-z]{3,}")
_ENDINGS = ("ings", "ing", "ers", "er", "ies", "es", "ed", "s", "y")
_COMMON = frozenset(
    "and the with etc fixed frequency high low medium heavy noise surface small liquid fill call "
    "song infant people tools wing horn opening water indoors transport town microphone".split()
)
"""Words of names that questions use for other things as well."""


def named_sounds(text: str) -> frozenset[str]:
    """The sound events that a text names: by their own names or AudioSet's ("bark", "meow"), by
    their category ("animals") or their scene ("a farm").

    Words meet without their endings ("barked", "barking"). The texts of questions are not what the
    list was made from.
    """
    said = _stems(text)
    return frozenset(event for event, stems in _names().items() if said & stems)


@cache
def _names() -> Mapping[str, frozenset[str]]:
    return {
        event: _stems(" ".join((event, *SOUND_NAMES[event], category, scene)))
        for event, (category, scene) in SOUNDS.items()
    }


def _stems(text: str) -> frozenset[str]:
    words = [word for word in _WORD.findall(text.lower()) if word not in (*_COMMON, ANYWHERE)]
    return frozenset(map(_stem, words))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
