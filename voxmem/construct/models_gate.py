"""The family gates that a model decides (VoxMem, F.3), over a build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voxmem.build import Build
from voxmem.construct.tallies import Rejection
from voxmem.quality.gates import (
    Case,
    Finding,
    GateReport,
    Recordings,
    another_wording,
    run_gates,
    served,
)
from voxmem.records import Check, Clip, Question
from voxmem.speech.clips import question_spec


@dataclass(frozen=True)
class Asked:
    """What the gates leave: the admitted questions, in their final words."""

    admitted: list[Question]
    checks: list[Check]
    rejections: list[Rejection]


def ask_model(build: Build, passed: Sequence[Question]) -> Asked:
    """Runs the gates until two passes in a row are clean; without a model, all are admitted.

    Raises:
        UsageError, ModelError: The model cannot be asked. What it has answered is kept.
    """
    settings = build.config.gate_model
    if settings is None:
        return Asked(list(passed), [], [])
    recordings = (
        None
        if build.config.text_only
        else Recordings(lambda spec: build.clips.get(build.clip_id(spec)), build.root.objects.get)
    )
    reworded = _Rewording(build)
    outcome = run_gates(
        [
            Case(item, tuple(build.fitted_of[item.question_id]), build.sessions, recordings)
            for item in passed
        ],
        served(settings),
        build.root.ledger("gates"),
        revise=reworded,
    )
    tables = build.root.tables
    tables.write("gate_findings", build.id, outcome.findings, Finding)
    tables.write("gate_report", build.id, [outcome.report], GateReport)
    reworded.keep()
    rejections = [
        Rejection(question_id=item.question_id, stage="gate", reason=f"{item.cause}: {item.detail}")
        for item in outcome.dropped
    ]
    return Asked(list(outcome.admitted), list(outcome.checks), rejections)


class _Rewording:
    """Another wording of a question, spoken at once where the build is spoken."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._next = another_wording(
            {plan.question.question_id: plan.wordings for plan in build.plans}
        )
        self._clips: dict[str, Clip] = {}

    def __call__(self, question: Question, finding: Finding) -> Question | None:
        other = self._next(question, finding)
        if other is not None and not self._build.config.text_only:
            clip = self._build.studio.speak(question_spec(other), self._build.root.objects)
            self._clips[clip.clip_id] = self._build.clips[clip.clip_id] = clip
        return other

    def keep(self) -> None:
        """Stores the clips of all new wordings."""
        if self._clips:
            clips = [self._clips[name] for name in sorted(self._clips)]
            self._build.root.tables.write("clips", self._build.reworded, clips, Clip)
