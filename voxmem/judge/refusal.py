"""Whether a reply declines, and on what ground: the meaning of the whole reply.

The rubric credits exactly one kind: the answer cannot be determined because the conversation's
evidence is missing, insufficient or ambiguous (VoxMem, Appendix C.4). The stricter reading is
taken throughout: a refusal that names no ground ("cannot be determined") is a bare unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voxmem.judge.clauses import Clause, sentences
from voxmem.judge.lexicon import Tag
from voxmem.judge.reply import body, committed, without_quotations
from voxmem.judge.signs import Sign, answering, attributed, signs, subjects

Kind = Literal[
    "evidence_refusal",
    "bare_unknown",
    "capability_refusal",
    "policy_refusal",
    "refuse_then_guess",
    "answer",
    "empty",
]

_CONTRAST = frozenset("but however although though yet still nevertheless nonetheless so".split())
_IDIOMS = (
    ("beats", "me"),
    ("who", "knows"),
    ("your", "guess", "is", "as", "good"),
    ("n", "a"),
    ("i", "forgot"),
)
"""Ways to say "I don't know" whose words do not add up to it."""

_REFUSING = Sign.LACK | Sign.GAP | Sign.UNKNOWN | Sign.CAPABILITY | Sign.POLICY


@dataclass(frozen=True)
class Reading:
    """What a reply does."""

    kind: Kind
    declines: bool
    """Whether it says outright that there is no answer or not enough evidence; a mere "session 2
    does not mention it" inside an answer does not decline."""


def read_reply(text: str) -> Reading:
    """Reads a reply. Never raises; the same text always reads the same."""
    said = without_quotations(body(text))
    reading = _read(said)
    if reading.kind == "refuse_then_guess":
        part, announced = committed(said)
        final = _read(part) if announced else reading
        if final.kind in ("evidence_refusal", "bare_unknown"):
            return final  # reasoned aloud, then abstained
    return reading


def _read(said: str) -> Reading:
    parsed = sentences(said)
    if not parsed:
        return Reading("bare_unknown" if "?" in said else "empty", True)
    if _idiom(parsed):
        return Reading("bare_unknown", True)
    found = [_signed(sentence) for sentence in parsed]
    total = Sign.NONE
    for sentence in found:
        total |= _union(sentence)
    named = any(attributed(clause) for sentence in found for clause, _ in sentence)
    lacks = bool(total & (Sign.LACK | Sign.GAP)) or (Sign.UNKNOWN in total and named)
    if not total & _REFUSING:
        return Reading("answer", False)
    declines = bool(total & (Sign.LACK | Sign.UNKNOWN | Sign.CAPABILITY | Sign.POLICY))
    if _answers(found):
        opens = Sign.POLARITY in found[0][0][1]  # "no, you never mentioned a second one"
        return Reading("answer" if opens and not declines else "refuse_then_guess", declines)
    return Reading(_ground(total, lacks), True)


def _union(sentence: list[tuple[Clause, Sign]]) -> Sign:
    union = Sign.NONE
    for _, sign in sentence:
        union |= sign
    return union


def _ground(total: Sign, lacks: bool) -> Kind:
    """The ground that a reply without any answer gives; the evidence counts only if alone."""
    if Sign.CAPABILITY in total:
        return "capability_refusal"
    if Sign.POLICY in total and not lacks:
        return "policy_refusal"
    return "evidence_refusal" if lacks else "bare_unknown"


def _idiom(parsed: list[list[Clause]]) -> bool:
    spoken = [word for clause in parsed[0] for word in clause.words]
    return len(parsed) == 1 and any(tuple(spoken[: len(idiom)]) == idiom for idiom in _IDIOMS)


