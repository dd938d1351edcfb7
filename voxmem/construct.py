"""The construction road, stage by stage (VoxMem, Figure 3): plan → write → allocate → speak →
gate sessions → fit → gate families → publish.

Each stage reads what the earlier ones left in the store and writes its own part, once: a stage
whose part is there does nothing. No stage knows how it is scheduled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from voxmem import __version__
from voxmem.build import Build, Chunk
from voxmem.dialogue.filler import write_filler
from voxmem.dialogue.writer import write_session
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation, allocate, derive_allocation, pool_size
from voxmem.history.fit import fit, follow
from voxmem.length import query_length, session_length
from voxmem.plan.planner import PlanRejection, households, plan_benchmark
from voxmem.quality.families import check_family
from voxmem.quality.sample import listen_to_sample
from voxmem.quality.sessions import check_clip
from voxmem.records import (
    Check,
    Clip,
    History,
    Length,
    Placement,
    Plan,
    Question,
    Record,
    Session,
)
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.render import engine_id
from voxmem.speech.render import speak as speak_clip
from voxmem.store.release import Release
from voxmem.store.release import publish as publish_release

CONTENT_LICENCE = "Apache-2.0 (written for voxmem)"


class Rejection(Record):
    """A question that did not reach the release, and why."""

    question_id: str
    stage: str
    reason: str


def plan(build: Build) -> int:
    """Draws, validates and selects the plans. Returns how many there are."""
    if not build.has("plans"):
        planned = plan_benchmark(build.config)
        tables = build.root.tables
        tables.write("plan_rejections", build.id, planned.rejections, PlanRejection)
        tables.write("plans", build.id, planned.plans, Plan)
        return len(planned.plans)
    return len(build.plans)


def write(build: Build) -> int:
    """Writes the dialogues of all planned sessions and of the filler pool."""
    if not build.has("sessions"):
        planned = {item.session_id: item for plan in build.plans for item in plan.sessions}
        written = [write_session(item) for item in planned.values()]
        fillers = [session for pool in _fillers(build).values() for session in pool]
        build.root.tables.write("sessions", build.id, [*written, *fillers], Session)
        return len(written) + len(fillers)
    return len(build.sessions)


def _fillers(build: Build) -> dict[str, list[Session]]:
    return {
        persona: [
            write_filler(build.config, persona, number)
            for number in range(pool_size(build.config, persona))
        ]
        for house in households(build.config)
        for persona in house
    }


def allocate_histories(build: Build) -> int:
    """Gives every question its sessions, in order, with their places in time."""
    if not build.has("allocations"):
        fillers = _fillers(build)
        plans = {item.question.question_id: item for item in build.plans}
        rows: dict[str, Allocation] = {}
        for item in build.plans:
            source_id = item.question.source_question_id
            rows[item.question.question_id] = (
                allocate(build.config, item, fillers)
                if source_id is None
                else derive_allocation(rows[source_id], plans[source_id], item)
            )
        build.root.tables.write("allocations", build.id, list(rows.values()), Allocation)
    return len(build.allocations)


def speak(build: Build, chunk: Chunk) -> int:
    """Speaks the clips of one chunk and stores them with their paired renditions."""
    if not is_spoken(build, chunk):
        clips = [speak_clip(spec, build.engine, build.root.objects) for spec in chunk.specs]
        build.root.tables.write("clips", chunk.part, clips, Clip)
    return len(chunk.specs)


def is_spoken(build: Build, chunk: Chunk) -> bool:
    """Whether the chunk's clips are kept, with every object that they name."""
    if not build.root.tables.has("clips", chunk.part):
        return False
    clips = build.root.tables.read("clips", Clip, [chunk.part])
    return all(build.root.objects.exists(sha) for clip in clips for sha in renditions(clip))


def renditions(clip: Clip) -> list[str]:
    """The objects of a clip: the primary rendition, its pair and its stem."""
    return [sha for sha in (clip.sha256, clip.pair_sha256, clip.stem_sha256) if sha is not None]


