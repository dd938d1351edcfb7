"""Who may use a workflow server's home folder, and which server was left behind in it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RECORD = "server.json"


@contextmanager
def lease(home: Path) -> Iterator[bool]:
    """Hold ``home`` for this process; yields False if another living process holds it.

    The lock belongs to the open file, so the system gives it back after any kind of death.
    """
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def started_at(pid: int) -> str | None:
    """When process ``pid`` started, in the system's own ticks; None if unknown or gone.

    Together with the pid this names one process for good, even after the pid is used again.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name in parentheses may hold anything
    state, ticks = fields[0], fields[19]
    return None if state == "Z" else ticks


def record(home: Path, pid: int) -> None:
    """Write down that process ``pid`` is the server of ``home``."""
    (home / RECORD).write_text(json.dumps({"pid": pid, "started": started_at(pid)}))


def forget(home: Path) -> None:
    """The server of ``home`` has ended."""
    (home / RECORD).unlink(missing_ok=True)


def end_left_behind(home: Path, *, patience: float = 5.0) -> int | None:
    """End a server that an earlier, killed command left in ``home``; returns its pid, if any.

    Only the very process that was recorded is ended: a pid in use by another program is left alone.
    Call it while holding the lease, which shows that the server's owner is gone.
    """
    try:
        entry = json.loads((home / RECORD).read_text())
        pid, started = int(entry["pid"]), entry["started"]
    except (OSError, ValueError, KeyError, TypeError):
        forget(home)
        return None
    forget(home)
    if started is None or started_at(pid) != started:
        return None
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return None
    deadline = time.monotonic() + patience
    while started_at(pid) == started and time.monotonic() < deadline:
        time.sleep(0.02)
    return pid
