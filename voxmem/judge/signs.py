"""What one clause says about the evidence: a small grammar over word classes and negation.

Each rule joins a predicate (to lack, to suffice, to state, to know, to perceive) with what it is
said of (evidence, a source, the speaker) and with its polarity. No rule holds a whole sentence.
"""

from __future__ import annotations

from enum import Flag, auto
from itertools import pairwise

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag


class Sign(Flag):
    """What a clause contributes to the reading of a reply."""

    NONE = 0
    LACK = auto()
    """The evidence does not suffice."""
    GAP = auto()
    """Something was not stated, or was not found."""
    UNKNOWN = auto()
    """There is no answer; no ground is given in this clause."""
    SUFFICES = auto()
    """The evidence does suffice: a lack denied."""
    CAPABILITY = auto()
    POLICY = auto()
    GUESS = auto()
    """A hedged answer."""
    TALK = auto()
    """Speaks about the conversation, the question or the speaker; answers nothing by itself."""
    POLARITY = auto()
    """Opens with yes or no."""


_ARGUMENT = Tag.EVIDENCE | Tag.SOURCE | Tag.QUESTION
_ABLE = frozenset("allow allows can could able unable capable possible impossible way hard difficult".split())
_KEEPS = frozenset("retain store process support".split())
_HEAR = Tag.SENSE | Tag.FIND
_PLACES = frozenset(
    "from in on with given based basis by within per through via using between".split()
)
_LEADS = frozenset("from in on with given based basis by within per to of through via using".split())


_QUANTIFIERS = frozenset("one none both some many few each two three any either neither all".split())


def signs(clause: Clause) -> Sign:
    """The signs of one clause."""
    reported = _reported(clause)
    found = Sign.NONE
    if not reported:
        found |= _evidence(clause) | _statement(clause) | _knowledge(clause)
        found |= _capability(clause) | _policy(clause)
    if Sign.CAPABILITY in found or (Sign.POLICY in found and clause.union & Tag.RULE):
        found &= ~(Sign.LACK | Sign.UNKNOWN | Sign.GAP)
    if not found & (Sign.LACK | Sign.GAP | Sign.UNKNOWN | Sign.POLICY) and _guess(clause):
        found |= Sign.GUESS
    if _opens_with_polarity(clause):
        found |= Sign.POLARITY
    if reported or clause.union & (_ARGUMENT | Tag.REPORT | Tag.FIND | Tag.QUIET | Tag.UNSAID):
        found |= Sign.TALK
    return found


def _reported(clause: Clause) -> bool:
    """Whether the clause reports what somebody else said or thought, so that it is no claim."""
    verbs = [
        index
        for index, word in enumerate(clause.words)
        if word in ("said", "says", "told", "tells", "claimed", "thought", "admitted", "replied")
        and not clause.negated[index]
    ]
    return bool(verbs) and any(
        Tag.THIRD in tag and Tag.NEG not in tag for tag in clause.tags[: verbs[0]]
    )


def heads(clause: Clause, wanted: Tag = _ARGUMENT) -> list[int]:
    """Indices of nouns of a class that are not the first part of a compound.

    "audio quality", "evidence room" and "information desk" speak of no evidence.
    """
    return [index for index in clause.where(wanted) if not _compound(clause, index)]


def _compound(clause: Clause, index: int) -> bool:
    after = clause.tags[index + 1 : index + 3]
    if not after or after[0] is not Tag.NONE:
        return False
    return len(after) == 1 or Tag.COPULA in after[1] or clause.words[index + 2].isdigit()


# --- evidence: is there enough of it? ---------------------------------------------------------


