"""Was it said, was it found? What sources and people do not state."""

from __future__ import annotations

from itertools import pairwise

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag
from voxmem.judge.sign import Sign
from voxmem.judge.syntax import (
    ABLE,
    denies_existence,
    heads,
    is_mine,
    is_named,
    is_passive,
    is_placed,
    names_whole,
    takes_input,
)

_TOLD = frozenset(
    """me us you which who what where when how why if whether the apart
    anything that of about""".split()
)


def statement(clause: Clause) -> int:
    found = Sign.GAP if _source_silent(clause) else Sign.NONE
    for index in clause.where(Tag.UNSAID):
        if not clause.negated[index]:
            found |= Sign.GAP
    if _nothing_about(clause) or (_not_there(clause) and clause.union & Tag.SOURCE):
        found |= Sign.GAP
    if _absent(clause):
        found |= Sign.GAP
    for index in clause.where(Tag.REPORT):
        if clause.negated[index] and states(clause, index):
            found |= Sign.GAP
    for index in clause.where(Tag.FIND):
        if _finds_nothing(clause, index):
            found |= Sign.GAP
    return found


def states(clause: Clause, index: int) -> bool:
    """Whether the reporting word at ``index`` is about what was said, not about answering."""
    if clause.words[:2] == ("do", "not") and clause.words[index] not in ("say", "tell"):
        return False  # an imperative
    after = clause.words[index + 1 : index + 2]
    if clause.words[index] in ("tell", "told", "tells") and after and after[0] not in _TOLD:
        return False  # "he never told his boss"
    if after in (("sorry",), ("yes",), ("no",)):
        return False
    if clause.tags[index + 1 : index + 2] == (Tag.NONE,) and is_named(clause, index):
        return False  # "Ben did not say goodbye"
    before, passive = clause.words[:index], is_passive(clause, index)
    if clause.tags[index] & Tag.ANSWER and _determined(clause, index):
        return False  # "no answer" is a noun
    able = any(word in ABLE for word in before)
    if clause.tags[index] & Tag.KNOW:
        if able or (passive and clause.words[index] in ("answered", "determined", "decided")):
            return False
        if not passive and is_mine(clause, index):
            return False
    elif not passive and is_mine(clause, index) and not clause.has("we", "you"):
        return False
    sources = heads(clause, Tag.SOURCE)
    return not able or bool(sources and sources[0] < index)


def _determined(clause: Clause, index: int) -> bool:
    """Whether a determiner makes the word a noun."""
    return any(
        word in ("no", "any", "an", "the", "a", "single", "one")
        for word in clause.words[max(0, index - 2) : index]
    )


def _finds_nothing(clause: Clause, index: int) -> bool:
    after = clause.words[index + 1 : index + 3]
    if any(word in ("nothing", "none") for word in after):
        return not clause.negated[index]
    return clause.negated[index] and bool(
        heads(clause, Tag.EVIDENCE)
        or (
            clause.union & Tag.SOURCE
            and not (_perceives(clause, index) and takes_input(clause, index))
        )
    )


def _perceives(clause: Clause, index: int) -> bool:
    return bool(clause.tags[index] & Tag.SENSE)


def _not_there(clause: Clause) -> bool:
    """As in "there is no boat in the sessions"; of one session it may be an answer."""
    return denies_existence(clause) and names_whole(clause)


def _absent(clause: Clause) -> bool:
    """As in "it is not there"."""
    return clause.words[-2:] == ("not", "there") and not clause.union & (Tag.FIRST | Tag.THIRD)


def _nothing_about(clause: Clause) -> bool:
    """As in "there is nothing about a boat"."""
    return any(
        word == "nothing" and after in ("about", "regarding", "concerning", "on")
        for word, after in pairwise(clause.words)
    )


def _source_silent(clause: Clause) -> bool:
    """Whether a negation in the clause is about what a source holds.

    Either the source is what does not do something ("the sessions do not help", "no session ties
    the voice to a name", "the history holds no answer"), or it is the place where something is
    not ("not part of the conversation"). What a session was not ("not whispered") says nothing
    of the kind.
    """
    negations = clause.negations
    sources = [
        index
        for index in heads(clause, Tag.SOURCE | Tag.EVIDENCE)
        if clause.words[index] not in ("something", "anything", "clue")
    ]
    if not negations or not sources or len(negations) % 2 == 0:
        return False
    first = negations[0]
    if _predicates(clause, first) or clause.union & Tag.ABSENCE:
        return False
    subject = [index for index in sources if not is_placed(clause, index)]
    if any(index < first for index in subject) or _governs(clause, first, sources):
        return True
    if not clause.union & Tag.SOURCE or is_mine(clause, first):
        return False
    return Tag.NONE not in clause.tags[first:]


def _predicates(clause: Clause, negation: int) -> bool:
    """Whether the negation denies a quality: copula, "not", content word."""
    copula = negation and clause.tags[negation - 1] & Tag.COPULA
    there = "there" in clause.words[:negation]
    after = clause.tags[negation + 1 : negation + 3]
    quality = any(tag == Tag.NONE or tag & (Tag.LACK | Tag.UNKNOWN | Tag.QUIET) for tag in after)
    return bool(copula and not there and quality)


def _governs(clause: Clause, negation: int, sources: list[int]) -> bool:
    """Whether the negation belongs to a source: "no session", "none of the sessions", "nothing in
    the audio"."""
    word = clause.words[negation]
    near = [index for index in sources if negation < index <= negation + 4]
    if word not in ("no", "none", "neither", "nothing", "nowhere") or not near:
        return False
    between = clause.tags[negation + 1 : near[0]]
    behind = clause.tags[near[0] + 1 : near[0] + 2]
    return Tag.NONE not in between and not (behind and behind[0] & Tag.COPULA)
