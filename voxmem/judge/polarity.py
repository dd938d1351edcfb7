"""Yes or no: the polarity that a reply commits to."""

from __future__ import annotations

from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.mentions import Parsed, Run, denied
from voxmem.judge.normalise import words

_YES = frozenset("yes yeah yep yup correct true right indeed affirmative absolutely".split())
_NO = frozenset("no nope nah false incorrect wrong negative".split())
_LEAD = frozenset(
    """answer is it that this so well therefore thus i think believe would say probably likely
    final based on conversation most clearly simply definitely certainly um hmm sorry""".split()
)
_PERSONS = frozenset("it that this they he she i you we there".split())
_AUXILIARY = frozenset("is are was were do does did has have had can could will would".split())
_OTHER = frozenset("different another differing distinct".split())


def yes_no(parsed: Parsed, gold: str, question: str) -> str:
    """The name of what is wrong, or nothing if the reply says ``gold`` ("yes" or "no")."""
    said = {polarity for run in parsed.runs if (polarity := _spoken(run))}
    said |= {polarity for run in parsed.runs if (polarity := _elliptic(run))}
    said |= _sameness(parsed, question)
    if not said:
        return "says neither yes nor no"
    if len(said) > 1:
        return "says both yes and no"
    return "" if said == {gold.casefold()} else "says the opposite"


def _spoken(run: Run) -> str:
    """The yes or no that a clause opens with, a "not" before it turned round."""
    for index, word in enumerate(run):
        if word in _YES or word in _NO:
            if word == "no" and not _stands_alone(run, index):
                return ""
            if word in ("right", "wrong", "true", "false", "correct") and not _predicate(
                run, index
            ):
                return ""
            return "yes" if (word in _YES) != denied(run, index) else "no"
        if word not in _LEAD and word not in ("not", "was", "are", "were"):
            return ""
    return ""


def _stands_alone(run: Run, index: int) -> bool:
    """Whether a "no" answers, and does not belong to a noun ("no sound", "no doubt")."""
    after = run[index + 1 : index + 2]
    return not after or after[0] in _PERSONS or after[0] in _AUXILIARY


def _predicate(run: Run, index: int) -> bool:
    return index + 1 == len(run) or tags(run[index + 1]) != Tag.NONE


def _elliptic(run: Run) -> str:
    """As in "it was not", "they did": a short answer without yes or no."""
    if len(run) == 2 and run[0] in _PERSONS and run[1] in _AUXILIARY:
        return "yes"
    if len(run) == 3 and run[0] in _PERSONS and run[1] in _AUXILIARY and run[2] == "not":
        return "no"
    return ""


def _sameness(parsed: Parsed, question: str) -> set[str]:
    """What "same" and "different" say to a question that asks for one of them."""
    asked = set(words(question))
    if ("same" in asked) == bool(asked & _OTHER):
        return set()
    said = set()
    for run in parsed.runs:
        for index, word in enumerate(run):
            if word == "same" or word in _OTHER:
                same = (word == "same") != denied(run, index)
                said.add("yes" if same == ("same" in asked) else "no")
    return said