def _evidence(clause: Clause) -> Sign:
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
        if nouns or clause.union & (Tag.KNOW | Tag.FIRST) or _plain(clause):
            found |= Sign.LACK if clause.negated[index] else Sign.SUFFICES
    needs = clause.where(Tag.NEED)
    if needs and any(noun for noun in heads(clause, Tag.EVIDENCE)) and clause.has("more", "further"):
        found |= Sign.SUFFICES if clause.negated[needs[0]] else Sign.LACK
    elif any(_denied_noun(clause, index) for index in heads(clause, Tag.EVIDENCE)):
        found |= Sign.LACK
    if nouns and _sparse(clause):
        found |= Sign.LACK
    if _conflict(clause, nouns):
        found |= Sign.LACK
    return found if Sign.LACK not in found else found & ~Sign.SUFFICES


def _plain(clause: Clause) -> bool:
    """Whether the clause holds no content word at all."""
    return Tag.NONE not in clause.tags


def _within_phrase(clause: Clause, index: int) -> bool:
    """Whether a preposition shields the word from negation: "cannot answer with limited evidence"."""
    follows = clause.tags[index + 1] if index + 1 < len(clause.tags) else Tag.NONE
    return bool(follows & _ARGUMENT) and any(
        word in _LEADS for word in clause.words[max(0, index - 2) : index]
    )


def _says_of_evidence(clause: Clause, index: int, nouns: list[int]) -> bool:
    """Whether a word of lack is said of evidence: not "insufficient funds", "the missing key"."""
    after = clause.tags[index + 1] if index + 1 < len(clause.tags) else Tag.FUNCTION
    if after is Tag.NONE:
        return False
    word = clause.words[index]
    if clause.words[index + 1 : index + 2] and clause.words[index + 1] in ("from", "in", "on", "at"):
        if Tag.NONE in clause.tags[index + 2 : index + 4]:
            return False  # missing from somewhere else than the conversation
    if word == "open" and clause.has("left", "leaves", "leave", "remains", "remain", "stays"):
        return True
    if word == "ambiguous" and index and Tag.NONE not in clause.tags[:index]:
        return True  # "it is ambiguous which one you mean"
    if word in ("open", "short", "silent", "limited", "thin"):
        return any(noun < index for noun in nouns)
    if bool(nouns) or clause.union & Tag.THIRD:
        return bool(nouns)
    return _plain(clause) and word not in ("missing", "absent")


def _lacks_evidence(clause: Clause, index: int, nouns: list[int]) -> bool:
    """Whether evidence is what is lacking, or a source is what lacks something."""
    if clause.union & Tag.ABILITY and not clause.union & Tag.EVIDENCE:
        return False
    before = clause.tags[:index]
    if any(tag is Tag.NONE for tag in before) and not any(noun < index for noun in nouns):
        return False
    return any(noun > index for noun in nouns) or any(noun < index for noun in nouns)


def _denied_noun(clause: Clause, index: int) -> bool:
    """Whether a negation governs the evidence noun at ``index``: "no evidence", "gives no clue"."""
    if not clause.negated[index]:
        return False
    last = max(at for at in clause.negations if at < index)
    between = clause.tags[last + 1 : index]
    if clause.words[index] in ("something", "anything", "fact") and not (
        clause.union & (Tag.SOURCE | Tag.FIND | Tag.REPORT)
    ):
        return False
    if "that" in clause.words[last + 1 : index]:
        return False  # "not that the evidence is missing": the clause is denied, not the noun
    if any(tag & (Tag.ABSENCE | Tag.LACK) for tag in between):
        return False  # "no lack of evidence"
    if _mine(clause, last) and clause.has("share", "disclose", "reveal"):
        return False  # what the speaker withholds is there
    if clause.words[index] == "clue" and not heads(clause, Tag.SOURCE):
        return False  # "no clue"
    strong = clause.words[last] in ("no", "without", "any")
    return strong and len(between) <= 3 or Tag.NONE not in between


