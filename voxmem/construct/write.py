"""The dialogues of all planned sessions, and the filler pool."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import write_counts
from voxmem.construct.workers import write_sessions
from voxmem.dialogue.fillers.collect import FillerRejection
from voxmem.dialogue.fillers.pool import FillerPool
from voxmem.dialogue.fillers.protected import Protected
from voxmem.history.fillers import pool_sizes
from voxmem.parallel import Mapper, serial
from voxmem.progress import report
from voxmem.records import Session


def write(build: Build, mapper: Mapper = serial) -> int:
    """Writes the dialogues of all planned sessions, and a pool of fillers that states none of their
    facts. Returns how many sessions there are."""
    if not build.has("sessions"):
        planned = list(
            {item.session_id: item for plan in build.plans for item in plan.sessions}.values()
        )
        written = write_sessions(
            build, planned, mapper, lambda done, total: report("write", done, total)
        )
        build.root.tables.write("sessions", build.id, written, Session)
    if not build.has("filler_rejections"):
        _write_fillers(build)
    return len(build.sessions)


def _write_fillers(build: Build) -> None:
    tables = build.root.tables
    pool = FillerPool(
        build.config,
        pool_sizes(build.config, build.plans),
        Protected.of(build.plans),
        evidence=tables.read("sessions", Session, [build.id]),
    )
    for persona in pool.personas:
        for block in pool.blocks(persona):
            part = f"{build.id}-fillers-{persona}-{block:03d}"
            tables.write("sessions", part, pool.block(persona, block), Session)
    write_counts(build, "fillers", {"fillers": len(pool), **pool.sources})
    # Written last: it says that the pool is whole.
    tables.write("filler_rejections", build.id, pool.rejections, FillerRejection)
