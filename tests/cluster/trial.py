"""One trial: a piece of work is begun, a fault comes in its middle, and it is seen to its end.

A run that ended badly is run again, as an operator would; what must hold then is that the work is
the same as if nothing had happened.
"""

from __future__ import annotations

import itertools
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.cluster.bench import Bench, FlowRun
from tests.cluster.faults import Fault
from tests.cluster.work import CONCURRENCY, Work

PATIENCE = 300.0
"""Seconds after which work that has not ended is said to hang."""
_TRIES = 4


@dataclass
class Row:
    """What came of one trial. Times are seconds after the fault."""

    fault: str
    during: str
    happened: str = ""
    ends: list[str] = field(default_factory=list)
    """How each run of the work ended, in order."""
    repeated: int = 0
    """Calls that were paid for more than once."""
    in_flight: int = 0
    """Calls that were on their way when the fault came."""
    still: float = 0.0
    """The longest time without any progress."""
    finished: float = 0.0
    said: list[str] = field(default_factory=list)
    """Messages of the runs that ended badly."""
    wrong: list[str] = field(default_factory=list)
    """What should not be so."""


def undisturbed(bench: Bench, work: Work) -> tuple[object, Row]:
    """What comes of work to which nothing happens, and how long it takes from its middle on."""
    row = Row("none", work.name, "nothing")
    run = bench.start(work)
    with Watch(work) as watch:
        _await_middle(bench, work, run)
        watch.begin()
        [end] = bench.ended([run], PATIENCE)
    row.ends.append(end.state_name)
    row.finished, row.still = watch.finished, watch.still
    if end.state_name != "Completed":
        raise RuntimeError(f"undisturbed {work.name}: {end.message}")
    return work.outcome(), row


def undergo(bench: Bench, work: Work, name: str, fault: Fault, expected: object) -> Row:
    """One trial.

    Args:
        expected: What comes of the work where nothing happens.
    """
    row = Row(name, work.name)
    bench.also.clear()
    run = bench.start(work)
    with Watch(work) as watch:
        _await_middle(bench, work, run)
        row.in_flight = bench.chat.open
        watch.begin()
        row.happened = fault.inflict(bench, work)
        _see_to_its_end(bench, work, fault, row, run)
    row.finished, row.still = watch.finished, watch.still
    row.repeated = sum(times - 1 for times in work.paid().values())
    row.wrong += _wrong(row, work, expected)
    return row


def _see_to_its_end(bench: Bench, work: Work, fault: Fault, row: Row, run: FlowRun) -> None:
    """Runs it again, mended, for as long as it ends badly or leaves something damaged."""
    for _ in range(_TRIES):
        try:
            ended = bench.ended([run, *bench.also], PATIENCE)
        except TimeoutError as error:
            row.wrong.append(f"it hangs: {error}")
            for worker in bench.cluster.workers:
                worker.restart()  # the next trial is not to wait for it
            return
        bench.also.clear()
        row.ends += [end.state_name for end in ended]
        row.said += [end.message for end in ended if end.state_name != "Completed"]
        mended = fault.mend(bench, work)
        row.happened += f"; {mended}" if mended else ""
        if not mended and any(end.state_name == "Completed" for end in ended):
            return
        run = bench.start(work)
    row.wrong.append("it could not be brought to its end")


def _wrong(row: Row, work: Work, undisturbed: object) -> list[str]:
    found = []
    if row.repeated > CONCURRENCY:
        found.append(f"{row.repeated} calls were paid for again")
    try:
        if work.outcome() != undisturbed:
            found.append("the outcome is another one")
    except Exception as error:  # noqa: BLE001  (whatever it is, it is a finding)
        found.append(f"no outcome: {type(error).__name__}: {error}")
    return found


def _await_middle(bench: Bench, work: Work, run: FlowRun) -> None:
    deadline = time.monotonic() + PATIENCE
    while not work.is_in_the_middle():
        [now] = bench.look([run.id])
        if now.is_final or time.monotonic() > deadline:
            raise RuntimeError(f"{work.name} ended before its middle, as {now.state_name}")
        time.sleep(0.05)


class Watch:
    """Looks at the progress of some work, several times a second. A context manager."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
        self._seen: list[tuple[float, int]] = []
        self._begun = 0.0

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()
        self._ended = time.monotonic()

    def begin(self) -> None:
        """The fault comes now."""
        self._begun = time.monotonic()

    @property
    def finished(self) -> float:
        """Seconds from the fault to the end."""
        return self._ended - self._begun

    @property
    def still(self) -> float:
        """The longest time from the fault to the end without progress, in seconds."""
        moments = [self._begun, *(at for at, _ in self._seen if at > self._begun), self._ended]
        return max(after - before for before, after in itertools.pairwise(moments))

    def _look(self) -> None:
        last = -1
        while not self._over.wait(0.1):
            with suppress(OSError):  # a folder that is just going away
                now = self._work.progress()
                if now != last:
                    last = now
                    self._seen.append((time.monotonic(), now))
