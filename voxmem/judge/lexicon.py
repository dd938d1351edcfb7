"""The word classes that refusals are built from: a small lexicon with regular inflection.

A class says what a word can do in a sentence about evidence, not what a refusal looks like; the
grammar in :mod:`voxmem.judge.refusal` composes them.
"""

from __future__ import annotations

from functools import lru_cache


class Tag:
    """What a word can do. A word may have several: plain bits, because they are tested often."""

    NONE = 0
    FUNCTION = 1 << 0
    """Grammar words and courtesies: they neither answer nor refuse."""
    NEG = 1 << 1
    """Turns what follows it in the clause into its opposite."""
    EVIDENCE = 1 << 2
    """That from which one could know."""
    SOURCE = 1 << 3
    """Where evidence would be: the conversation and its parts."""
    ENOUGH = 1 << 4
    """Says that evidence suffices."""
    LACK = 1 << 5
    """Says that evidence does not suffice, of an evidence or source noun."""
    ABSENCE = 1 << 6
    """"lack": takes its evidence noun after it."""
    UNSAID = 1 << 7
    """Says that something was not stated."""
    REPORT = 1 << 8
    """What people and sources do with information."""
    FIND = 1 << 9
    """To look for evidence."""
    KNOW = 1 << 10
    """To arrive at an answer."""
    UNKNOWN = 1 << 11
    """Says that there is no answer, and gives no ground."""
    ANSWER = 1 << 12
    """Names the answer itself."""
    NEED = 1 << 13
    HEDGE = 1 << 14
    """Offers what follows, or the whole clause, as a guess."""
    MODAL = 1 << 15
    """Hedges only before "be" or "have"."""
    FIRST = 1 << 16
    SECOND = 1 << 17
    THIRD = 1 << 18
    """Persons: who does not know."""
    COPULA = 1 << 19
    MACHINE = 1 << 20
    """The speaker as a machine."""
    SENSE = 1 << 21
    """To perceive or keep the input."""
    ABILITY = 1 << 22
    PERCEPT = 1 << 23
    """Kinds of things that a system may be unable to perceive at all."""
    WILL = 1 << 24
    """To decline."""
    RULE = 1 << 25
    """Grounds of policy."""
    POLARITY = 1 << 26
    """A yes or a no."""
    MANY = 1 << 27
    """More than one."""
    CONFLICT = 1 << 28
    """What sources do when they disagree."""
    QUIET = 1 << 29
    """A cue that is not there."""
    QUESTION = 1 << 30


