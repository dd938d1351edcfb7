"""Whether a reply commits to the gold answer, one rule set per answer type.

All comparisons are of tokens after :mod:`voxmem.judge.normalise`. In doubt a reply is incorrect:
several incompatible answers, an answer under reserve ("maybe"), a correction in passing
("actually, no, it is Y") and a range all are. Only an announced answer ("final answer: Y")
overrides what was said before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.lists import ordered_list, unordered_set
from voxmem.judge.mentions import Parsed, alternative, hedged, mentions, parse
from voxmem.judge.normalise import tokens, words
from voxmem.judge.numbers import number
from voxmem.judge.phrases import phrase
from voxmem.judge.polarity import yes_no
from voxmem.judge.reply import body, committed
from voxmem.records import AnswerSpace, AskedQuestion, Gold
from voxmem.taxonomy import AnswerType


@dataclass(frozen=True)
class Finding:
    """Whether the reply is right, and the rule that said so."""

    correct: bool
    rule: str


Matcher = Callable[[Parsed, str, AskedQuestion], str]
"""Reads (clauses, text, question); returns "" if the gold answer is what is committed to, else
the name of what is wrong."""


def match(question: AskedQuestion, text: str) -> Finding:
    """Compares a reply with the gold answer of an answerable question."""
    said, announced = committed(body(text))
    kind = question.answer_type.value
    if is_gold(question, said):
        return Finding(True, f"{kind}: the gold answer itself")
    parsed = parse(said)
    if not parsed.runs:
        return Finding(False, f"{kind}: no words")
    if hedged(parsed):
        return Finding(False, f"{kind}: answer under reserve")
    wrong = _MATCHERS[question.answer_type](parsed, said, question)
    how = "announced answer" if announced else "whole reply"
    return Finding(not wrong, f"{kind}: {wrong or 'matches the gold answer'} ({how})")


def is_gold(question: AskedQuestion, text: str) -> bool:
    """Whether ``text`` is the gold answer and nothing else."""
    gold = question.gold
    if gold is None or isinstance(gold, tuple):
        return False
    if question.answer_type is AnswerType.NUMBER:
        return gold == 0 and _counts_none(text)
    return tokens(text) == tokens(str(gold))


def _counts_none(text: str) -> bool:
    """Whether "no" and a noun count none of it, and do not speak of evidence."""
    said = words(text)
    if len(said) != 2 or said[0] != "no":
        return False
    return not tags(said[1]) & (Tag.EVIDENCE | Tag.ANSWER | Tag.UNKNOWN)


def _categorical(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    gold = _scalar(question.gold)
    options = _options(question.space, gold)
    if len(options) < 2:
        return phrase(parsed, gold)
    found = [mention for mention in mentions(parsed, options) if not mention.denied]
    named = {mention.answer for mention in found}
    if not named:
        return "names no option"
    if len(named) > 1:
        return "names several options"
    if named != {gold}:
        return "names another option"
    return "offers an alternative" if any(alternative(parsed, at) for at in found) else ""


def _options(space: AnswerSpace, gold: str) -> list[str]:
    """The options with the gold answer among them, in its own spelling."""
    others = [option for option in space.options if tokens(option) != tokens(gold)]
    return [gold, *others]


def _scalar(gold: Gold | None) -> str:
    return str(gold)


def _yes_no(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    return yes_no(parsed, _scalar(question.gold), question.text)


def _number(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    return number(parsed, text, float(_scalar(question.gold)))


def _elements(question: AskedQuestion) -> tuple[str, ...]:
    gold = question.gold
    return gold if isinstance(gold, tuple) else (str(gold),)


def _ordered_list(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    return ordered_list(text, _elements(question), question.space.options)


def _unordered_set(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    return unordered_set(text, _elements(question), question.space.options)


def _free_text(parsed: Parsed, text: str, question: AskedQuestion) -> str:
    return phrase(parsed, _scalar(question.gold))


_MATCHERS: dict[AnswerType, Matcher] = {
    AnswerType.CATEGORICAL: _categorical,
    AnswerType.YES_NO: _yes_no,
    AnswerType.NUMBER: _number,
    AnswerType.ORDERED_LIST: _ordered_list,
    AnswerType.UNORDERED_SET: _unordered_set,
    AnswerType.FREE_TEXT: _free_text,
}
