"""Free text: the gold phrase as the committed answer."""

from __future__ import annotations

from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.mentions import Mention, Parsed, Run, alternative, denied, stray
from voxmem.judge.normalise import tokens

_COPULA = frozenset("is are was were be been being".split())
_PREPOSITIONS = frozenset(
    """in on at from by with for to of about during since until before after because as according
    which that who when where while near under over than""".split()
)
_LEAD = frozenset(
    """answer final so well it that this they he she i you we would say think believe probably
    likely based on conversation in at to from by with of for just only simply most sorry sure
    okay user speaker said says mentioned states""".split()
)


def phrase(parsed: Parsed, gold: str) -> str:
    """The name of what is wrong, or nothing if the reply commits to the phrase ``gold``.

    The phrase must be whole: "table" is not "kitchen table", and neither is the other way round.
    More words are allowed where they explain and do not change the phrase.
    """
    wanted = tokens(gold)
    spots = [
        (number, at)
        for number, run in enumerate(parsed.runs)
        for at in range(len(run) - len(wanted) + 1)
        if wanted and run[at : at + len(wanted)] == wanted
    ]
    if not spots:
        return _across(parsed, wanted)
    if any(denied(parsed.runs[number], at) for number, at in spots):
        return "denies the answer"
    for number, at in spots:
        mention = Mention(gold, number, at, at + len(wanted), False)
        if alternative(parsed, mention) and "and" not in wanted:
            return "offers an alternative"
    if not any(_commits(parsed.runs[number], at, wanted) for number, at in spots):
        return "names something longer than the answer"
    used = {number for number, _ in spots}
    for number, run in enumerate(parsed.runs):
        if number not in used and not _denies(run) and stray(run):
            return "names something else as well"
    return ""


def _across(parsed: Parsed, wanted: Run) -> str:
    """A phrase that punctuation cuts ("rock, paper and scissors") must be the whole reply."""
    whole = tuple(token for run in parsed.runs for token in run)
    return "" if wanted and _trim(whole) == wanted else "does not name the answer"


def _trim(run: Run) -> Run:
    start = 0
    while start < len(run) and run[start] in _LEAD | _COPULA:
        start += 1
    return run[start:]


def _denies(run: Run) -> bool:
    return denied(run, len(run))


def _commits(run: Run, at: int, wanted: Run) -> bool:
    """Whether the phrase at ``at`` is all of the answer that its clause gives."""
    end = at + len(wanted)
    behind = run[end : end + 1]
    if behind and behind[0] not in _PREPOSITIONS and tags(behind[0]) == Tag.NONE:
        if _bare(run) or any(word in _COPULA for word in run[:at]):
            return False
    copulas = [index for index, word in enumerate(run[:at]) if word in _COPULA]
    between = run[copulas[-1] + 1 : at] if copulas else _trim(run[:at])
    if not copulas and not _bare(run):
        return True  # "she bought a vase"
    return all(word in _LEAD or tags(word) != Tag.NONE for word in between) or (
        bool(copulas) and bool(_PREPOSITIONS.intersection(between))
    )


def _bare(run: Run) -> bool:
    """Whether the clause is no sentence: no person and no verb that we know."""
    return not any(
        word in _COPULA or tags(word) & (Tag.FIRST | Tag.SECOND | Tag.THIRD | Tag.REPORT)
        for word in run
    )
