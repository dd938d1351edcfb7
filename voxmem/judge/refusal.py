"""Whether a reply declines, and on what ground: the meaning of the whole reply.

The rubric credits exactly one kind: the answer cannot be determined because the conversation's
evidence is missing, insufficient or ambiguous (VoxMem, Appendix C.4). The stricter reading is
taken throughout: a refusal that names no ground ("cannot be determined") is a bare unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from voxmem.judge.clauses import Clause, sentences
from voxmem.judge.knowledge import attributed
from voxmem.judge.lexicon import Tag
from voxmem.judge.reply import body, committed, without_quotations
from voxmem.judge.sign import Sign
from voxmem.judge.signs import signs
from voxmem.judge.syntax import answering, denies_existence, names_whole, subjects

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
    lacks = bool(total & (Sign.LACK | Sign.GAP)) or bool(total & Sign.UNKNOWN and named)
    if not total & Sign.REFUSING:
        return Reading("answer", False)
    declines = bool(total & (Sign.LACK | Sign.UNKNOWN | Sign.CAPABILITY | Sign.POLICY))
    if _answers(found):
        opens = found[0][0][1] & Sign.POLARITY  # "no, you never mentioned a second one"
        return Reading("answer" if opens and not declines else "refuse_then_guess", declines)
    return Reading(_ground(total, lacks), True)


def _union(sentence: list[tuple[Clause, int]]) -> int:
    union = Sign.NONE
    for _, sign in sentence:
        union |= sign
    return union


def _ground(total: int, lacks: bool) -> Kind:
    """The ground that a reply without any answer gives; the evidence counts only if alone."""
    if total & Sign.CAPABILITY:
        return "capability_refusal"
    if total & Sign.POLICY and not lacks:
        return "policy_refusal"
    return "evidence_refusal" if lacks else "bare_unknown"


def _idiom(parsed: list[list[Clause]]) -> bool:
    spoken = [word for clause in parsed[0] for word in clause.words]
    return len(parsed) == 1 and any(tuple(spoken[: len(idiom)]) == idiom for idiom in _IDIOMS)


def _signed(sentence: list[Clause]) -> list[tuple[Clause, int]]:
    """The clauses with their signs; an ellipsis takes its verb from the clause before it."""
    out: list[tuple[Clause, int]] = []
    for clause in sentence:
        sign = signs(clause)
        if out and _elliptic(clause) and out[-1][0].union & Tag.REPORT:
            sign |= Sign.GAP  # "you told me about the first but not about the second"
        if out and clause.words in (("none",), ("missing",), ("not", "found")):
            if out[-1][0].union & Tag.EVIDENCE and Tag.NONE not in out[-1][0].tags:
                sign |= Sign.LACK  # "evidence: none"
        if denies_existence(clause) and any(names_whole(earlier) for earlier, _ in out):
            sign |= Sign.GAP  # "in the sessions I have, there is no boat"
        out.append((clause, sign))
    return out


def _elliptic(clause: Clause) -> bool:
    """Whether the clause is a negation without its verb: "but not the date", "the day is not"."""
    if clause.words[-1] == "not" and len(clause.words) > 2 and clause.tags[-2] & Tag.COPULA:
        return clause.joint in ("but", "comma", "and")
    if not clause.tags[0] & Tag.NEG or len(clause.words) < 2:
        return False
    if clause.joint == "comma" and clause.words[0] == "not":
        return clause.words[1] in ("who", "what", "which", "where", "when", "why", "how")
    joined = clause.joint == "but" or (clause.joint == "comma" and clause.words[0] == "never")
    return joined and bool(clause.tags[1] & Tag.FUNCTION)


def _answers(found: list[list[tuple[Clause, int]]]) -> bool:
    """Whether a reply that refuses somewhere also answers somewhere."""
    for number, sentence in enumerate(found):
        union = _union(sentence)
        ahead = found[number + 1] if number + 1 < len(found) else []
        for place, (clause, sign) in enumerate(sentence):
            if sign & Sign.GUESS:
                return True
            if sign & Sign.POLARITY:
                if _waved_off(clause, sentence[place + 1 :] or ahead):
                    continue
                return True
            if sign & (Sign.REFUSING | Sign.SUFFICES):
                if _joined_answer(clause):
                    return True
                continue
            if place and _announces(sentence[place - 1][0]) and answering(clause):
                return True
            if not _content(clause) or (sign & Sign.TALK and not _turns(clause)):
                continue
            previous = sentence[place - 1] if place else None
            if not union & Sign.REFUSING or _asserts(clause, previous) or _leads(sentence, place):
                return True
    return False


def _waved_off(clause: Clause, rest: list[tuple[Clause, int]]) -> bool:
    """As in "No, I can't answer", "No, the sessions don't say": the no belongs to the refusal."""
    if clause.words != ("no",) or not rest:
        return False
    following, sign = rest[0]
    if following.words[0] == "i" and sign & Sign.UNKNOWN:
        return True
    if sign & (Sign.LACK | Sign.UNKNOWN) and following.union & Tag.KNOW:
        return True
    return bool(sign & Sign.GAP and following.union & Tag.SOURCE)


def _content(clause: Clause) -> bool:
    """Whether the clause could be an answer, and is not about the two who talk."""
    return answering(clause) and not clause.tags[0] & (Tag.FIRST | Tag.SECOND)


def _joined_answer(clause: Clause) -> bool:
    """As in "insufficient evidence or Tuesday": a content word joined to a pure refusal."""
    if "or" not in clause.words:
        return False
    at = clause.words.index("or")
    left = clause.tags[:at]
    return at <= 3 and Tag.NONE not in left and any(tag == Tag.NONE for tag in clause.tags[at:])


def _announces(clause: Clause) -> bool:
    """Whether the clause only announces a guess: "my best guess:", "maybe,"."""
    hedges = clause.where(Tag.HEDGE)
    return (
        bool(hedges)
        and not clause.union & Tag.NEG
        and not (answering(clause) or clause.words[0] == "let")
    )


def _turns(clause: Clause) -> bool:
    """Whether a clause that names a source turns to an answer: "but from context it was Olga"."""
    if clause.joint not in _CONTRAST or clause.union & (Tag.NEG | Tag.QUIET) or subjects(clause):
        return False
    copulas = clause.where(Tag.COPULA)
    return bool(copulas) and answering(clause, copulas[0] + 1)


def _leads(sentence: list[tuple[Clause, int]], place: int) -> bool:
    """Whether a clause is an answer with a refusal in brackets or behind a dash: "3 (unclear)"."""
    alternatives = "or" in sentence[0][0].words
    if place or len(sentence) < 2 or len(sentence[0][0].words) > (5 if alternatives else 3):
        return False
    following, sign = sentence[1]
    if following.joint == "comma" and alternatives:
        return bool(sign & Sign.REFUSING)
    turns = following.joint in _CONTRAST - {"however", "so"}
    return (turns or following.joint == "dash") and bool(sign & Sign.REFUSING)


def _asserts(clause: Clause, previous: tuple[Clause, int] | None) -> bool:
    """Whether a clause beside a refusal in the same sentence answers, and does not explain it."""
    if clause.union & Tag.NEG:
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
