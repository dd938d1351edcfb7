"""What is done with the readings: one small function per operation of the algebra."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from voxmem import query as q
from voxmem.semantics.select import Item, NoAnswer, Readable, Scope, readings, select

Result = Readable | tuple[str, ...] | frozenset[str]
Operation = Callable[[Scope, Any], Result]

OPERATIONS: dict[type[q.Term], Operation] = {}


def operation(term: type[q.Term]) -> Callable[[Operation], Operation]:
    """Registers the meaning of a term of the algebra."""

    def register(function: Operation) -> Operation:
        OPERATIONS[term] = function
        return function

    return register


def evaluate(scope: Scope, query: q.Query) -> Result:
    """What a query comes to in one world.

    Raises:
        NoAnswer: The question has no unique answer in this world.
    """
    return OPERATIONS[type(query)](scope, query)


def _values(scope: Scope, reading: q.Reading) -> list[Readable]:
    return [item.value for item in readings(scope, reading)]


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"


def _numbers(scope: Scope, reading: q.Reading) -> list[int]:
    values = _values(scope, reading)
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(values):
        raise NoAnswer("ambiguous")
    return numbers


def _timeline(scope: Scope, reading: q.Reading) -> list[Readable]:
    """The values in order of time; two different values from the same moment on have no order."""
    items = readings(scope, reading)
    if any(one.since == two.since and one.value != two.value for one, two in pairwise(items)):
        raise NoAnswer("ambiguous")
    return [item.value for item in items]


def _in_force(items: list[Item]) -> Readable:
    """The value of the last item; two different values from the same moment on are ambiguous."""
    last = items[-1].since
    values = {item.value for item in items if item.since == last}
    if len(values) != 1:
        raise NoAnswer("ambiguous")
    return values.pop()


# --- information extraction -------------------------------------------------------------------


@operation(q.Only)
def _only(scope: Scope, query: q.Only) -> Readable:
    if len(select(scope, query.of.select, query.of.read)) > 1:
        raise NoAnswer("ambiguous")
    return readings(scope, query.of)[0].value


@operation(q.IsAsker)
def _is_asker(scope: Scope, query: q.IsAsker) -> str:
    return _yes(evaluate(scope, query.of) == scope.asker)


@operation(q.Is)
def _is(scope: Scope, query: q.Is) -> str:
    return _yes(evaluate(scope, query.of) == query.value)


# --- counting ---------------------------------------------------------------------------------


@operation(q.Count)
def _count(scope: Scope, query: q.Count) -> int:
    return len(select(scope, query.of))


@operation(q.CountDistinct)
def _count_distinct(scope: Scope, query: q.CountDistinct) -> int:
    return len(set(_values(scope, query.of)))


# --- matching ---------------------------------------------------------------------------------


@operation(q.Same)
def _same(scope: Scope, query: q.Same) -> str:
    return _yes(len(set(_values(scope, query.of))) == 1)


# --- aggregation and comparison ---------------------------------------------------------------


@operation(q.Sum)
def _sum(scope: Scope, query: q.Sum) -> int:
    return sum(_numbers(scope, query.of))


@operation(q.Difference)
def _difference(scope: Scope, query: q.Difference) -> int:
    numbers = _numbers(scope, query.of)
    if len(numbers) != 2:
        raise NoAnswer("missing_member" if len(numbers) < 2 else "ambiguous")
    return abs(numbers[0] - numbers[1])


@operation(q.Merge)
def _merge(scope: Scope, query: q.Merge) -> frozenset[str]:
    return frozenset(str(value) for value in _values(scope, query.of))


@operation(q.Dominant)
def _dominant(scope: Scope, query: q.Dominant) -> Readable:
    ranked = Counter(_values(scope, query.of)).most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        raise NoAnswer("ambiguous")
    return ranked[0][0]


@operation(q.Majority)
def _majority(scope: Scope, query: q.Majority) -> str:
    values = _values(scope, query.of)
    return _yes(2 * values.count(query.value) > len(values))


@operation(q.MoreOf)
def _more_of(scope: Scope, query: q.MoreOf) -> str:
    left, right = len(select(scope, query.left)), len(select(scope, query.right))
    if left == right:
        raise NoAnswer("ambiguous")
    return query.labels[0] if left > right else query.labels[1]


# --- states in time ---------------------------------------------------------------------------


@operation(q.Latest)
def _latest(scope: Scope, query: q.Latest) -> Readable:
    return _in_force(readings(scope, query.of))


@operation(q.AsOf)
def _as_of(scope: Scope, query: q.AsOf) -> Readable:
    items = [item for item in readings(scope, query.of) if item.since <= query.at]
    if not items:
        raise NoAnswer("no_session")
    return _in_force(items)


@operation(q.Nth)
def _nth(scope: Scope, query: q.Nth) -> Readable:
    values = _timeline(scope, query.of)
    if len(values) < query.n:
        raise NoAnswer("missing_member")
    return values[query.n - 1]


@operation(q.Sequence)
def _sequence(scope: Scope, query: q.Sequence) -> tuple[str, ...]:
    return tuple(str(value) for value in _timeline(scope, query.of))


@operation(q.Changes)
def _changes(scope: Scope, query: q.Changes) -> int:
    values = _timeline(scope, query.of)
    return sum(one != two for one, two in pairwise(values))


@operation(q.Recurs)
def _recurs(scope: Scope, query: q.Recurs) -> str:
    values = _timeline(scope, query.of)
    runs = [value for at, value in enumerate(values) if at == 0 or values[at - 1] != value]
    return _yes(len(set(runs)) < len(runs))


@operation(q.FirstStage)
def _first_stage(scope: Scope, query: q.FirstStage) -> int:
    values = _timeline(scope, query.of)
    if query.value not in values:
        raise NoAnswer("cue_absent")
    return values.index(query.value) + 1


@operation(q.AskerStages)
def _asker_stages(scope: Scope, query: q.AskerStages) -> tuple[str, ...]:
    voices = _timeline(scope, q.Reading(select=query.of, read=q.ReadSpeaker()))
    stages = tuple(str(at) for at, voice in enumerate(voices, start=1) if voice == scope.asker)
    if not stages:
        raise NoAnswer("unbound")
    return stages
