"""Which function is the meaning of which operation, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from voxmem import query as q
from voxmem.errors import InputError
from voxmem.semantics.attributes import NoAnswer, Readable, Scope, read_one
from voxmem.semantics.select import members, readings
from voxmem.semantics.view import Episode

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


def values(scope: Scope, reading: q.Reading) -> list[Readable]:
    """The values of a reading, in the order in which they come to hold."""
    return [item.value for item in readings(scope, reading)]


def numbers(read: Sequence[Readable]) -> list[int]:
    """The same values, all of which must be numbers."""
    found = [value for value in read if isinstance(value, int)]
    if len(found) != len(read):
        raise NoAnswer("ambiguous")
    return found


def labelled(
    scope: Scope, labels: Sequence[str], selection: q.Selection, read: q.Read | None
) -> list[tuple[str, Episode]]:
    """Every label with its session, in the order of the labels.

    Raises:
        InputError: The labels are not one an anchor.
    """
    if not isinstance(selection, q.Named):
        raise mislabelled(len(labels), 0)
    if not labels or len(selection.anchors) != len(labels):
        raise mislabelled(len(labels), len(selection.anchors))
    return list(zip(labels, members(scope, selection, read), strict=True))


def labelled_values(
    scope: Scope, labels: Sequence[str], reading: q.Reading
) -> list[tuple[str, Readable]]:
    """Every label with the value of its session, in the order of the labels."""
    return [
        (label, read_one(scope, member, reading.read).value)
        for label, member in labelled(scope, labels, reading.select, reading.read)
    ]


def mislabelled(labels: int, sessions: int) -> InputError:
    """What is wrong with a query whose labels are not one a session."""
    return InputError(
        f"{labels} labels name {sessions} sessions", remedy="give one label to each named session"
    )


def yes(truth: bool) -> str:
    """A truth as an answer."""
    return "yes" if truth else "no"
