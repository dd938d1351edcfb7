"""The build becomes a release."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.manifest import counts, licences, versions
from voxmem.construct.speak import renditions
from voxmem.construct.tallies import count_parts
from voxmem.quality.audit.records import Audits, parts_on
from voxmem.records import Clip
from voxmem.speech.clips import question_spec, spec_of
from voxmem.store.release import Release
from voxmem.store.release import publish as publish_release

_WHOLE = (
    "plans",
    "plan_rejections",
    "filler_rejections",
    "allocations",
    "histories",
    "fit_rejections",
    "fit_notes",
    "questions",
    "family_checks",
    "family_rejections",
    "probes",
)
"""Tables of which a build has one part."""


def publish(build: Build) -> Release:
    """Freezes the build as a release."""
    clips = used_clips(build)
    objects = {sha for clip in clips for sha in renditions(clip)}
    parts = {table: [build.id] for table in _WHOLE}
    parts["sessions"] = [build.id, *build.filler_parts]
    parts["counts"] = count_parts(build)
    if not build.config.text_only:
        chunks = [chunk.part for chunk in build.chunks]
        parts |= {"clips": build.clip_parts, "session_checks": chunks, "retakes": chunks}
    if build.config.session_gate.audited:
        parts["clip_audits"] = parts_on(Audits(build.root.tables).rows(), build.clips)
    if build.has("gate_findings"):
        parts["gate_findings"] = [build.id]
    release = publish_release(
        build.root,
        build.config.name,
        parts,
        objects=objects,
        counts=counts(build, clips),
        licences=licences(build, clips),
        versions=versions(build),
        config=build.config.model_dump(mode="json"),
        seed=build.config.seed,
    )
    build.root.put_json(build.config.release_document, release.release_id)
    return release


def used_clips(build: Build) -> list[Clip]:
    """The clips of the admitted questions and of all their histories, by id; none of a text-only
    build."""
    if build.config.text_only:
        return []
    placed = {place.session_id for history in build.histories for place in history.placements}
    turns = [turn for name in placed for turn in build.sessions[name].user_turns]
    specs = [*map(spec_of, turns), *map(question_spec, build.questions.values())]
    return [build.clips[name] for name in sorted({build.clip_id(spec) for spec in specs})]
