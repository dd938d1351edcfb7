"""The dialogues of all planned sessions, and the filler pool."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import is_done, read_counts, write_counts
from voxmem.construct.workers import write_sessions
from voxmem.dialogue.fillers.collect import FillerRejection
from voxmem.dialogue.fillers.pool import FillerPool
from voxmem.dialogue.fillers.protected import Protected
from voxmem.history.fillers import mean_tokens, pool_sizes
from voxmem.parallel import Mapper, serial
from voxmem.progress import report
from voxmem.records import Session

_PARTS = "parts of fillers"


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
    if not _has_fillers(build):
        _write_fillers(build, mapper)
    return len(build.sessions)


def _has_fillers(build: Build) -> bool:
    """Whether the pool is there with all of its parts."""
    if not is_done(build, "fillers", "filler_rejections"):
        return False
    whole = [item.count for item in read_counts(build) if item.name == _PARTS]
    return whole == [len(build.filler_parts)]


def _write_fillers(build: Build, mapper: Mapper) -> None:
    tables = build.root.tables
    evidence = tables.read("sessions", Session, [build.id])
    pool = FillerPool(
        build.config,
        pool_sizes(build.config, build.plans, mean_tokens(evidence)),
        Protected.of(build.plans),
        evidence=evidence,
        mapper=mapper,
    )
    for persona in pool.personas:
        for block in pool.blocks(persona):
            part = f"{build.id}-fillers-{persona}-{block:03d}"
            tables.write("sessions", part, pool.block(persona, block), Session)
    counts = {"fillers": len(pool), _PARTS: len(build.filler_parts)}
    write_counts(build, "fillers", counts | pool.sources)
    # Written last: it says that the pool is whole.
    tables.write("filler_rejections", build.id, pool.rejections, FillerRejection)
