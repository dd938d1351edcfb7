"""Probes over the release that is about to be published."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import Rejection
from voxmem.errors import ConstructionError
from voxmem.parallel import Mapper, serial
from voxmem.quality.probes import Probe, ReleaseView, run_probes
from voxmem.quality.probes.recordings import Recordings
from voxmem.records import Clip, Question
from voxmem.speech.clips import spec_of


def probe(build: Build, mapper: Mapper = serial) -> int:
    """Small classifiers try to cheat. Returns how many.

    Raises:
        ConstructionError: One of them succeeds.
    """
    if not build.has("probes"):
        placed = {
            place.session_id
            for name in build.questions
            for history in build.histories_of[name][-1:]
            for place in history.placements
        }
        view = ReleaseView(
            questions=[*build.questions.values(), *_variants(build)],
            histories=build.fitted_of | build.histories_of,
            sessions=build.sessions,
            lengths={name: build.lengths.session(name) for name in sorted(placed)},
            seed=build.config.seed,
            recordings=_recordings(build, mapper),
        )
        build.root.tables.write(
            "probes", build.id, run_probes(view, build.config.seed, mapper=mapper), Probe
        )
    rows = build.root.tables.read("probes", Probe, [build.id])
    for row in rows:
        if not row.passed:
            raise ConstructionError(
                f"is recognised in {row.accuracy:.1%} of the cases (95 % interval {row.low:.1%} to "
                f"{row.high:.1%}, at most {row.limit:.0%})",
                item=row.probe,
                stage="probe",
                remedy="use another seed, or more questions; the rows are in the table probes",
            )
    return len(rows)


def _recordings(build: Build, mapper: Mapper) -> Recordings | None:
    if build.config.text_only:
        return None

    def clips_of(session_id: str) -> tuple[Clip, ...]:
        specs = map(spec_of, build.sessions[session_id].user_turns)
        return tuple(build.clips[build.clip_id(spec)] for spec in specs)

    return Recordings(clips_of, build.root.objects, build.config.speech.edge_seconds, mapper)


def _variants(build: Build) -> list[Question]:
    """Refusal variants that passed every gate and that the release does not take: they are made
    like those it takes, and make the interval of their probe narrower."""
    rejected = {
        row.question_id
        for row in build.root.tables.read("family_rejections", Rejection, [build.id])
    }
    made = (plan.question for plan in build.plans if plan.question.gold is None)
    return [
        item
        for item in made
        if item.source_question_id in build.questions
        and item.question_id in build.fitted_of
        and item.question_id not in rejected | build.questions.keys()
    ]
