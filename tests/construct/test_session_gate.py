"""What fails the session gate: evidence takes its question along, a filler is replaced."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.construct.built import Built
from tests.small_build import TINY, ToneBuild, build
from voxmem.construct.tallies import Rejection
from voxmem.quality.session.gate import Gate
from voxmem.records import Check, Clip, ClipSpec
from voxmem.speech.clips import spec_of
from voxmem.store.release import Release
from voxmem.store.root import open_root


def rejected(folder: Path, failing: set[ClipSpec]) -> tuple[Release, list[Rejection]]:
    """The release that is built when these clips fail, and what was left out."""

    def check(gate: Gate, clips: Sequence[Clip], objects: object, critical: object) -> list[Check]:
        return [
            Check(subject=clip.clip_id, check="level", passed=clip.spec not in failing)
            for clip in clips
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Gate, "check", check)
        release = build(folder, TINY)
    opened = ToneBuild(open_root(folder), TINY)
    return release, opened.root.tables.read("fit_rejections", Rejection, [opened.id])


@pytest.fixture
def unchecked(undisturbed: Built, tmp_path: Path) -> Built:
    """The release before the session gate: everything is spoken, nothing is checked."""
    folder = tmp_path / "unchecked"
    shutil.copytree(undisturbed.folder, folder)
    for table in ("session_checks", "fitted", "histories", "questions", "probes"):
        shutil.rmtree(folder / "tables" / table)
    return Built(folder, undisturbed.release, undisturbed.rendered)


def test_evidence_that_fails_drops_its_question_and_the_variants(unchecked: Built) -> None:
    opened = unchecked.opened()
    variant = next(plan for plan in opened.plans if plan.question.gold is None)
    source = str(variant.question.source_question_id)
    plan = next(plan for plan in opened.plans if plan.question.question_id == source)
    evidence = plan.question.evidence_session_ids[0]
    failing = {spec_of(turn) for turn in opened.sessions[evidence].user_turns[:1]}
    release, rejections = rejected(unchecked.folder, failing)
    reasons = {row.question_id: row.reason for row in rejections}
    assert reasons[source] == f"its session {evidence} failed the session gate"
    assert variant.question.question_id in reasons
    assert {row.stage for row in rejections} == {"fit"}
    admitted = ToneBuild(open_root(unchecked.folder), TINY).questions.values()
    assert {item.question_id for item in admitted}.isdisjoint(reasons)
    assert sum(item.gold is not None for item in admitted) == 10
    assert release.counts["questions"] == len(admitted)
    assert release.counts["questions lacking"] == 15 - len(admitted)
    assert release.counts["fit: questions dropped"] == len(rejections)
    assert release.manifest_hash != unchecked.release.manifest_hash


def test_a_filler_that_fails_is_replaced(unchecked: Built) -> None:
    opened = unchecked.opened()
    (name,) = {
        place.session_id
        for place in opened.allocations[opened.plans[0].question.question_id].fillers[:1]
    }
    failing = {spec_of(turn) for turn in opened.sessions[name].user_turns}
    release, rejections = rejected(unchecked.folder, failing)
    assert rejections == []
    assert release.counts["questions"] == 15
    again = ToneBuild(open_root(unchecked.folder), TINY)
    assert name not in {
        place.session_id for history in again.histories for place in history.placements
    }
