"""What a question means (the heart of voxmem).

A question is a query over annotated sessions. :func:`answer` decides it by completions: an
unknown value may be anything its kind allows, and the result is an :class:`Answer` only if every
completion agrees; otherwise it is :class:`Insufficient`, for one of five reasons:

``no_session``      nothing meets the words of the question
``missing_member``  a named or declared member is not there
``cue_absent``      the session is there, its cue or sound is not
``unbound``         the link to a voice is missing, or the answer hangs on something unknown
``ambiguous``       several answers are supported equally

Only episodes that the words of the question do not rule out are looked at (:func:`relevant`): a
history costs what concerns the question, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxmem.query import Query
from voxmem.records import Gold, Reason
from voxmem.semantics.completions import (
    Background,
    World,
    is_stand_in,
    worlds,
)
from voxmem.semantics.operate import Result, evaluate
from voxmem.semantics.outline import outline, references, relevant
from voxmem.semantics.select import NoAnswer, Scope, voice_of
from voxmem.semantics.view import (
    CHANNEL_OF,
    TRANSCRIPT_MASK,
    Channel,
    Episode,
    in_order,
    mask,
    observe,
    observe_all,
)

__all__ = [
    "CHANNEL_OF",
    "TRANSCRIPT_MASK",
    "Answer",
    "Channel",
    "Decision",
    "Episode",
    "Insufficient",
    "Possibilities",
    "answer",
    "decide",
    "mask",
    "observe",
    "observe_all",
    "possibilities",
    "references",
    "relevant",
]


@dataclass(frozen=True)
class Answer:
    """The one answer that the history supports."""

    value: Gold


@dataclass(frozen=True)
class Insufficient:
    """The history supports no unique answer."""

    reason: Reason


Decision = Answer | Insufficient


def answer(query: Query, history: Sequence[Episode], asker: str) -> Decision:
    """Decides a question over a history, as far as it is observed.

    Args:
        query: What is asked.
        history: Episodes, possibly masked, in any order.
        asker: The persona whose voice asks.
    """
    return decide(query, relevant(query, history), asker)


def decide(query: Query, episodes: Sequence[Episode], asker: str) -> Decision:
    """:func:`answer`, looking at every episode: for those who have left out what cannot matter."""
    decisions = _decisions(Background(query, in_order(episodes), asker))
    first = next(decisions)
    agreed = all(decision == first for decision in decisions)
    if not agreed or (isinstance(first, Answer) and is_stand_in(first.value)):
        return Insufficient("unbound")
    return first


@dataclass(frozen=True)
class Possibilities:
    """What may still be answered under a mask: the chance level of an item is 1 over its size."""

    answers: frozenset[Gold]
    insufficient: bool
    """Whether some completion supports no answer."""
    exhausted: bool
    """Whether every completion was seen and none was answered by an invented name, which stands
    for many; if not, ``answers`` is a lower bound."""


def possibilities(
    query: Query,
    history: Sequence[Episode],
    asker: str,
    limit: int = 20_000,
    values: Sequence[str] = (),
) -> Possibilities:
    """All answers that some completion gives, looking at no more than ``limit`` of them.

    The first completions looked at are those in which every unknown takes its last option, every
    one its last but one, and so on; so even a small limit sees answers of many kinds.

    Args:
        values: What an answer, or an element of it, may be: the options of a question. An unknown
            is also one of these, or the number that it spells, where its kind allows.
    """
    numbers = tuple(int(value) for value in values if value.isdecimal())
    episodes = in_order(relevant(query, history))
    background = Background(query, episodes, asker, (*values, *numbers))
    answers: set[Gold] = set()
    insufficient = False
    for seen, decision in enumerate(_decisions(background)):
        if seen == limit:
            return Possibilities(frozenset(answers), insufficient, exhausted=False)
        if isinstance(decision, Answer):
            answers.add(decision.value)
        else:
            insufficient = True
    exhausted = not any(map(is_stand_in, answers))
    return Possibilities(frozenset(answers), insufficient, exhausted)


def _decisions(background: Background) -> Iterator[Decision]:
    return (_decide(background, world) for world in worlds(background))


def _decide(background: Background, world: World) -> Decision:
    scope = Scope(tuple(background.episodes), background.asker, world)
    try:
        # First of all what the question refers to: without it, it is about nobody.
        for where in outline(background.query).voices:
            voice_of(scope, where)
        return Answer(_gold(evaluate(scope, background.query)))
    except NoAnswer as refusal:
        return Insufficient(refusal.reason)


def _gold(result: Result) -> Gold:
    return tuple(sorted(result)) if isinstance(result, frozenset) else result
