"""Answers under reserve, and plain yes and no."""

from __future__ import annotations

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag
from voxmem.judge.syntax import answering, subjects


def guesses(clause: Clause) -> bool:
    """Whether the clause offers an answer under reserve, or several."""
    if clause.words[0] == "let":
        return False  # "let me think"
    subject = subjects(clause)
    for index in clause.where(Tag.HEDGE):
        about = (
            bool(subject)
            and subject[0] < index
            and clause.words[index] not in ("probably", "likely")
        )
        if not clause.negated[index] and not about and answering(clause):
            return True
    for index in clause.where(Tag.MODAL):
        after = clause.words[index + 1 : index + 2]
        if after in (("be",), ("have",)) and not clause.negated[index]:
            about = bool(subject) and subject[0] < index
            if not about and not clause.union & Tag.KNOW and answering(clause, index + 1):
                return True
    for index in clause.where(Tag.ANSWER):
        stated = index + 2 < len(clause.tags) and clause.tags[index + 1] & Tag.COPULA
        if stated and not clause.union & Tag.NEG:
            return True  # "the answer is five"
    if not clause.union & Tag.NEG and _commits(clause):
        return True
    if clause.has("would", "will") and clause.union & Tag.FIRST:
        spoken = [at for at, word in enumerate(clause.words) if word in ("go", "say", "answer")]
        if spoken and not clause.negated[spoken[0]] and answering(clause, spoken[0] + 1):
            return True
    if clause.has("sounds", "looks") and clause.has("like"):
        return True
    return (
        "either" in clause.words
        and "or" in clause.words
        and not clause.union & (Tag.NEG | Tag.SOURCE)
    )


def _commits(clause: Clause) -> bool:
    """Whether content is chosen: "I choose Tuesday", "it points to Tuesday", "I heard a train"."""
    content = clause.where(Tag.FUNCTION) != list(range(len(clause.words)))
    for index, word in enumerate(clause.words):
        follows = any(tag == Tag.NONE for tag in clause.tags[index + 1 :])
        if not (content and follows):
            return False
        mine = index > 0 and clause.words[index - 1] in ("i", "would", "will", "we")
        if word in ("choose", "pick", "guess", "bet", "vote") and mine:
            return True
        if word in ("go", "going") and clause.has("with") and clause.union & Tag.FIRST:
            return True
        if word in ("suggests", "suggest", "points", "point", "implies", "hints"):
            return "both" not in clause.words
        if word in ("heard", "hear", "noticed") and mine and not clause.union & Tag.SOURCE:
            return True
    return False


def opens_with_polarity(clause: Clause) -> bool:
    """Whether the clause is a yes or a no, not a "no" that belongs to a noun."""
    if not clause.tags or not clause.tags[0] & Tag.POLARITY:
        return False
    if clause.words[0] != "no" or len(clause.words) == 1:
        return True
    return bool(clause.tags[1] & (Tag.FIRST | Tag.SECOND | Tag.THIRD)) or clause.words[1] in (
        "it",
        "they",
        "that",
        "this",
        "there",
        "the",
    )
