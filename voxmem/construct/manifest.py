"""What a release's manifest says of it: counts, versions, licences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from voxmem import __version__
from voxmem.build import Build
from voxmem.construct.tallies import read_counts
from voxmem.construct.workers import planner_name, writer_name
from voxmem.dialogue.fillers.registry import open_source
from voxmem.dialogue.fillers.shape import shape_of
from voxmem.quality.gates import version_of
from voxmem.records import Clip, History, Retake
from voxmem.taxonomy import CELLS

CONTENT_LICENCE = "Apache-2.0 (written for voxmem)"
ESTIMATED = "none: seconds are estimated"


def counts(build: Build, clips: Sequence[Clip]) -> dict[str, int]:
    """Unique and placed sessions, clips and seconds; what is lacking of the targets; and what every
    stage counted."""
    histories = build.histories
    placed = {place.session_id for item in histories for place in item.placements}
    unique = sum(build.lengths.session(name).audio_seconds for name in sorted(placed))
    return {
        "questions": len(build.questions),
        "questions lacking": build.config.answerable + build.config.refusals - len(build.questions),
        "instances": len(histories),
        "evidence sessions": len(
            {name for item in build.questions.values() for name in item.evidence_session_ids}
        ),
        "sessions": len(placed),
        "placements": sum(len(history.placements) for history in histories),
        "clips": len(clips),
        "unique_seconds": round(unique),
        "placed_seconds": round(sum(history.length.audio_seconds for history in histories)),
        **_of_budgets(build, histories),
        **_of_cells(build),
        **_of_takes(build),
        **{f"{item.stage}: {item.name}": item.count for item in read_counts(build)},
    }


def _of_budgets(build: Build, histories: Sequence[History]) -> dict[str, int]:
    """Means of one instance at every budget (VoxMem, Figure 1c)."""
    found: dict[str, int] = {}
    for budget in build.config.budgets:
        own = [item for item in histories if item.budget == budget.name]
        if own:
            found |= {
                f"{budget.name}: sessions": round(sum(len(i.placements) for i in own) / len(own)),
                f"{budget.name}: clips": round(sum(i.length.clips for i in own) / len(own)),
                f"{budget.name}: seconds": round(
                    sum(i.length.audio_seconds for i in own) / len(own)
                ),
            }
    return found


def _of_cells(build: Build) -> dict[str, int]:
    cells = Counter((item.operation, item.evidence_type) for item in build.questions.values())
    found = {
        f"cell:{cell.operation}/{cell.evidence}": cells[cell.operation, cell.evidence]
        for cell in CELLS
        if build.config.target(cell)
    }
    sources = Counter(
        item.source_operation for item in build.questions.values() if item.gold is None
    )
    return found | {f"refusals of {name}": count for name, count in sorted(sources.items())}


def _of_takes(build: Build) -> dict[str, int]:
    """What the session gate turned away: takes by check, and clips that failed to the end."""
    retakes = build.root.tables.read("retakes", Retake, [item.part for item in build.chunks])
    checks = Counter(row.check for row in retakes)
    failed = {check.subject for check in build.checks if not check.passed}
    return {
        "speak: clips": sum(len(chunk.specs) for chunk in build.chunks),
        "speak: takes that failed": len({(row.clip_id, row.take) for row in retakes}),
        **{f"speak: takes that failed {name}": checks[name] for name in sorted(checks)},
        "speak: clips left out": len(failed),
    }


def versions(build: Build) -> dict[str, str]:
    """Everything whose version decides the release: code, planner, writers, engine, and the models
    that listened."""
    judges = sorted({check.judge for check in build.checks} - {"rule"})
    return {
        "voxmem": __version__,
        "planner": planner_name(build.config),
        "writer": writer_name(build.config),
        "engine": ESTIMATED if build.config.text_only else build.studio.engine_id,
        **{f"gate {number}": judge for number, judge in enumerate(judges, start=1)},
        **(version_of("gate", build.config.gate_model.model) if build.config.gate_model else {}),
    }


def licences(build: Build, clips: Sequence[Clip]) -> dict[str, str]:
    """What is used → its licence."""
    found = {"dialogues and questions": CONTENT_LICENCE, **_filler_licences(build)}
    for voice in sorted({clip.spec.voice for clip in clips}):
        found |= build.studio.engine.licences(voice)
    sounds = {clip.sound_source: clip.sound_licence for clip in clips if clip.sound_source}
    return found | {f"sound: {source}": str(sounds[source]) for source in sorted(sounds)}


def _filler_licences(build: Build) -> dict[str, str]:
    """Filler source → its licence, of those that were used."""
    used = {item.name for item in read_counts(build) if item.stage == "fillers"}
    shape = shape_of(build.config, ())
    sources = [open_source(spec, build.config, shape) for spec in build.config.fillers]
    return {f"fillers: {item.name}": item.licence for item in sources if item.name in used}
