"""What is not needed is removed: exactly what a dry run of the same root says, and undisturbed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from voxmem.errors import UsageError
from voxmem.retention.plan import DAY_HOURS, KINDS, Plan, Unneeded, plan
from voxmem.store.blobs import Quiet, spread
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
    with the next call. Returns what was removed: what was written since it was found stays.

    Args:
        expected: The key of the plan that a dry run has shown; any plan if ``None``.
        older_than, unpublished: See :func:`voxmem.retention.plan.plan`.

    Raises:
        UsageError: A run is at work in the root, or the plan is another one than was expected.
        StoreError: This process slept, or was cut off from the root, for so long that runs may be
            at work: the rest is not removed.
    """
    with root.quiet() as alone:
        if alone is None:
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
                remedy="give --older-than and --unpublished as then, or look at a dry run again; "
                "nothing was removed",
            )
        gone: list[Unneeded] = []
        tried = _tried(root, alone, found, older_than * 3600)
        for done, (each, is_gone) in enumerate(tried, start=1):
            if is_gone:
                gone.append(each)
            progress(done, len(found.items))
    return Plan(tuple(gone))


def _tried(
    root: Root, alone: Quiet, found: Plan, seconds: float
) -> Iterator[tuple[Unneeded, bool]]:
    for kind in KINDS:  # one kind is gone before the next begins
        wanted = found.of(kind)
        removed = spread(root.blobs, lambda each: _remove(root, alone, each, seconds), wanted)
        yield from zip(wanted, removed, strict=True)


def _remove(root: Root, alone: Quiet, each: Unneeded, seconds: float) -> bool:
    if each.kind != "note":
        return alone.remove(each.name, seconds)
    alone.check()
    ledger, _, key = each.name.partition("/")
    root.ledger(ledger).ended(key)
    return True
