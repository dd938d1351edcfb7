"""Is there enough evidence? Lack and sufficiency, said of evidence or of a source."""

from __future__ import annotations

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag
from voxmem.judge.sign import Sign
from voxmem.judge.syntax import ARGUMENT, LEADS, heads, is_mine, is_plain, subjects


def evidence(clause: Clause) -> int:
    found = Sign.NONE
    nouns = heads(clause)
    for index in clause.where(Tag.LACK):  # of the evidence, or of the answer itself
        if _says_of_evidence(clause, index, nouns + clause.where(Tag.ANSWER)):
            denied = clause.negated[index] and not _within_phrase(clause, index)
            found |= Sign.SUFFICES if denied else Sign.LACK
    for index in clause.where(Tag.ABSENCE):
        if _lacks_evidence(clause, index, nouns):
            found |= Sign.SUFFICES if clause.negated[index] else Sign.LACK
    for index in clause.where(Tag.ENOUGH):
        if nouns or clause.union & (Tag.KNOW | Tag.FIRST) or is_plain(clause):
            found |= Sign.LACK if clause.negated[index] else Sign.SUFFICES
    needs = clause.where(Tag.NEED)
    if (
        needs
        and any(noun for noun in heads(clause, Tag.EVIDENCE))
        and clause.has("more", "further")
    ):
        found |= Sign.SUFFICES if clause.negated[needs[0]] else Sign.LACK
    elif any(_denied_noun(clause, index) for index in heads(clause, Tag.EVIDENCE)):
        found |= Sign.LACK
    if (nouns or clause.union & Tag.REPORT) and _sparse(clause):
        found |= Sign.LACK
    if _conflict(clause, nouns):
        found |= Sign.LACK
    if "too" in clause.words and not clause.union & Tag.NEG and subjects(clause):
        too = clause.words.index("too")
        if too and clause.tags[too - 1] & Tag.COPULA and len(clause.words) == too + 2:
            found |= Sign.LACK  # "the evidence is too weak"
    return found if not found & Sign.LACK else found & ~Sign.SUFFICES


def _within_phrase(clause: Clause, index: int) -> bool:
    """Whether a preposition shields the word from negation: "cannot tell with little evidence"."""
    follows = clause.tags[index + 1] if index + 1 < len(clause.tags) else Tag.NONE
    return bool(follows & ARGUMENT) and any(
        word in LEADS - {"of"} for word in clause.words[max(0, index - 2) : index]
    )


def _says_of_evidence(clause: Clause, index: int, nouns: list[int]) -> bool:
    """Whether a word of lack is said of evidence: not "insufficient funds", "the missing key"."""
    after = clause.tags[index + 1] if index + 1 < len(clause.tags) else Tag.FUNCTION
    if after == Tag.NONE:
        return False
    word = clause.words[index]
    if clause.words[index + 1 : index + 2] and clause.words[index + 1] in (
        "from",
        "in",
        "on",
        "at",
    ):
        if Tag.NONE in clause.tags[index + 2 : index + 4]:
            return False  # missing from somewhere else than the conversation
    if word == "open" and clause.has("left", "leaves", "leave", "remains", "remain", "stays"):
        return bool(clause.union & (ARGUMENT | Tag.THIRD))
    if word == "short" and not clause.has("fall", "falls", "fell"):
        return False
    if word in ("open", "short", "silent", "limited", "thin"):
        return any(noun < index for noun in nouns)
    if bool(nouns) or clause.union & Tag.THIRD:
        return bool(nouns)
    return is_plain(clause) and word not in ("missing", "absent", "ambiguous")


def _lacks_evidence(clause: Clause, index: int, nouns: list[int]) -> bool:
    """Whether evidence is what is lacking, or a source is what lacks something."""
    if clause.union & Tag.ABILITY and not clause.union & Tag.EVIDENCE:
        return False
    before = clause.tags[:index]
    if any(tag == Tag.NONE for tag in before) and not any(noun < index for noun in nouns):
        return False
    return any(noun > index for noun in nouns) or any(noun < index for noun in nouns)


def _denied_noun(clause: Clause, index: int) -> bool:
    """Whether a negation governs the evidence noun at ``index``: "no evidence", "gives no clue"."""
    if not clause.negated[index]:
        return False
    last = max(at for at in clause.negations if at < index)
    if clause.tags[index] & Tag.REPORT and clause.words[index - 1] in ("not", "never"):
        return False  # "does not mention": a verb
    between = clause.tags[last + 1 : index]
    if clause.words[index] in ("something", "anything", "fact") and not (
        clause.union & (Tag.SOURCE | Tag.FIND | Tag.REPORT)
    ):
        return False
    if "that" in clause.words[last + 1 : index]:
        return False  # "not that the evidence is missing": the clause is denied, not the noun
    if any(tag & (Tag.ABSENCE | Tag.LACK) for tag in between):
        return False  # "no lack of evidence"
    if is_mine(clause, last) and clause.has("share", "disclose", "reveal"):
        return False  # what the speaker withholds is there
    if clause.words[index] == "clue" and not heads(clause, Tag.SOURCE):
        return False  # "no clue"
    strong = clause.words[last] in ("no", "without", "any")
    return (strong and len(between) <= 3) or Tag.NONE not in between


def _sparse(clause: Clause) -> bool:
    """As in "too little evidence", "few clues", "nothing in the sessions"."""
    if clause.has("little", "few") and (clause.has("too", "so", "very") or len(clause.words) < 5):
        return True
    void = clause.has("nothing", "none") and not clause.union & (Tag.REPORT | Tag.KNOW)
    return void and is_plain(clause)


def _conflict(clause: Clause, nouns: list[int]) -> bool:
    """As in "the sessions contradict each other", "it supports more than one answer"."""
    for index in clause.where(Tag.CONFLICT):
        if not clause.negated[index] and (nouns or clause.joint == "and"):
            return True
    many = clause.union & Tag.MANY or ("more" in clause.words and "than" in clause.words)
    answers = clause.where(Tag.ANSWER)
    said_of = bool(nouns) or clause.has("they")
    return bool(many and said_of and answers and not clause.negated[answers[0]]) and bool(
        clause.union & Tag.REPORT
    )