def _sparse(clause: Clause) -> bool:
    """"too little evidence", "few clues", "nothing in the sessions"."""
    if clause.has("little", "few") and (clause.has("too", "so", "very") or len(clause.words) < 5):
        return True
    void = clause.has("nothing", "none") and not clause.union & (Tag.REPORT | Tag.KNOW)
    return void and _plain(clause)


def _conflict(clause: Clause, nouns: list[int]) -> bool:
    """"the sessions contradict each other", "the conversation supports more than one answer"."""
    for index in clause.where(Tag.CONFLICT):
        if not clause.negated[index] and (nouns or clause.has("they", "each", "both")):
            return True
    many = clause.union & Tag.MANY or ("more" in clause.words and "than" in clause.words)
    answers = clause.where(Tag.ANSWER)
    said_of = bool(nouns) or clause.has("they")
    return bool(many and said_of and answers and not clause.negated[answers[0]]) and bool(
        clause.union & Tag.REPORT
    )


# --- statements: was it said, was it found? ---------------------------------------------------


def _statement(clause: Clause) -> Sign:
    found = Sign.GAP if _source_silent(clause) else Sign.NONE
    for index in clause.where(Tag.UNSAID):
        if not clause.negated[index]:
            found |= Sign.GAP
    if _nothing_about(clause):
        found |= Sign.GAP
    for index in clause.where(Tag.REPORT):
        if clause.negated[index] and _states(clause, index):
            found |= Sign.GAP
    for index in clause.where(Tag.FIND):
        if _finds_nothing(clause, index):
            found |= Sign.GAP
    return found


def _nothing_about(clause: Clause) -> bool:
    """"there is nothing about a boat"."""
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
    subject = [index for index in sources if not _placed(clause, index)]
    if any(index < first for index in subject) or _governs(clause, first, sources):
        return True
    if not clause.union & Tag.SOURCE or _mine(clause, first):
        return False
    return Tag.NONE not in clause.tags[first:]


def _predicates(clause: Clause, negation: int) -> bool:
    """Whether the negation denies a quality: copula, "not", content word."""
    copula = negation and Tag.COPULA in clause.tags[negation - 1]
    there = "there" in clause.words[:negation]
    after = clause.tags[negation + 1 : negation + 3]
    quality = any(tag is Tag.NONE or tag & (Tag.LACK | Tag.UNKNOWN | Tag.QUIET) for tag in after)
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
    return Tag.NONE not in between and not (behind and Tag.COPULA in behind[0])


def _placed(clause: Clause, index: int) -> bool:
    """Whether the noun stands behind a preposition."""
    for at in range(index - 1, max(-1, index - 4), -1):
        if clause.words[at] == "of" and at and clause.words[at - 1] in _QUANTIFIERS:
            return False  # "one of the sessions"
        if clause.words[at] in _LEADS - {"given"}:
            return True
    return False


def subjects(clause: Clause) -> list[int]:
    """Evidence and source nouns that no preposition leads in."""
    return [index for index in heads(clause) if not _placed(clause, index)]


def _mine(clause: Clause, index: int) -> bool:
    """Whether the nearest subject before ``index`` is the speaker."""
    for at in range(index - 1, -1, -1):
        tag = clause.tags[at]
        if tag & (Tag.SOURCE | Tag.EVIDENCE | Tag.SECOND | Tag.THIRD) or clause.words[at] in (
            "nobody", "none", "nothing", "it", "that", "this", "which",
        ):  # fmt: skip
            if not any(word in _LEADS for word in clause.words[max(0, at - 3) : at]):
                return False
        if clause.words[at] in ("i", "we"):
            return True
    return False


