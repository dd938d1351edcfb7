"""Whether the clock of this machine and that of a server agree.

An object store refuses requests that are a quarter of an hour off, schedules start at the wrong
time, and a lock that is minutes old looks as if its holder had died.
"""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime

from voxmem.health.finding import Finding, Status

_WARN_SECONDS = 30
_WRONG_SECONDS = 300


def clock_against(name: str, date: str | None, *, now: float | None = None) -> Finding:
    """A finding from the ``Date`` header of an answer.

    Args:
        name: Whose clock it is.
        now: Seconds since 1970 by this machine's clock.
    """
    if not date:
        return Finding(f"clock against {name}", "warn", "it tells no time")
    off = (time.time() if now is None else now) - parsedate_to_datetime(date).timestamp()
    what = f"this machine is {abs(off):.0f} s {'ahead' if off > 0 else 'behind'}"
    if abs(off) <= _WARN_SECONDS:
        return Finding(f"clock against {name}", "ok", what)
    status: Status = "wrong" if abs(off) > _WRONG_SECONDS else "warn"
    return Finding(f"clock against {name}", status, what, "set both clocks by a time server (NTP)")
