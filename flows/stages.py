"""A stage of construction that says how much it has made only when it is done."""

from __future__ import annotations

from collections.abc import Callable

from flows.params import ConstructParams
from voxmem.progress import report
from voxmem.store.root import open_root
from voxmem.store.timings import timed


def counted(params: ConstructParams, name: str, run: Callable[[], int]) -> int:
    """Runs a stage and keeps how long it took; returns how much it has made."""
    report(name, 0, 0)
    with timed(open_root(params.root), params.config().build_id, name):
        count = run()
    report(name, max(count, 1), max(count, 1))
    return count
