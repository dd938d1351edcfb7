"""What is not needed is removed: exactly what a dry run of the same root says, and undisturbed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from voxmem.errors import UsageError
from voxmem.retention.plan import DAY_HOURS, KINDS, Plan, Unneeded, plan
from voxmem.store.blobs import spread
from voxmem.store.root import Root


def collect(
    root: Root,
    *,
    older_than: float = DAY_HOURS,
    unpublished: Collection[str] = (),
    expected: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Plan:
    """Finds what is not needed and removes it, while no run may start. What is interrupted goes on
    with the next call.

    Args:
        expected: The key of the plan that a dry run has shown; any plan if ``None``.
        older_than, unpublished: See :func:`voxmem.retention.plan.plan`.

    Raises:
        UsageError: A run is at work in the root, or the plan is another one than was expected.
    """
    with root.quiet() as alone:
        if not alone:
            raise UsageError(
                "a run is at work in this root",
                item=root.uri,
                stage="gc",
                remedy="wait until it has ended; nothing was removed",
            )
        root.check_writable()  # drops what killed processes have left half-written
        found = plan(root, older_than=older_than, unpublished=unpublished)
        if expected is not None and found.key != expected:
            raise UsageError(
                f"the root has changed since: its plan is {found.key}, not {expected}",
                item=root.uri,
                stage="gc",
                remedy="look at a dry run again; nothing was removed",
            )
        done = 0
        for kind in KINDS:  # one kind is gone before the next begins
            for _ in spread(root.blobs, lambda each: _remove(root, each), found.of(kind)):
                done += 1
                progress(done, len(found.items))
    return found


def _remove(root: Root, each: Unneeded) -> None:
    if each.kind == "note":
        ledger, _, key = each.name.partition("/")
        root.ledger(ledger).ended(key)
    else:
        root.blobs.remove(each.name)
