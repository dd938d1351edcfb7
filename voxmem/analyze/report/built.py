"""What was built: counts, budgets, gates, licences and versions, read back from the release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voxmem.analyze.labels import label
from voxmem.analyze.tables import dataset
from voxmem.evaluate.items import ReleaseRows
from voxmem.plan.candidates import PlanRejection
from voxmem.quality.probes import Probe
from voxmem.records import Check, StoredClip
from voxmem.store.release import Release
from voxmem.store.timings import timings


@dataclass(frozen=True)
class CheckRow:
    """One check of a gate over everything that it was applied to."""

    name: str
    judge: str
    n: int
    passed: int
    threshold: str


@dataclass(frozen=True)
class Spoken:
    """What was spoken, and what the session gate turned away."""

    hours: float
    """Of the primary renditions of all clips, used or not."""
    rendered_hours: float
    """With the paired neutral renditions: what the engine had to render."""
    clips: int
    takes: int
    failed_takes: tuple[tuple[str, int], ...]
    """Check → takes that failed it, most frequent first."""
    left_out: int
    """Clips that failed to the end; their sessions were dropped."""


@dataclass(frozen=True)
class Built:
    """Everything the first page says about a release."""

    release: Release
    questions: int
    answerable: int
    items: int
    sessions: int
    placements: int
    clips: int
    unique_minutes: float
    placed_minutes: float
    matrix: Mapping[tuple[str, str], int]
    """Operation and evidence type → questions; the 15 cells."""
    budgets: tuple[dataset.BudgetRow, ...]
    session_checks: tuple[CheckRow, ...]
    family_checks: tuple[CheckRow, ...]
    rejections: tuple[tuple[str, int], ...]
    """Why candidate plans were not admitted, most frequent first."""
    probes: tuple[Probe, ...]
    spoken: Spoken
    timings: Mapping[str, float]
    """Stage of construction → wall seconds of all its runs; empty if they were not measured."""


def summarise(rows: ReleaseRows, clips: Sequence[StoredClip]) -> Built:
    """Counts the release; nothing is taken over from its manifest but hashes and licences.

    Args:
        rows: The release.
        clips: Those that its histories and questions use.
    """
    placed = [place.session_id for history in rows.histories for place in history.placements]
    questions = rows.asked.values()
    return Built(
        release=rows.release,
        questions=len(questions),
        answerable=sum(question.gold is not None for question in questions),
        items=len(rows.histories),
        sessions=len(set(placed)),
        placements=len(placed),
        clips=len(clips),
        unique_minutes=sum(clip.seconds for clip in clips) / 60,
        placed_minutes=sum(history.length.audio_seconds for history in rows.histories) / 60,
        matrix={(row.operation, row.evidence): row.questions for row in dataset.matrix(rows).rows},
        budgets=dataset.budgets(rows).rows,
        session_checks=_checks(rows.session_checks) if _has(rows, "session_checks") else (),
        family_checks=_checks(rows.family_checks) if _has(rows, "family_checks") else (),
        rejections=_rejections(rows),
        probes=_probes(rows),
        spoken=_spoken(rows),
        timings=timings(rows.root, rows.build_id) if _has(rows, "plans") else {},
    )


def _spoken(rows: ReleaseRows) -> Spoken:
    clips = list(rows.clips.values()) if _has(rows, "clips") else []
    retakes = rows.retakes if _has(rows, "retakes") else []
    failed = {check.subject for check in rows.session_checks if not check.passed} if clips else ()
    seconds = sum(clip.seconds for clip in clips)
    paired = sum(clip.seconds for clip in clips if clip.spec.delivery != "neutral")
    return Spoken(
        hours=seconds / 3600,
        rendered_hours=(seconds + paired) / 3600,
        clips=len(clips),
        takes=sum(clip.take + 1 for clip in clips),
        failed_takes=tuple(Counter(row.check for row in retakes).most_common()),
        left_out=len(failed),
    )


def _has(rows: ReleaseRows, table: str) -> bool:
    return table in rows.release.tables


def _checks(checks: Sequence[Check]) -> tuple[CheckRow, ...]:
    groups: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.check, check.judge), []).append(check)
    return tuple(
        CheckRow(
            name=label(name),
            judge=judge,
            n=len(members),
            passed=sum(check.passed for check in members),
            threshold=_threshold(members),
        )
        for (name, judge), members in groups.items()
    )


def _threshold(checks: Sequence[Check]) -> str:
    values = sorted({check.threshold for check in checks if check.threshold is not None})
    if not values:
        return ""
    return f"{values[0]:g}" if len(values) == 1 else f"{values[0]:g} to {values[-1]:g}"


def _probes(rows: ReleaseRows) -> tuple[Probe, ...]:
    if not _has(rows, "probes"):
        return ()
    return tuple(rows.root.tables.read("probes", Probe, rows.release.tables["probes"].parts))


def _rejections(rows: ReleaseRows) -> tuple[tuple[str, int], ...]:
    if not _has(rows, "plan_rejections"):
        return ()
    parts = rows.release.tables["plan_rejections"].parts
    found = rows.root.tables.read("plan_rejections", PlanRejection, parts)
    return tuple(Counter(label(row.reason) for row in found).most_common())