def _states(clause: Clause, index: int) -> bool:
    """Whether the reporting word at ``index`` is about what was said, not about answering."""
    if clause.words[:2] == ("do", "not") and clause.words[index] not in ("say", "tell"):
        return False  # an imperative
    before, passive = clause.words[:index], _passive(clause, index)
    if Tag.ANSWER in clause.tags[index] and _determined(clause, index):
        return False  # "no answer" is a noun
    able = any(word in _ABLE for word in before)
    if Tag.KNOW in clause.tags[index]:
        if able or (passive and clause.words[index] in ("answered", "determined", "decided")):
            return False
        if not passive and _mine(clause, index):
            return False
    elif not passive and _mine(clause, index) and not clause.has("we", "you"):
        return False
    sources = heads(clause, Tag.SOURCE)
    return not able or bool(sources and sources[0] < index)


def _determined(clause: Clause, index: int) -> bool:
    """Whether a determiner makes the word a noun."""
    return any(
        word in ("no", "any", "an", "the", "a", "single", "one")
        for word in clause.words[max(0, index - 2) : index]
    )


def _passive(clause: Clause, index: int) -> bool:
    start = max(0, index - 4)
    verbal = "to" not in clause.words[start:index] and not clause.words[index].endswith("ing")
    return (verbal and any(Tag.COPULA in tag for tag in clause.tags[start:index])) or not clause.union & (
        Tag.FIRST | Tag.SECOND | Tag.THIRD
    )


def _finds_nothing(clause: Clause, index: int) -> bool:
    after = clause.words[index + 1 : index + 3]
    if any(word in ("nothing", "none") for word in after):
        return not clause.negated[index]
    return clause.negated[index] and bool(
        heads(clause, Tag.EVIDENCE)
        or (clause.union & Tag.SOURCE and not (_perceives(clause, index) and _senses(clause, index)))
    )


def _perceives(clause: Clause, index: int) -> bool:
    return Tag.SENSE in clause.tags[index]


# --- knowledge: is there an answer? -----------------------------------------------------------


def _knowledge(clause: Clause) -> Sign:
    for index in clause.where(Tag.UNKNOWN):
        word = clause.words[index]
        if word in ("idea", "clue"):
            bare = word == "idea" or not heads(clause, Tag.SOURCE)
            if bare and clause.negated[index] and not _third(clause, index):
                return Sign.UNKNOWN
        elif clause.words[index + 1 : index + 2] == ("to",):
            continue  # unknown to somebody
        elif not clause.negated[index] and not (
            word in ("unsure", "uncertain", "clueless") and _third(clause, index)
        ):
            if not (index + 1 < len(clause.tags) and clause.tags[index + 1] is Tag.NONE):
                return Sign.LACK if subjects(clause) else Sign.UNKNOWN
    if clause.has("only", "just", "pure", "mere", "merely", "sheer"):
        if clause.has("guess", "guessing", "guesswork", "speculation", "speculating"):
            return Sign.UNKNOWN
    for index in clause.where(Tag.KNOW):
        if clause.negated[index] and _knows(clause, index):
            return Sign.UNKNOWN
    able = any(word in _ABLE for word in clause.words)
    for index in clause.where(Tag.QUESTION):
        if able and clause.union & Tag.NEG and clause.words[index] != "question":
            return Sign.UNKNOWN
    return Sign.NONE


def _knows(clause: Clause, index: int) -> bool:
    """Whether the word at ``index`` is the reply's own knowing or answering."""
    word = clause.words[index]
    if any(at > index and clause.negated[at] for at in clause.where(Tag.LACK | Tag.UNKNOWN)):
        return False  # "I would not say it is unclear"
    after = clause.words[index + 1 : index + 2]
    if word in ("known", "certain") and after == ("to",):
        return False
    if Tag.REPORT in clause.tags[index] and _states(clause, index) and word != "tell":
        return False
    passive = any(at in ("be", "been", "is") for at in clause.words[max(0, index - 2) : index])
    return passive or not _third(clause, index)


def _third(clause: Clause, index: int) -> bool:
    """Whether a third person is the subject of the word at ``index``."""
    before = clause.tags[:index]
    if any(Tag.THIRD in tag for tag in before):
        return True
    auxiliary = [at for at in range(1, index) if clause.words[at - 1 : at + 1] == ("does", "not")]
    named = bool(auxiliary) and Tag.NONE in before[: auxiliary[0]]
    return named and not any(Tag.FIRST in tag for tag in before)


