"""Operations over several sessions that do not look at when they were: counting, matching,
aggregation and comparison (VoxMem, Table 6)."""

from __future__ import annotations

from collections import Counter

from voxmem import query as q
from voxmem.records import Reason
from voxmem.semantics.attributes import NoAnswer, Readable, Scope, read_one
from voxmem.semantics.operate.registry import (
    labelled,
    labelled_values,
    numbers,
    operation,
    values,
    yes,
)
from voxmem.semantics.select import at_least, exactly_one, meets, select

# --- counting ---------------------------------------------------------------------------------


@operation(q.Count)
def _count(scope: Scope, query: q.Count) -> int:
    return len(select(scope, query.of))


@operation(q.CountDistinct)
def _count_distinct(scope: Scope, query: q.CountDistinct) -> int:
    return len(set(values(scope, query.of)))


# --- matching ---------------------------------------------------------------------------------


@operation(q.Same)
def _same(scope: Scope, query: q.Same) -> str:
    return yes(len(set(values(scope, query.of))) == 1)


@operation(q.WhichOf)
def _which_of(scope: Scope, query: q.WhichOf) -> frozenset[str]:
    named = labelled(scope, query.labels, query.select, None)
    found = frozenset(label for label, member in named if meets(scope, member, query.having))
    if not found:
        at_least(scope, query.having, among=[member for _, member in named])
    return found


@operation(q.Alike)
def _alike(scope: Scope, query: q.Alike) -> frozenset[str]:
    read = query.of.read
    try:
        wanted = read_one(scope, exactly_one(scope, query.reference, read), read).value
    except NoAnswer as error:
        missing = error.reason == "no_session"
        raise NoAnswer("unbound" if missing else error.reason) from None
    named = labelled_values(scope, query.labels, query.of)
    found = frozenset(label for label, value in named if value == wanted)
    if not found:
        raise NoAnswer(_LACKING.get(type(read), "no_session"))
    return found


_LACKING: dict[type[q.Term], Reason] = {
    q.ReadSpeaker: "unbound",
    q.ReadCue: "cue_absent",
    q.ReadSound: "cue_absent",
}
"""What a history lacks where no session has the value that is looked for, by what is read."""


@operation(q.OddOneOut)
def _odd_one_out(scope: Scope, query: q.OddOneOut) -> str:
    named = labelled_values(scope, query.labels, query.of)
    times = Counter(value for _, value in named)
    odd = [label for label, value in named if times[value] == 1]
    if len(times) != 2 or len(odd) != 1:
        raise NoAnswer("ambiguous")
    return odd[0]


# --- aggregation and comparison ---------------------------------------------------------------


@operation(q.Sum)
def _sum(scope: Scope, query: q.Sum) -> int:
    return sum(numbers(values(scope, query.of)))


@operation(q.Difference)
def _difference(scope: Scope, query: q.Difference) -> int:
    read = numbers(values(scope, query.of))
    if len(read) != 2:
        raise NoAnswer("missing_member" if len(read) < 2 else "ambiguous")
    return abs(read[0] - read[1])


@operation(q.Merge)
def _merge(scope: Scope, query: q.Merge) -> frozenset[str]:
    return frozenset(str(value) for value in values(scope, query.of))


@operation(q.Dominant)
def _dominant(scope: Scope, query: q.Dominant) -> Readable:
    ranked = Counter(values(scope, query.of)).most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        raise NoAnswer("ambiguous")
    return ranked[0][0]


@operation(q.Majority)
def _majority(scope: Scope, query: q.Majority) -> str:
    read = values(scope, query.of)
    return yes(2 * read.count(query.value) > len(read))


@operation(q.MoreOf)
def _more_of(scope: Scope, query: q.MoreOf) -> str:
    left, right = len(select(scope, query.left)), len(select(scope, query.right))
    if left == right:
        raise NoAnswer("ambiguous")
    return query.labels[0] if left > right else query.labels[1]


@operation(q.Extreme)
def _extreme(scope: Scope, query: q.Extreme) -> str:
    named = labelled_values(scope, query.labels, query.of)
    read = numbers([value for _, value in named])
    best = min(read) if query.least else max(read)
    if read.count(best) != 1:
        raise NoAnswer("ambiguous")
    return named[read.index(best)][0]
