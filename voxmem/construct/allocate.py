"""Which sessions every history draws on, in which order and when."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import is_done, write_counts
from voxmem.history.allocate import Allocation, allocate_all
from voxmem.history.haystack import Borrowed


def allocate_histories(build: Build) -> int:
    """Gives every question its sessions, in order, with their places in time."""
    if is_done(build, "allocate", "allocations"):
        return len(build.allocations)
    lengths = build.lengths if build.config.text_only else None
    found = allocate_all(build.config, build.plans, build.sessions, build.fillers, lengths=lengths)
    write_counts(build, "allocate", _counts(found.borrowed))
    build.root.tables.write("allocations", build.id, found.rows, Allocation)
    return len(found.rows)


def _counts(borrowed: Borrowed) -> dict[str, int]:
    lacking = sum(item.wanted - item.found for item in borrowed.shortages)
    return {
        "borrowed sessions": sum(map(len, borrowed.sessions.values())),
        "borrowed sessions that are lacking": lacking,
        **{f"not borrowed: {rule}": count for rule, count in borrowed.rejected.items()},
    }
