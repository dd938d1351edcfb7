"""What one clause says: a small grammar over word classes and negation.

Each rule joins a predicate (to lack, to suffice, to state, to know, to perceive) with what it is
said of (evidence, a source, the speaker) and with its polarity. No rule holds a whole sentence.
"""

from __future__ import annotations

from voxmem.judge.clauses import Clause
from voxmem.judge.evidence import evidence
from voxmem.judge.grounds import capability, policy
from voxmem.judge.guesses import guesses, opens_with_polarity
from voxmem.judge.knowledge import knowledge
from voxmem.judge.lexicon import Tag
from voxmem.judge.sign import Sign
from voxmem.judge.statements import statement
from voxmem.judge.syntax import answering, heads, subjects

_MATRIX = (
    ("i", "think"),
    ("i", "believe"),
    ("i", "guess"),
    ("i", "would", "say"),
    ("it", "seems"),
    ("it", "appears"),
    ("it", "looks", "like"),
)
"""Openings that reserve what they introduce: a refusal stays one, an answer becomes a guess."""


def signs(clause: Clause) -> int:
    """The signs of one clause."""
    for opening in _MATRIX:
        if clause.words[: len(opening)] == opening:
            start = len(opening) + ("that" in clause.words[len(opening) :][:1])
            core = Clause(clause.words[start:], clause.joint)
            inner = signs(core) if core.words else Sign.NONE
            refuses = inner & (Sign.LACK | Sign.GAP | Sign.UNKNOWN | Sign.CAPABILITY | Sign.POLICY)
            plain = refuses or subjects(core) or not answering(core)
            return inner if plain else inner | Sign.GUESS
    return _signs(clause)


def _signs(clause: Clause) -> int:
    reported = is_reported(clause)
    found = Sign.NONE
    if not reported:
        found |= evidence(clause) | statement(clause) | knowledge(clause)
        found |= capability(clause) | policy(clause)
    if found & Sign.CAPABILITY or (found & Sign.POLICY and clause.union & Tag.RULE):
        found &= ~(Sign.LACK | Sign.UNKNOWN | Sign.GAP)
    if not found & (Sign.LACK | Sign.GAP | Sign.UNKNOWN | Sign.POLICY) and guesses(clause):
        found |= Sign.GUESS
    if opens_with_polarity(clause):
        found |= Sign.POLARITY
    counted = len(clause.words) < 3 and (clause.tags[0] & Tag.MANY or clause.words[0].isdigit())
    if counted and not clause.union & Tag.REPORT:
        return found  # "three sessions" answers how many
    if reported or heads(clause) or clause.union & (Tag.REPORT | Tag.FIND | Tag.QUIET | Tag.UNSAID):
        found |= Sign.TALK
    return found


def is_reported(clause: Clause) -> bool:
    """Whether the clause reports what somebody else said or thought, so that it is no claim."""
    verbs = [
        index
        for index, word in enumerate(clause.words)
        if word in ("said", "says", "told", "tells", "claimed", "thought", "admitted", "replied")
        and not clause.negated[index]
    ]
    if not verbs or not verbs[0] or clause.tags[verbs[0] - 1] & Tag.COPULA:
        return False
    before = clause.tags[: verbs[0]]
    return any(tag & Tag.THIRD or tag == Tag.NONE for tag in before) and not any(
        tag & (Tag.FIRST | Tag.NEG | Tag.SOURCE) for tag in before
    )