def gate_clips(build: Build, chunk: Chunk) -> int:
    """The session gate (QC-1) by measurement: every clip of one chunk, read back from the store."""
    if not build.root.tables.has("session_checks", chunk.part):
        clips = build.root.tables.read("clips", Clip, [chunk.part])
        checks = [check for clip in clips for check in check_clip(clip, build.root.objects)]
        build.root.tables.write("session_checks", chunk.part, checks, Check)
    return len(chunk.specs)


def is_gated(build: Build, chunk: Chunk) -> bool:
    """Whether nothing is left to do for a chunk: it is spoken and measured."""
    return build.root.tables.has("session_checks", chunk.part) and is_spoken(build, chunk)


def gate_sample(build: Build) -> int:
    """The session gate (QC-1) by listening: models hear a seeded sample of the clips."""
    if not build.has("session_checks"):
        clips = sorted(build.clips.values(), key=lambda clip: clip.clip_id)
        checks = listen_to_sample(clips, build.root.objects, build.config)
        build.root.tables.write("session_checks", build.id, checks, Check)
    return len(build.root.tables.read("session_checks", Check, [build.id]))


def fit_histories(build: Build) -> int:
    """Fits every allocation to the budgets by measured length; drops what failed its gate."""
    if not build.has("histories"):
        histories, rejections = _fit_all(build)
        tables = build.root.tables
        tables.write("fit_rejections", build.id, rejections, Rejection)
        tables.write("histories", build.id, histories, History)
        return len(histories)
    return len(build.histories)


def _fit_all(build: Build) -> tuple[list[History], list[Rejection]]:
    length_of, dropped = _measured(build), _dropped(build)
    fitted: dict[str, tuple[History, ...]] = {}
    rejections: list[Rejection] = []
    for item in build.plans:
        question = item.question
        try:
            fitted[question.question_id] = _fit_one(build, question, fitted, length_of, dropped)
        except ConstructionError as error:
            rejections.append(
                Rejection(question_id=question.question_id, stage="fit", reason=error.message)
            )
    return [history for histories in fitted.values() for history in histories], rejections


def _fit_one(
    build: Build,
    question: Question,
    fitted: dict[str, tuple[History, ...]],
    length_of: Callable[[Placement], Length],
    dropped: set[str],
) -> tuple[History, ...]:
    allocation = build.allocations[question.question_id]
    query = query_length(
        question.query_timestamp, build.clips[build.clip_id(question_spec(question))]
    )
    if question.source_question_id is None:
        variants = [
            build.allocations[plan.question.question_id]
            for plan in build.plans
            if plan.question.source_question_id == question.question_id
        ]
        return fit(allocation, build.config.budgets, query, length_of, dropped, variants)
    source = fitted.get(question.source_question_id)
    gone = {place.session_id for place in (*allocation.required, *allocation.samekey)} & dropped
    if source is None or gone:
        raise ConstructionError(
            f"its session {min(gone)} failed the session gate"
            if gone
            else "its source was dropped",
            item=question.question_id,
            stage="fit",
        )
    before = build.allocations[question.source_question_id]
    return follow(source, before, allocation, build.config.budgets, query, length_of)


def _measured(build: Build) -> Callable[[Placement], Length]:
    @cache
    def length_of(place: Placement) -> Length:
        session = build.sessions[place.session_id]
        return session_length(session, place.timestamp, build.clips_of(session))

    return length_of


def _dropped(build: Build) -> set[str]:
    """The sessions with a clip that failed a check."""
    failed = {check.subject for check in build.checks if not check.passed}
    return {
        session.session_id
        for session in build.sessions.values()
        if any(build.clip_id(spec_of(turn)) in failed for turn in session.user_turns)
    }