def attributed(clause: Clause) -> bool:
    """Whether the clause names the conversation or its evidence as that from which it speaks."""
    for before, word in pairwise(clause.words):
        if word == "what" and before in _PLACES and clause.union & (Tag.REPORT | Tag.FIND):
            return True  # "from what was said"
    return any(
        any(word in _PLACES for word in clause.words[max(0, index - 5) : index])
        for index in heads(clause, Tag.EVIDENCE | Tag.SOURCE)
    ) or bool(subjects(clause) and Tag.UNKNOWN not in clause.union and not clause.union & (Tag.FIRST | Tag.KNOW))


# --- other grounds ----------------------------------------------------------------------------


def _senses(clause: Clause, index: int) -> bool:
    """Whether a sense verb takes the input itself as its object: "hear the recordings".

    "hear it in the recordings" does not: there the source is a place.
    """
    for noun in clause.where(Tag.SOURCE | Tag.PERCEPT):
        between = clause.words[index + 1 : noun]
        if noun > index and len(between) <= 4 and not any(word in _PLACES for word in between):
            return True
    last = len(clause.words) - 1
    return index == last or (index == last - 1 and clause.words[last] in ("it", "them", "you"))


def _capability(clause: Clause) -> Sign:
    """The system speaks of what it can perceive or keep, not of what was said."""
    union, words = clause.union, clause.words
    if Tag.MACHINE in union and (clause.has("ai", "language", "text", "this", "just") or "as" in words):
        return Sign.CAPABILITY
    mine = Tag.FIRST in union or not union & (Tag.THIRD | Tag.SECOND)
    if clause.has("text") and mine and clause.has("only", "based") and union & (Tag.SENSE | Tag.FIRST):
        return Sign.CAPABILITY
    if clause.has("please", "could", "can") and clause.has("audio", "transcript", "recording", "file"):
        if clause.has("provide", "paste", "upload", "share", "send", "attach"):
            return Sign.CAPABILITY
    if not mine:
        return Sign.NONE
    negative = bool(union & (Tag.NEG | Tag.ABSENCE)) or clause.has("beyond", "outside")
    if negative and union & Tag.ABILITY and not clause.has("unable", "able"):
        return Sign.CAPABILITY
    if not negative:
        return Sign.NONE
    if clause.has("previous", "past", "prior", "earlier") and clause.has(
        "record", "history", "remember", "recall"
    ):
        if words[0] == "i" and not clause.has("find", "see"):
            return Sign.CAPABILITY
    able = any(word in _ABLE for word in words)
    for index in clause.where(Tag.SENSE):
        if words[index] in ("store", "retain") and words[0] == "i":
            return Sign.CAPABILITY
        keeps = words[index] in _KEEPS
        if keeps and (Tag.FIRST in union or clause.has("input")) and clause.union & (Tag.SOURCE | Tag.EVIDENCE):
            return Sign.CAPABILITY
        if able and _senses(clause, index):
            return Sign.CAPABILITY
    if clause.has("input", "attachments", "files", "file", "attached") and clause.has(
        "support", "supported", "open", "play", "receive", "loaded", "process", "access"
    ):
        return Sign.CAPABILITY
    if clause.has("audio", "recording", "recordings") and clause.has("loaded", "received", "receive"):
        return Sign.CAPABILITY
    return Sign.NONE


_DECLINED = frozenset("answer say identify discuss share respond comment".split())


