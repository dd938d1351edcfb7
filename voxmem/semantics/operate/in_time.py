"""Operations on states in time: the latest, an earlier one, and how they follow each other (VoxMem,
Table 7)."""

from __future__ import annotations

from itertools import groupby, pairwise

from voxmem import query as q
from voxmem.semantics.attributes import Item, NoAnswer, Readable, Scope
from voxmem.semantics.operate.registry import numbers, operation, yes
from voxmem.semantics.select import readings


def _timeline(scope: Scope, reading: q.Reading) -> list[Readable]:
    """The values in order of time; two different values from the same moment on have no order."""
    items = readings(scope, reading)
    if any(one.since == two.since and one.value != two.value for one, two in pairwise(items)):
        raise NoAnswer("ambiguous")
    return [item.value for item in items]


def _runs(values: list[Readable]) -> list[Readable]:
    """The values without those that only repeat the one before."""
    return [value for value, _ in groupby(values)]


def _in_force(items: list[Item]) -> Readable:
    """The value of the last item; two different values from the same moment on are ambiguous."""
    last = items[-1].since
    values = {item.value for item in items if item.since == last}
    if len(values) != 1:
        raise NoAnswer("ambiguous")
    return values.pop()


# --- one state --------------------------------------------------------------------------------


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


@operation(q.Previous)
def _previous(scope: Scope, query: q.Previous) -> Readable:
    runs = _runs(_timeline(scope, query.of))
    if len(runs) < 2:
        raise NoAnswer("missing_member")
    return runs[-2]


# --- their course -----------------------------------------------------------------------------


@operation(q.Sequence)
def _sequence(scope: Scope, query: q.Sequence) -> tuple[str, ...]:
    return tuple(str(value) for value in _timeline(scope, query.of))


@operation(q.Changes)
def _changes(scope: Scope, query: q.Changes) -> int:
    return len(_runs(_timeline(scope, query.of))) - 1


@operation(q.Recurs)
def _recurs(scope: Scope, query: q.Recurs) -> str:
    runs = _runs(_timeline(scope, query.of))
    return yes(len(set(runs)) < len(runs))


@operation(q.Direction)
def _direction(scope: Scope, query: q.Direction) -> str:
    values = numbers(_timeline(scope, query.of))
    if len(values) < 2:
        raise NoAnswer("missing_member")
    if any(one == two for one, two in pairwise(values)):
        raise NoAnswer("ambiguous")
    rising = {one < two for one, two in pairwise(values)}
    return "both" if len(rising) == 2 else "up" if rising.pop() else "down"


@operation(q.FirstStage)
def _first_stage(scope: Scope, query: q.FirstStage) -> int:
    return _stages(_timeline(scope, query.of), query.value)[0]


@operation(q.LastStage)
def _last_stage(scope: Scope, query: q.LastStage) -> int:
    return _stages(_timeline(scope, query.of), query.value)[-1]


def _stages(values: list[Readable], wanted: Readable) -> list[int]:
    """The stages, counted from 1, at which a value holds."""
    stages = [stage for stage, value in enumerate(values, start=1) if value == wanted]
    if not stages:
        raise NoAnswer("cue_absent")
    return stages


@operation(q.AskerStages)
def _asker_stages(scope: Scope, query: q.AskerStages) -> tuple[str, ...]:
    stages = [at for at, mine in enumerate(_askers(scope, query.of), start=1) if mine]
    if not stages:
        raise NoAnswer("unbound")
    return tuple(map(str, stages))


@operation(q.Handoff)
def _handoff(scope: Scope, query: q.Handoff) -> tuple[str, ...]:
    return tuple("me" if mine else "someone else" for mine in _askers(scope, query.of))


def _askers(scope: Scope, selection: q.Selection) -> list[bool]:
    """Stage by stage, whether the voice is the asker's."""
    voices = _timeline(scope, q.Reading(select=selection, read=q.ReadSpeaker()))
    return [voice == scope.asker for voice in voices]