def _signed(sentence: list[Clause]) -> list[tuple[Clause, Sign]]:
    """The clauses with their signs; an ellipsis takes its verb from the clause before it."""
    out: list[tuple[Clause, Sign]] = []
    for clause in sentence:
        sign = signs(clause)
        if out and _elliptic(clause) and out[-1][0].union & Tag.REPORT:
            sign |= Sign.GAP  # "you told me about the first but not about the second"
        if out and clause.words in (("none",), ("missing",), ("not", "found")):
            if Tag.EVIDENCE in out[-1][0].union and Tag.NONE not in out[-1][0].tags:
                sign |= Sign.LACK  # "evidence: none"
        out.append((clause, sign))
    return out


def _elliptic(clause: Clause) -> bool:
    """Whether the clause is a negation that lacks its verb: "but not the date", "never the date"."""
    if Tag.NEG not in clause.tags[0] or len(clause.words) < 2:
        return False
    joined = clause.joint == "but" or (clause.joint == "comma" and clause.words[0] == "never")
    return joined and Tag.FUNCTION in clause.tags[1]


def _answers(found: list[list[tuple[Clause, Sign]]]) -> bool:
    """Whether a reply that refuses somewhere also answers somewhere."""
    for number, sentence in enumerate(found):
        union = _union(sentence)
        for place, (clause, sign) in enumerate(sentence):
            if Sign.GUESS in sign or (Sign.POLARITY in sign and not _waved_off(sentence, place)):
                return True
            if sign & (_REFUSING | Sign.SUFFICES):
                if _joined_answer(clause):
                    return True
                continue
            if not _content(clause) or (Sign.TALK in sign and not _turns(clause)):
                continue
            previous = sentence[place - 1] if place else None
            if not union & _REFUSING or _asserts(clause, previous) or _leads(sentence, place):
                return True
    return False


def _waved_off(sentence: list[tuple[Clause, Sign]], place: int) -> bool:
    """"No, I can't answer that": the no belongs to the refusal."""
    if sentence[place][0].words != ("no",) or place + 1 == len(sentence):
        return False
    clause, sign = sentence[place + 1]
    return clause.words[0] == "i" and Sign.UNKNOWN in sign


def _content(clause: Clause) -> bool:
    """Whether the clause could be an answer, and is not about the two who talk."""
    return answering(clause) and not clause.tags[0] & (Tag.FIRST | Tag.SECOND)


def _joined_answer(clause: Clause) -> bool:
    """"insufficient evidence or Tuesday": a content word joined to a pure refusal."""
    if "or" not in clause.words:
        return False
    at = clause.words.index("or")
    left = clause.tags[:at]
    return at <= 3 and Tag.NONE not in left and any(tag is Tag.NONE for tag in clause.tags[at:])


def _turns(clause: Clause) -> bool:
    """Whether a clause that names a source turns to an answer: "but from context it was Olga"."""
    if clause.joint not in _CONTRAST or clause.union & (Tag.NEG | Tag.QUIET) or subjects(clause):
        return False
    copulas = clause.where(Tag.COPULA)
    return bool(copulas) and answering(clause, copulas[0] + 1)


def _leads(sentence: list[tuple[Clause, Sign]], place: int) -> bool:
    """Whether a clause is an answer with a refusal in brackets or behind a dash: "3 (unclear)"."""
    if place or len(sentence) < 2 or len(sentence[0][0].words) > 3:
        return False
    following, sign = sentence[1]
    turns = following.joint in _CONTRAST - {"however", "so"}
    return (turns or following.joint == "dash") and bool(sign & _REFUSING)


def _asserts(clause: Clause, previous: tuple[Clause, Sign] | None) -> bool:
    """Whether a clause beside a refusal in the same sentence answers, and does not explain it."""
    if Tag.NEG in clause.union:
        return False
    if clause.joint in ("because", "since", "due"):
        return False
    copulas = clause.where(Tag.COPULA)
    if copulas and answering(clause, copulas[0] + 1):
        return True
    if clause.joint in _CONTRAST:
        return not copulas
    short = len(clause.words) <= 4
    if clause.joint in ("dash", "colon"):
        return short
    pure = previous is not None and Tag.NONE not in previous[0].tags
    return clause.joint == "comma" and short and pure