def _policy(clause: Clause) -> Sign:
    """The system declines by will or by rule."""
    first = Tag.FIRST in clause.union
    if clause.union & Tag.WILL and (first or Tag.THIRD not in clause.union):
        return Sign.POLICY
    sources = heads(clause, Tag.SOURCE | Tag.EVIDENCE)
    ruled = clause.where(Tag.RULE)
    before = min([*clause.negations, *ruled], default=0)
    if ruled and not (sources and sources[0] < before) and (
        first or clause.has("would", "reasons") or clause.has("due", "for") and len(clause.words) < 6
    ):
        return Sign.POLICY
    if first and clause.has("rather", "want", "will", "going"):
        for index, word in enumerate(clause.words):
            if clause.negated[index] and word in _DECLINED:
                return Sign.POLICY
    if first and clause.has("help", "discuss") and Tag.NEG in clause.union and clause.has("can", "able"):
        return Sign.POLICY
    return Sign.NONE


# --- guesses ----------------------------------------------------------------------------------


def _guess(clause: Clause) -> bool:
    """Whether the clause offers an answer under reserve, or several."""
    if clause.words[0] == "let":
        return False  # "let me think"
    subject = subjects(clause)
    for index in clause.where(Tag.HEDGE):
        about = bool(subject) and subject[0] < index and clause.words[index] not in ("probably", "likely")
        if not clause.negated[index] and not about:
            return True
    for index in clause.where(Tag.MODAL):
        after = clause.words[index + 1 : index + 2]
        if after in (("be",), ("have",)) and not clause.negated[index]:
            if not (subject and subject[0] < index) and not clause.union & Tag.KNOW:
                return True
    for index in clause.where(Tag.ANSWER):
        after = clause.tags[index + 1 : index + 2]
        if after and Tag.COPULA in after[0] and Tag.NEG not in clause.union:
            if index + 2 < len(clause.tags):
                return True
    if Tag.NEG not in clause.union and _commits(clause):
        return True
    if clause.has("would", "will") and Tag.FIRST in clause.union:
        spoken = [at for at, word in enumerate(clause.words) if word in ("go", "say", "answer")]
        if spoken and not clause.negated[spoken[0]] and answering(clause, spoken[0] + 1):
            return True
    if clause.has("sounds", "looks") and clause.has("like"):
        return True
    return "either" in clause.words and "or" in clause.words and not clause.union & (Tag.NEG | Tag.SOURCE)


def answering(clause: Clause, start: int = 0) -> bool:
    """Whether a word from ``start`` on could be an answer."""
    return any(
        tag is Tag.NONE or tag & (Tag.MANY | Tag.POLARITY | Tag.THIRD) or word.isdigit()
        for word, tag in zip(clause.words[start:], clause.tags[start:], strict=True)
    )


def _commits(clause: Clause) -> bool:
    """"I choose Tuesday", "it points to Tuesday", "I heard a train": a choice among the content."""
    content = clause.where(Tag.FUNCTION) != list(range(len(clause.words)))
    for index, word in enumerate(clause.words):
        follows = any(tag is Tag.NONE for tag in clause.tags[index + 1 :])
        if not (content and follows):
            return False
        mine = index > 0 and clause.words[index - 1] in ("i", "would", "will", "we")
        if word in ("choose", "pick", "guess", "bet", "vote") and mine:
            return True
        if word in ("go", "going") and clause.has("with") and Tag.FIRST in clause.union:
            return True
        if word in ("suggests", "suggest", "points", "point", "implies", "hints"):
            return True
        if word in ("heard", "hear", "noticed") and mine and not clause.union & Tag.SOURCE:
            return True
    return False


def _opens_with_polarity(clause: Clause) -> bool:
    """Whether the clause is a yes or a no, not a "no" that belongs to a noun."""
    if not clause.tags or Tag.POLARITY not in clause.tags[0]:
        return False
    if clause.words[0] != "no" or len(clause.words) == 1:
        return True
    return bool(clause.tags[1] & (Tag.FIRST | Tag.SECOND | Tag.THIRD)) or clause.words[1] in (
        "it", "they", "that", "this", "there", "the",
    )
