"""Which of some named answers a reply mentions, where, and whether it denies them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from voxmem.judge.clauses import sentences
from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.normalise import canonical, ordinal, stem, tokens

Run = tuple[str, ...]

_NOT = frozenset("not no never neither nor none nobody nothing nowhere without".split())
_PERSONS = frozenset("it that this they he she i you we there".split())
_WEAK = frozenset(
    "maybe perhaps possibly might guess guessing unsure uncertain conceivably speculate".split()
)
_WEAK_PAIRS = frozenset(
    {("could", "be"), ("may", "be"), ("could", "have"), ("may", "have"), ("not", "sure"),
     ("not", "certain"), ("can", "be"), ("must", "be")}
)  # fmt: skip
_FILLER = frozenset(
    """answer final so therefore thus well sure okay it that this these those they he she was is are
    were be there here i you we say said would and then finally next lastly last first second third
    of in to for on at by with from as all both also followed after afterwards order sequence set
    list sorry please thanks conversation session sessions audio recording history based speaker
    think believe probably likely user heard hear states state followed turn turns""".split()
)


@dataclass(frozen=True)
class Mention:
    """One named answer found in a reply."""

    answer: str
    clause: int
    start: int
    end: int
    denied: bool


@dataclass(frozen=True)
class Parsed:
    """A reply as canonical tokens by clause, with what joins each clause to the one before."""

    runs: tuple[Run, ...]
    joints: tuple[str, ...]


def parse(text: str) -> Parsed:
    """The clauses of clean text as canonical tokens."""
    runs, joints = [], []
    for sentence in sentences(text):
        for clause in sentence:
            run = canonical(clause.words)
            if len(run) > 1 and run[0] in ("no", "yes") and run[1] in _PERSONS:
                runs.append(run[:1])
                joints.append(clause.joint)
                run = run[1:]
            if run:
                runs.append(run)
                joints.append(clause.joint)
    return Parsed(tuple(runs), tuple(joints))


def hedged(parsed: Parsed) -> bool:
    """Whether a reply reserves its answer: "maybe", "might be". "I think" and "probably" do not."""
    return any(
        _WEAK.intersection(run) or any(pair in _WEAK_PAIRS for pair in pairwise(run))
        for run in parsed.runs
    )


def denied(run: Run, index: int) -> bool:
    """Whether the token at ``index`` stands under an odd number of negations of its clause."""
    before = [word for word in run[:index] if word in _NOT]
    if "neither" in before:
        before = [word for word in before if word != "nor"]
    return len(before) % 2 == 1


def mentions(parsed: Parsed, answers: Iterable[str]) -> list[Mention]:
    """All mentions of ``answers`` in order, the longest first where they overlap.

    Inflection is ignored unless it is what tells two answers apart. An answer of several words
    may also be named in another order within one clause ("typing on a keyboard").
    """
    forms = _forms(sorted(set(answers)))
    found: list[Mention] = []
    for number, run in enumerate(parsed.runs):
        stems = tuple(stem(token) for token in run)
        taken: set[int] = set()
        for answer, form, stemmed in forms:
            where = stems if stemmed else run
            spans = _spans(where, form) or _scattered(where, form)
            for span in spans:
                if taken.isdisjoint(span):
                    taken.update(span)
                    found.append(
                        Mention(answer, number, min(span), max(span) + 1, denied(run, min(span)))
                    )
    return sorted(found, key=lambda mention: (mention.clause, mention.start))


def _forms(answers: Sequence[str]) -> list[tuple[str, Run, bool]]:
    """The tokens to look for, longest first, stemmed where all stay apart."""
    plain = {answer: tokens(answer) for answer in answers}
    stemmed = {answer: tuple(stem(token) for token in run) for answer, run in plain.items()}
    apart = len(set(stemmed.values())) == len(set(plain.values()))
    forms = [
        (answer, stemmed[answer] if apart else plain[answer], apart)
        for answer in answers
        if plain[answer]
    ]
    return sorted(forms, key=lambda form: (-len(form[1]), form[0]))


def _spans(run: Run, form: Run) -> list[range]:
    width = len(form)
    return [
        range(at, at + width) for at in range(len(run) - width + 1) if run[at : at + width] == form
    ]


def _scattered(run: Run, form: Run) -> list[tuple[int, ...]]:
    if len(form) < 2 or not set(form) <= set(run):
        return []
    return [tuple(run.index(token) for token in form)]


def as_numbers(parsed: Parsed) -> Parsed:
    """The same reply with ordinals as numbers, for answers that are places."""
    runs = tuple(
        tuple(str(place) if (place := ordinal(token)) else token for token in run)
        for run in parsed.runs
    )
    return Parsed(runs, parsed.joints)


def alternative(parsed: Parsed, mention: Mention) -> bool:
    """Whether the mention is offered beside something else: "rain or hail"."""
    run = parsed.runs[mention.clause]
    before, after = run[: mention.start], run[mention.end :]
    if (before and before[-1] == "or") or (after and after[0] == "or") or "either" in before:
        return True
    return len(after) > 1 and after[0] == "and" and tags(after[1]) == Tag.NONE


def stray(run: Run, most: int = 3) -> bool:
    """Whether a stretch without any expected answer looks like one more answer."""
    left = [token for token in run if token not in _FILLER]
    return 0 < len(left) <= most and all(tags(token) == Tag.NONE for token in left)
