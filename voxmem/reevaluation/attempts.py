"""What was started, kept in the root: so that nothing is started twice, or again without end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from voxmem.errors import InputError
from voxmem.records import Record
from voxmem.reevaluation.records import Kind, Step
from voxmem.store.root import Root

FOLDER = "reevaluation"
A_NIGHT = 2
"""Attempts at one step in one night: a worker that died costs no day, and what fails for an hour
does not use up all attempts."""
RunState = Literal["running", "ended", "unknown"]
StateOf = Callable[[str], RunState]
"""The state of a flow run by its id. One that the server no longer knows has ended."""


class Attempt(Record):
    """One flow run that was started, or was about to be."""

    kind: Kind
    fingerprint: str
    number: int
    night: str
    """The day on which the night began in which it was started, ``YYYY-MM-DD``."""
    flow_run: str | None = None
    """``None``: the process ended before it was told. The same key brings the same run."""


class Begun(Record):
    """The document of all attempts at the steps of some runs, oldest first."""

    name: str
    series: str = ""
    """A random word, made with the document. The server knows the runs of one that was deleted
    still, and would take them for new attempts."""
    attempts: tuple[Attempt, ...] = ()


_BEGUN = TypeAdapter(Begun)
_DOLLARS = TypeAdapter(dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]])
T = TypeVar("T")


class Attempts:
    """The attempts at the steps of one release. Writers hold the lock ``reevaluation``."""

    def __init__(self, root: Root, release_id: str) -> None:
        self._root = root
        self._release = release_id

    def of(self, work: str) -> Begun:
        """Those at the steps of some runs.

        Raises:
            InputError: The document is damaged.
        """
        return self._read(self._document(work), _BEGUN) or Begun(name="")

    def begin(self, step: Step, night: str) -> Step:
        """Writes down that a step is about to be started, and what it may cost; returns it with its
        series. The cost comes first: a process that ends in between has reserved too much, never
        too little. One that is begun again may be at work within what was reserved first: that
        stays."""
        series = self.of(step.work).series or secrets.token_hex(8)
        step = step.model_copy(update={"series": series})
        before = self.reserved(night)
        most = max(before.get(step.key, 0.0), step.limit_usd or step.most or 0.0)
        self._root.put_json(_night(night), {**before, step.key: most})
        attempt = Attempt(
            kind=step.kind, fingerprint=step.fingerprint, number=step.attempt, night=night
        )
        self._replace(step, attempt)
        return step

    def started(self, step: Step, night: str, flow_run: str) -> None:
        """Writes down which flow run a step became that was begun."""
        attempt = Attempt(
            kind=step.kind,
            fingerprint=step.fingerprint,
            number=step.attempt,
            night=night,
            flow_run=flow_run,
        )
        self._replace(step, attempt)

    def reserved(self, night: str) -> dict[str, float]:
        """Key of a step → dollars at most, of all that was started in a night in this root.

        Raises:
            InputError: The document is damaged.
        """
        return self._read(_night(night), _DOLLARS) or {}

    def _replace(self, step: Step, attempt: Attempt) -> None:
        others = (
            one
            for one in self.of(step.work).attempts
            if (one.kind, one.fingerprint, one.number)
            != (attempt.kind, attempt.fingerprint, attempt.number)
        )
        begun = Begun(name=step.name, series=step.series, attempts=(*others, attempt))
        self._root.put_json(self._document(step.work), begun)

    def _read(self, name: str, kind: TypeAdapter[T]) -> T | None:
        try:
            found = self._root.get_json(name)
            return None if found is None else kind.validate_python(found)
        except (InputError, ValidationError):
            raise InputError(
                "this record of what was started is damaged",
                item=name,
                stage="reevaluate",
                remedy="restore it; deleting it forgets attempts, or what a night has spent",
            ) from None

    def _document(self, work: str) -> str:
        return f"{FOLDER}/{self._release}/{work}"


def under_way(attempts: Sequence[Attempt], state_of: StateOf) -> str:
    """What was started last and has not ended, in words; "": nothing. Nothing is started on the
    same runs before the last has ended, so that only the last can be at work."""
    last = attempts[-1] if attempts else None
    if last is None or last.flow_run is None:
        return ""
    state = state_of(last.flow_run)
    if state == "ended":
        return ""
    unsure = "; whether it has ended, only the workflow server knows" if state == "unknown" else ""
    return f"{last.kind}, attempt {last.number}: flow run {last.flow_run}{unsure}"


def next_number(attempts: Sequence[Attempt], kind: str, fingerprint: str) -> int:
    """The number of the next attempt at a step. One whose flow run nobody was told of is begun
    again under its own number, and so under the same idempotency key."""
    same = [one for one in attempts if (one.kind, one.fingerprint) == (kind, fingerprint)]
    if not same:
        return 1
    last = same[-1]
    return last.number if last.flow_run is None else last.number + 1


def tried(attempts: Sequence[Attempt], kind: str, fingerprint: str, night: str) -> str:
    """Why a step is not started again in this night; "": it may be. One whose flow run nobody was
    told of is begun again, whatever was before it."""
    same = [one for one in attempts if (one.kind, one.fingerprint) == (kind, fingerprint)]
    tonight = [one for one in same if one.night == night]
    if len(tonight) < A_NIGHT or same[-1].flow_run is None:
        return ""
    return f"{kind} was started {len(tonight)} times in this night and is not settled"


def over(kind: str, number: int) -> str:
    """Why no further attempt is made."""
    return (
        f"{kind} was started {number - 1} times and is not settled: see the logs of its flow runs, "
        "then raise most_attempts"
    )


def _night(night: str) -> str:
    return f"{FOLDER}/nights/{night}"
