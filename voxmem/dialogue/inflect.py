"""The inflected forms of English stems, so that a word list need not spell them out.

A rule may make a form that nobody uses ("humed" beside "hummed"): in a list of forbidden words
that does no harm, a missing form would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_VOWELS = "aeiou"


def verb(stem: str) -> set[str]:
    """whisper → whispers, whispered, whispering; hum → hums, hummed, humming."""
    if stem.endswith("e"):
        return {stem, f"{stem}s", f"{stem}d", f"{stem[:-1]}ing", f"{stem}ing"}
    if _consonant_y(stem):
        return {stem, f"{stem[:-1]}ies", f"{stem[:-1]}ied", f"{stem}ing"}
    bases = {stem, f"{stem}{stem[-1]}"} if _doubles(stem) else {stem}
    endings = {base + ending for base in bases for ending in ("ed", "ing")}
    return {stem, _with_s(stem)} | endings


def noun(stem: str) -> set[str]:
    """bell → bells; city → cities. Possessives lose their ending before they are looked up."""
    return {stem, f"{stem[:-1]}ies" if _consonant_y(stem) else _with_s(stem)}


def adjective(stem: str) -> set[str]:
    """slow → slower, slowest, slowly, slowness; happy → happier, happily, happiness."""
    adverb = f"{stem}ly"
    if stem.endswith("le"):
        adverb = f"{stem[:-1]}y"
    elif stem.endswith("ic"):
        adverb = f"{stem}ally"
    if _consonant_y(stem):
        base, adverb = f"{stem[:-1]}i", f"{stem[:-1]}ily"
        return {stem, adverb, f"{base}er", f"{base}est", f"{base}ness"}
    bases = {stem[:-1] if stem.endswith("e") else stem}
    if _doubles(stem):
        bases.add(f"{stem}{stem[-1]}")
    compared = {base + ending for base in bases for ending in ("er", "est")}
    return {stem, adverb, f"{stem}ness"} | compared


def exact(word: str) -> set[str]:
    """A word that has no other forms, or whose forms are listed."""
    return {word}


INFLECTIONS: Mapping[str, Callable[[str], set[str]]] = {
    "verbs": verb,
    "nouns": noun,
    "adjectives": adjective,
    "words": exact,
}


def _with_s(stem: str) -> str:
    return f"{stem}es" if stem.endswith(("s", "x", "z", "ch", "sh")) else f"{stem}s"


def _consonant_y(stem: str) -> bool:
    return stem.endswith("y") and stem[-2] not in _VOWELS


def _doubles(stem: str) -> bool:
    """Whether the last letter may be doubled: consonant, one vowel, consonant."""
    if len(stem) < 3 or stem[-1] in _VOWELS + "wxy":
        return False
    return stem[-2] in _VOWELS and stem[-3] not in _VOWELS
