"""A build that waits until people have heard its clips."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.small_build import TINY, ToneBuild, build
from voxmem.config import SessionGate
from voxmem.construct.tallies import Rejection
from voxmem.errors import ConstructionError
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.records import Audits, ClipAudit
from voxmem.quality.audit.source import of_build
from voxmem.quality.calibration.thresholds import calibration
from voxmem.speech.clips import spec_of
from voxmem.store.root import open_root

AUDITED = TINY.model_copy(update={"session_gate": SessionGate(listen=0.0, audited=True)})
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def heard(opened: ToneBuild, failed: set[str]) -> None:
    """Somebody hears the whole queue, and what else is said to fail."""
    source, audits = of_build(opened), Audits(opened.root.tables)
    for clip_id in {item.clip_id for item in draw(source, calibration())} | failed:
        audits.add(
            ClipAudit(
                clip_id=clip_id,
                sha256=source.clips[clip_id].sha256,
                annotator="ann",
                time=NOON,
                verdict="fail" if clip_id in failed else "pass",
                fault="noise" if clip_id in failed else None,
            )
        )


def test_a_release_waits_for_its_audit_and_leaves_out_what_failed_it(tmp_path: Path) -> None:
    with pytest.raises(ConstructionError, match="have no verdict yet") as waits:
        build(tmp_path, AUDITED)
    assert "voxmem audit clips" in str(waits.value.remedy)
    opened = ToneBuild(open_root(tmp_path), AUDITED)
    assert opened.root.releases() == []
    plan = next(
        plan
        for plan in opened.plans
        if plan.question.gold is not None
        and not any(
            other.question.source_question_id == plan.question.question_id for other in opened.plans
        )
    )
    evidence = opened.sessions[plan.question.evidence_session_ids[0]]
    heard(opened, {opened.clip_id(spec_of(evidence.user_turns[0]))})
    release = build(tmp_path, AUDITED)
    (lost,) = opened.root.tables.read("fit_rejections", Rejection, [opened.id])
    assert lost.question_id == plan.question.question_id
    assert release.counts["questions"] == 14
    assert release.tables["clip_audits"].rows > 50
