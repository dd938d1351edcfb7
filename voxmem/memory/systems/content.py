"""The words of a text that say what it is about."""

from __future__ import annotations

from voxmem.quality.hearing.words import normal_words

FUNCTION_WORDS = frozenset(
    """
    a an the this that these those there here it its
    i me my mine myself we us our you your he him his she her they them their somebody someone
    and or but if then than so as while because
    of in on at to for from by with about into over under after before between during
    is are was were be been being am do does did have has had will would can could should may might
    im ive id ill youre its lets
    who whom whose which what when where why how
    not no yes all any both each every some such only also just please very too more most
    """.split()
)
"""English words that are in questions and sessions alike, whatever they are about."""


def content_words(text: str) -> list[str]:
    """The words of a text as a recogniser and a writer spell them alike, without those that say
    nothing of what it is about."""
    return [word for word in normal_words(text) if word not in FUNCTION_WORDS]