def gate_families(build: Build) -> int:
    """The family gate (QC-2): only questions whose every consequence holds are admitted."""
    if not build.has("questions"):
        checks, admitted, rejections = [], [], []
        for question, histories in _families(build):
            found = check_family(question, histories, build.sessions)
            checks += found
            failed = next((check for check in found if not check.passed), None)
            if failed is None:
                admitted.append(question)
            else:
                reason = f"{failed.check}: {failed.detail}"
                rejections.append(
                    Rejection(question_id=question.question_id, stage="gate", reason=reason)
                )
        tables = build.root.tables
        tables.write("family_checks", build.id, checks, Check)
        tables.write("family_rejections", build.id, rejections, Rejection)
        tables.write("questions", build.id, admitted, Question)
        return len(admitted)
    return len(build.questions)


def _families(build: Build) -> Iterable[tuple[Question, list[History]]]:
    fitted: dict[str, list[History]] = {}
    for history in build.histories:
        fitted.setdefault(history.question_id, []).append(history)
    for item in build.plans:
        if item.question.question_id in fitted:
            yield item.question, fitted[item.question.question_id]


def publish(build: Build) -> Release:
    """Freezes the build as a release."""
    clips = used_clips(build)
    objects = {sha for clip in clips for sha in renditions(clip)}
    whole = ("plans", "plan_rejections", "sessions", "allocations", "histories", "fit_rejections")
    parts = {
        table: [build.id] for table in (*whole, "questions", "family_checks", "family_rejections")
    }
    chunks = [chunk.part for chunk in build.chunks]
    release = publish_release(
        build.root,
        build.config.name,
        parts | {"clips": chunks, "session_checks": [*chunks, build.id]},
        objects=objects,
        counts=_counts(build, clips),
        licences=_licences(build, clips),
        versions=_versions(build),
        config=build.config.model_dump(mode="json"),
        seed=build.config.seed,
    )
    build.root.put_json(build.config.release_document, release.release_id)
    return release


def admitted_histories(build: Build) -> list[History]:
    """The histories of the admitted questions."""
    return [history for history in build.histories if history.question_id in build.questions]


def used_clips(build: Build) -> list[Clip]:
    """The clips of the admitted questions and of all their histories, by id."""
    placed = {
        place.session_id for history in admitted_histories(build) for place in history.placements
    }
    turns = [turn for name in placed for turn in build.sessions[name].user_turns]
    specs = [*map(spec_of, turns), *map(question_spec, build.questions.values())]
    return [build.clips[name] for name in sorted({build.clip_id(spec) for spec in specs})]


def _counts(build: Build, clips: list[Clip]) -> dict[str, int]:
    histories = admitted_histories(build)
    cells = Counter(
        f"{question.operation}/{question.evidence_type}" for question in build.questions.values()
    )
    return {
        "questions": len(build.questions),
        "instances": len(histories),
        "sessions": len({place.session_id for item in histories for place in item.placements}),
        "placements": sum(len(history.placements) for history in histories),
        "clips": len(clips),
        "unique_seconds": round(sum(clip.seconds for clip in clips)),
        "placed_seconds": round(sum(history.length.audio_seconds for history in histories)),
        **{f"cell:{name}": count for name, count in sorted(cells.items())},
    }


def _versions(build: Build) -> dict[str, str]:
    """Everything whose version decides the release: code, engine, and the models that listened."""
    judges = sorted({check.judge for check in build.checks} - {"rule"})
    return {
        "voxmem": __version__,
        "engine": engine_id(build.engine),
        **{f"gate {number}": judge for number, judge in enumerate(judges, start=1)},
    }


def _licences(build: Build, clips: list[Clip]) -> dict[str, str]:
    sounds = {clip.sound_source: clip.licence for clip in clips if clip.sound_source}
    return {
        f"speech: {build.engine.name}": build.engine.licence,
        "dialogues and questions": CONTENT_LICENCE,
        **{f"sound: {source}": licence for source, licence in sorted(sounds.items())},
    }
