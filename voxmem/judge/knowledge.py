"""Is there an answer? Not to know, and from what."""

from __future__ import annotations

from itertools import pairwise

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag
from voxmem.judge.sign import Sign
from voxmem.judge.statements import states
from voxmem.judge.syntax import ABLE, PLACES, heads, is_third, subjects


def knowledge(clause: Clause) -> int:
    for index in clause.where(Tag.UNKNOWN):
        word = clause.words[index]
        if word == "ambiguous" and Tag.NONE in clause.tags[:index]:
            continue
        if word in ("idea", "clue"):
            bare = word == "idea" or not heads(clause, Tag.SOURCE)
            if bare and clause.negated[index] and not is_third(clause, index):
                return Sign.UNKNOWN
        elif clause.words[index : index + 2] == ("unknown", "to"):
            continue  # unknown to somebody
        elif not clause.negated[index] and not (
            word in ("unsure", "uncertain", "clueless") and is_third(clause, index)
        ):
            after = clause.tags[index + 1] if index + 1 < len(clause.tags) else Tag.FUNCTION
            if after != Tag.NONE and not after & Tag.THIRD:
                return Sign.LACK if subjects(clause) else Sign.UNKNOWN
    if clause.has("only", "just", "pure", "mere", "merely", "sheer"):
        if clause.has("guess", "guessing", "guesswork", "speculation", "speculating"):
            return Sign.UNKNOWN
    if _too_much(clause):
        return Sign.LACK if subjects(clause) else Sign.UNKNOWN
    for index in clause.where(Tag.KNOW):
        if clause.negated[index] and _knows(clause, index):
            return Sign.UNKNOWN
    able = any(word in ABLE for word in clause.words)
    for index in clause.where(Tag.QUESTION):
        if able and clause.union & Tag.NEG and clause.words[index] != "question":
            return Sign.UNKNOWN
    return Sign.NONE


def _too_much(clause: Clause) -> bool:
    """As in "too noisy to tell"."""
    if "too" not in clause.words or "to" not in clause.words:
        return False
    at = clause.words.index("to")
    too = clause.words.index("too")
    return too < at <= too + 3 and bool(
        clause.tags[at + 1 : at + 2] and clause.tags[at + 1] & Tag.KNOW
    )


def _knows(clause: Clause, index: int) -> bool:
    """Whether the word at ``index`` is the reply's own knowing or answering."""
    word = clause.words[index]
    if any(at > index and clause.negated[at] for at in clause.where(Tag.LACK | Tag.UNKNOWN)):
        return False  # "I would not say it is unclear"
    after = clause.words[index + 1 : index + 2]
    if word in ("known", "certain") and after == ("to",):
        return False
    if clause.tags[index] & Tag.REPORT and states(clause, index) and word != "tell":
        return False
    participle = word.endswith("ed") or word in ("known", "told", "said", "found", "given")
    if participle and clause.union & Tag.COPULA:
        return True
    return word in ("clear", "evident", "obvious", "definite") or not is_third(clause, index)


def attributed(clause: Clause) -> bool:
    """Whether the clause names the conversation or its evidence as that from which it speaks."""
    if "heard" in clause.words and clause.union & Tag.FIRST:
        return True
    told = clause.where(Tag.REPORT)
    if (
        told
        and (clause.words[0] == "you" or clause.tags[0] & Tag.THIRD)
        and not clause.union & Tag.NEG
    ):
        return not clause.has("asked", "ask", "asks")  # "you mentioned two of them"
    for before, word in pairwise(clause.words):
        if word == "what" and before in PLACES and clause.union & (Tag.REPORT | Tag.FIND):
            return True  # "from what was said"
    return any(
        any(word in PLACES for word in clause.words[max(0, index - 5) : index])
        for index in heads(clause, Tag.EVIDENCE | Tag.SOURCE)
    ) or bool(subjects(clause) and not clause.union & (Tag.UNKNOWN | Tag.FIRST))
