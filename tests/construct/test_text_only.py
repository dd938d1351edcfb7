"""A build without sound: the same plans, words and histories' order, with estimated seconds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.construct.built import Built, files
from tests.small_build import TEXT, build
from voxmem.construct.tallies import read_counts
from voxmem.dialogue.fillers.collect import FillerRejection
from voxmem.length import total
from voxmem.plan.candidates import PlanRejection
from voxmem.speech.estimate import estimate_seconds
from voxmem.store.release import verify
from voxmem.taxonomy import CELLS, Operation


def test_nothing_of_sound_is_there(unspoken: Built) -> None:
    release, opened = unspoken.release, unspoken.opened()
    tables = set(opened.root.tables.names())
    assert {"plans", "sessions", "histories", "questions", "probes"} <= tables
    assert not {"clips", "session_checks"} & (tables | set(release.tables))
    assert (release.objects, release.counts["clips"]) == (0, 0)
    assert release.versions["engine"] == "none: seconds are estimated"
    assert not [name for name in release.licences if name.startswith(("speech", "sound"))]
    assert release.config["text_only"] is True
    assert verify(opened.root, release) == []


def test_text_and_plan_are_those_of_the_spoken_build(unspoken: Built, undisturbed: Built) -> None:
    assert unspoken.release.text_hash == undisturbed.release.text_hash
    assert unspoken.release.release_id != undisturbed.release.release_id
    for table in ("plans", "plan_rejections", "sessions", "filler_rejections", "allocations"):
        assert unspoken.release.tables[table].content == undisturbed.release.tables[table].content


def test_lengths_are_estimated(unspoken: Built) -> None:
    opened = unspoken.opened()
    for history in opened.histories[:4]:
        turns = [
            turn
            for place in history.placements
            for turn in opened.sessions[place.session_id].user_turns
        ]
        question = opened.questions[history.question_id]
        seconds = estimate_seconds(question.text) + sum(
            estimate_seconds(turn.text, turn.cues[0].value if turn.cues else "neutral")
            for turn in turns
        )
        assert history.length.clips == len(turns) + 1
        assert history.length.audio_seconds == pytest.approx(seconds, rel=0.01)
        parts = map(opened.lengths.of, history.placements)
        assert history.length == total((opened.lengths.question(question), *parts))


def test_a_second_run_does_nothing(unspoken: Built) -> None:
    before = files(unspoken.folder)
    assert build(unspoken.folder, TEXT) == unspoken.release
    written = {name for name, when in files(unspoken.folder).items() if before.get(name) != when}
    assert {name for name in written if not name.startswith("runs/")} == set()


# --- what the manifest says -------------------------------------------------------------------


def test_unique_and_placed_sessions_are_counted(unspoken: Built) -> None:
    counts, opened = unspoken.release.counts, unspoken.opened()
    placed = [place.session_id for item in opened.histories for place in item.placements]
    assert counts["sessions"] == len(set(placed)) < counts["placements"] == len(placed)
    seconds = sum(opened.lengths.session(name).audio_seconds for name in set(placed))
    assert counts["unique_seconds"] == pytest.approx(seconds, abs=1)
    heard = sum(item.length.audio_seconds for item in opened.histories)
    assert counts["placed_seconds"] == pytest.approx(heard, abs=1)
    evidence = {name for item in opened.questions.values() for name in item.evidence_session_ids}
    assert counts["evidence sessions"] == len(evidence)
    assert counts["instances"] == len(opened.histories)


def test_every_budget_is_described(unspoken: Built) -> None:
    counts, opened = unspoken.release.counts, unspoken.opened()
    for budget in TEXT.budgets:
        own = [item for item in opened.histories if item.budget == budget.name]
        assert len(own) == counts["questions"]
        sessions = sum(len(item.placements) for item in own) / len(own)
        assert counts[f"{budget.name}: sessions"] == round(sessions)
        clips = sum(item.length.clips for item in own) / len(own)
        assert counts[f"{budget.name}: clips"] == round(clips)
        seconds = sum(item.length.audio_seconds for item in own) / len(own)
        assert counts[f"{budget.name}: seconds"] == round(seconds)
    assert counts["4K: sessions"] > counts["2K: sessions"] > 0


def test_every_cell_and_source_is_counted(unspoken: Built) -> None:
    counts = unspoken.release.counts
    questions = unspoken.opened().questions.values()
    cells = Counter((item.operation, item.evidence_type) for item in questions)
    assert {name: count for name, count in counts.items() if name.startswith("cell:")} == {
        f"cell:{cell.operation}/{cell.evidence}": cells[cell.operation, cell.evidence]
        for cell in CELLS
    }
    refusals = cells.total() - sum(item.gold is not None for item in questions)
    assert refusals == TEXT.refusals
    named = {f"refusals of {operation}": operation for operation in Operation}
    assert sum(count for name, count in counts.items() if name in named) == refusals


def test_rejections_are_counted_by_stage_and_reason(unspoken: Built) -> None:
    counts, opened = unspoken.release.counts, unspoken.opened()
    for row in read_counts(opened):
        assert counts[f"{row.stage}: {row.name}"] == row.count
    assert counts["plan: candidates"] == TEXT.requests * TEXT.quota
    read = opened.root.tables.read
    rejections = Counter(row.reason for row in read("plan_rejections", PlanRejection, [opened.id]))
    assert rejections == {
        name.removeprefix("plan: rejected: "): count
        for name, count in counts.items()
        if name.startswith("plan: rejected: ")
    }
    fillers = read("filler_rejections", FillerRejection, [opened.id])
    assert all(row.count > 0 for row in fillers)
    assert counts["fillers: fillers"] == sum(map(len, opened.fillers.values()))
    variants = [plan for plan in opened.plans if plan.question.gold is None]
    assert counts["gate: refusal variants made"] == len(variants)
    assert counts["gate: refusal variants released"] == TEXT.refusals


def test_another_budget_is_another_build_with_the_same_plans(
    unspoken: Built, tmp_path: Path
) -> None:
    shorter = TEXT.model_copy(update={"budgets": TEXT.budgets[1:]})
    release = build(tmp_path, shorter)
    assert release.counts["instances"] == release.counts["questions"]
    assert release.tables["plans"].content == unspoken.release.tables["plans"].content