_WORDS: dict[int, str] = {
    Tag.FUNCTION: """
        the a an this that these those it its there here of in on at to for from by with within
        about regarding concerning into over under as than then and or so if when which who whom
        whose what where how why be been being do does did have has had having can could will
        would shall should may might must just only also really simply actually honestly very too
        quite rather more most much any some such one other another each every all same very own
        given giving based basis due order therefore thus hence because since while although
        though however but still yet anyway nevertheless nonetheless instead sorry apologies
        apologize apologise afraid unfortunately regrettably regret please thanks thank hmm hm
        well ok okay let us me my mine our ours your yours their his her him them out up down
        back off through throughout across between among after before during both either whether
        final finally conclusion summary result response reply output note reason explanation
        exact exactly specific particular necessary required relevant needed available provided
        explicit explicitly directly anywhere ever yes able way possible certainty hitherto goes
        went stop case part word bit piece day date time place name make made get got go going
        come came regard respect alone
        """,
    Tag.NEG: """
        not no never nothing nobody none neither nor nowhere without hardly barely scarcely
        unable impossible fail fails failed failing hard difficult tough tricky cannot
        """,
    Tag.EVIDENCE: """
        evidence information info informations detail data clue proof indication hint basis
        ground material support context knowledge fact trace sign cue mention reference record
        statement anything something something content answerbearing
        """,
    Tag.SOURCE: """
        conversation session history dialogue dialog recording audio clip chat transcript turn
        message discussion log exchange talk speech context timestamp source material input
        """,
    Tag.ENOUGH: """
        enough sufficient sufficiently adequate adequately conclusive unambiguous available
        """,
    Tag.LACK: """
        insufficient insufficiently inadequate missing absent incomplete ambiguous ambiguity
        inconclusive lacking contradictory conflicting vague limited sparse scarce unavailable
        thin insufficiency short silent open weak poor unreliable fragmentary inconsistent
        unhelpful scant deficient
        """,
    Tag.ABSENCE: "lack lacks lacked lacking absence",
    Tag.UNSAID: """
        unstated unspecified unmentioned undisclosed unsaid unreported omitted omits omit
        """,
    Tag.REPORT: """
        mention say said state specify give gave given provide reveal indicate show contain
        include discuss tell told describe support point explain cover arise arisen arose
        disclose establish speak spoke spoken talk note address identify name share raise appear
        present single suggest imply confirm settle decide pin document record report hold answer
        clarify refer ask offer express touch help tie link list stated prove detail elaborate
        define cite quote narrow
        """,
    Tag.FIND: """
        find found see saw seen locate spot discover trace hear heard recall remember detect
        notice
        """,
    Tag.KNOW: """
        know knew known tell say determine answer establish decide conclude infer identify figure
        work resolve confirm verify deduce derive judge choose pick respond answerable
        determinable compare comparison compute calculate distinguish certain sure definite
        definitive discern ascertain clear evident obvious pinpoint reconstruct solve reach name
        give provide offer
        """,
    Tag.UNKNOWN: """
        unknown unclear undetermined indeterminate undeterminable unanswerable unsure uncertain
        idea clue ambiguous unresolved undecided unknowable clueless undecidable unanswered
        """,
    Tag.ANSWER: "answer",
    Tag.NEED: "need require",
    Tag.HEDGE: """
        probably maybe perhaps likely possibly presumably apparently supposedly guess guessing
        assume suppose suspect think believe seem appear estimate lean bet plausible reasonable
        speculate speculation guesswork imagine conceivably candidate educated pressed typically
        usually generally judging guesstimate
        """,
    Tag.MODAL: "may might could must would should",
    Tag.FIRST: "i we me us my our im",
    Tag.SECOND: "you your",
    Tag.THIRD: "he she they him her them speaker user caller person man woman people",
    Tag.COPULA: "is are was were be been s am",
    Tag.MACHINE: "ai llm chatbot machine bot model",
    Tag.SENSE: """
        hear heard listen process access play open perceive load receive retain store remember
        recall analyze analyse recognize recognise identify detect understand upload
        """,
    Tag.ABILITY: """
        recollection ability capability capable capacity memory ear abilities capabilities access
        """,
    Tag.PERCEPT: """
        speakers voices people emotions tones sounds faces individuals emotion emotional
        """,
    Tag.WILL: """
        decline refuse comfortable willing assist inappropriate unwilling prefer
        """,
    Tag.RULE: """
        policy privacy guideline allowed permitted permit ethical unethical confidential private
        violate sensitive safety personal appropriate
        """,
    Tag.POLARITY: "yes yeah yep no nope",
    Tag.MANY: "two three several multiple many both different various",
    Tag.CONFLICT: "contradict conflict disagree differ",
    Tag.QUIET: "neutral flat inaudible unmarked",
    Tag.QUESTION: "question comparison total difference",
}


def _lexicon() -> dict[str, int]:
    table: dict[str, int] = {}
    for tag, listed in _WORDS.items():
        for word in listed.split():
            table[word] = table.get(word, Tag.NONE) | tag
    return table


_TABLE = _lexicon()
_NOUNS = (
    Tag.EVIDENCE | Tag.SOURCE | Tag.ABILITY | Tag.RULE | Tag.QUESTION | Tag.ANSWER | Tag.THIRD
    | Tag.MACHINE
)  # fmt: skip
_VERBS = (
    Tag.REPORT | Tag.FIND | Tag.KNOW | Tag.NEED | Tag.HEDGE | Tag.SENSE | Tag.WILL | Tag.RULE
    | Tag.CONFLICT
)  # fmt: skip
"""Classes whose inflected forms are looked up under their base; only verbs take -ed and -ing."""


def _plural(word: str) -> tuple[str, ...]:
    if word.endswith("ies"):
        return (word[:-3] + "y",)
    if word.endswith("s") and not word.endswith("ss"):
        return (word[:-1], word[:-2]) if word.endswith("es") else (word[:-1],)
    return ()


def _participle(word: str) -> tuple[str, ...]:
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            base = word[: -len(ending)]
            doubled = (base[:-1],) if base[-1] == base[-2] else ()
            return (base, base + "e", *doubled, *((base[:-1] + "y",) if base[-1] == "i" else ()))
    return ()


@lru_cache(maxsize=20_000)
def tags(word: str) -> int:
    """The classes of a lower-case word; :attr:`Tag.NONE` for a content word."""
    found = _TABLE.get(word, Tag.NONE)
    for base in _plural(word):
        found |= _TABLE.get(base, Tag.NONE) & (_NOUNS | _VERBS)
    for base in _participle(word):
        found |= _TABLE.get(base, Tag.NONE) & _VERBS
    return found
