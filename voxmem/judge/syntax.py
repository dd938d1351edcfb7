"""Who and what a clause is about: nouns, subjects, places, objects."""

from __future__ import annotations

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag

ARGUMENT = Tag.EVIDENCE | Tag.SOURCE | Tag.QUESTION
ABLE = frozenset(
    "allow allows can could able unable capable possible impossible way hard difficult".split()
)
PLACES = frozenset(
    "from in on with given based basis by within per through via using between after".split()
)
LEADS = frozenset("from in on with given based basis by within per to of through via using".split())
_QUANTIFIERS = frozenset(
    "one none both some many few each two three any either neither all".split()
)
_WHOLE = frozenset(
    """conversation conversations sessions recordings history dialogue dialog transcript
    chats""".split()
)


def heads(clause: Clause, wanted: int = ARGUMENT) -> list[int]:
    """Indices of nouns of a class that are not the first part of a compound.

    "audio quality", "evidence room" and "information desk" speak of no evidence.
    """
    return [index for index in clause.where(wanted) if not _compound(clause, index)]


def _compound(clause: Clause, index: int) -> bool:
    after = clause.tags[index + 1 : index + 3]
    if not after or after[0] != Tag.NONE:
        return False
    return len(after) == 1 or bool(after[1] & Tag.COPULA) or clause.words[index + 2].isdigit()


def is_placed(clause: Clause, index: int) -> bool:
    """Whether the noun stands behind a preposition."""
    for at in range(index - 1, max(-1, index - 4), -1):
        if clause.words[at] == "of" and at and clause.words[at - 1] in _QUANTIFIERS:
            return False  # "one of the sessions"
        if clause.words[at] in LEADS - {"given"}:
            return True
    return False


def subjects(clause: Clause) -> list[int]:
    """Evidence and source nouns that no preposition leads in."""
    return [index for index in heads(clause) if not is_placed(clause, index)]


def names_whole(clause: Clause) -> bool:
    """Whether the clause speaks of the conversation as a whole, not of one session."""
    return any(word in _WHOLE for word in clause.words)


def denies_existence(clause: Clause) -> bool:
    """As in "there is no boat"."""
    if not clause.negations or "there" not in clause.words[: clause.negations[0]]:
        return False
    return bool(clause.tags[clause.negations[0] - 1] & Tag.COPULA)


def is_mine(clause: Clause, index: int) -> bool:
    """Whether the nearest subject before ``index`` is the speaker."""
    for at in range(index - 1, -1, -1):
        tag = clause.tags[at]
        if tag & (Tag.SOURCE | Tag.EVIDENCE | Tag.SECOND | Tag.THIRD) or clause.words[at] in (
            "nobody", "none", "nothing", "it", "that", "this", "which",
        ):  # fmt: skip
            if not any(word in LEADS for word in clause.words[max(0, at - 3) : at]):
                return False
        if clause.words[at] in ("i", "we"):
            return True
    return False


def is_third(clause: Clause, index: int) -> bool:
    """Whether somebody other than the two who talk is the subject of the word at ``index``."""
    before = clause.tags[:index]
    if any(word in ("i", "we", "you", "me", "us") for word in clause.words[:index]):
        return any(tag & Tag.THIRD for tag in before)
    return is_named(clause, index) or any(tag & Tag.THIRD for tag in before)


def is_named(clause: Clause, index: int) -> bool:
    """Whether a content word is the subject of a negated verb: "Ben did not know"."""
    negations = [at for at in clause.negations if at < index]
    if not negations or clause.words[negations[0]] != "not":
        return False
    before = clause.tags[: negations[0]]
    return (
        bool(before)
        and any(tag == Tag.NONE for tag in before)
        and not any(tag & (Tag.FIRST | Tag.SOURCE | Tag.EVIDENCE) for tag in before)
    )


def is_passive(clause: Clause, index: int) -> bool:
    start = max(0, index - 4)
    verbal = "to" not in clause.words[start:index] and not clause.words[index].endswith("ing")
    return (
        verbal and any(tag & Tag.COPULA for tag in clause.tags[start:index])
    ) or not clause.union & (Tag.FIRST | Tag.SECOND | Tag.THIRD)


def takes_input(clause: Clause, index: int) -> bool:
    """Whether a sense verb takes the input itself as its object: "hear the recordings".

    "hear it in the recordings" does not: there the source is a place.
    """
    for noun in clause.where(Tag.SOURCE | Tag.PERCEPT):
        between = clause.words[index + 1 : noun]
        if noun > index and len(between) <= 4 and not any(word in PLACES for word in between):
            return True
    last = len(clause.words) - 1
    return index == last or (index == last - 1 and clause.words[last] in ("it", "them", "you"))


def is_plain(clause: Clause) -> bool:
    """Whether the clause holds no content word at all."""
    return Tag.NONE not in clause.tags


def answering(clause: Clause, start: int = 0) -> bool:
    """Whether a word from ``start`` on could be an answer."""
    return any(
        tag == Tag.NONE or tag & (Tag.MANY | Tag.POLARITY | Tag.THIRD) or word.isdigit()
        for word, tag in zip(clause.words[start:], clause.tags[start:], strict=True)
    )
