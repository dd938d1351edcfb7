"""What a release holds, counted by hand; and the same of its import."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.builders import tiny_release
from voxmem.analyze.tables.dataset import DATASET_TABLES, budgets, dataset_tables, matrix, totals
from voxmem.evaluate.items import ReleaseRows
from voxmem.interop.official.dataset import import_official
from voxmem.interop.official.export import export_official
from voxmem.store.root import open_root
from voxmem.taxonomy import CELLS


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    """Four pairs of an answerable and a refusal item; 5, 6, 8 and 11 sessions of two clips."""
    return tiny_release(open_root(tmp_path_factory.mktemp("built")))


def values(rows: ReleaseRows) -> dict[str, float | None]:
    return {row.quantity: row.value for row in totals(rows).rows}


def test_totals(built: ReleaseRows) -> None:
    found = values(built)
    hours, tokens = found.pop("audio_unique"), found.pop("audio_tokens_per_clip")
    lengths = [one.length for one in built.histories]
    assert found == {
        "questions": 8,
        "answerable": 4,
        "answer_refusal": 4,
        "items": 32,
        "sessions_unique": 4 * 12,  # a pair differs in one session
        "sessions_placed": 8 * 30,
        "evidence_sessions": 4 * 2,
        "turns_per_session": 4,
        "clips_per_session": 2,
        "audio_placed": pytest.approx(sum(one.audio_seconds for one in lengths) / 3600),
    }
    assert hours == pytest.approx(
        sum(
            clip.seconds
            for spec, clip in built.clips.items()
            if spec.text.startswith(("So", "More"))
        )
        / 3600
    )
    assert tokens == sum(one.audio_tokens for one in lengths) / (8 * (60 + 4))


def test_budgets(built: ReleaseRows) -> None:
    rows = budgets(built).rows
    assert [row.nominal_tokens for row in rows] == [8000, 16000, 32000, 64000]
    assert [row.sessions_mean for row in rows] == [5, 6, 8, 11]
    assert [row.clips_mean for row in rows] == [11, 13, 17, 23]
    assert [row.sessions_placed for row in rows] == [40, 48, 64, 88]
    assert [row.sessions_unique for row in rows] == [4 * 6, 4 * 7, 4 * 9, 4 * 12]
    for row in rows:
        assert row.tokens_mean == pytest.approx(row.audio_tokens_mean + row.text_tokens_mean)
        assert row.minutes_mean == pytest.approx(row.audio_seconds_mean / 60)


def test_matrix(built: ReleaseRows) -> None:
    rows = matrix(built).rows
    assert [(row.operation, row.evidence) for row in rows] == [
        (cell.operation, cell.evidence) for cell in CELLS
    ]
    assert {row.operation for row in rows if row.questions} == {
        "multi_session_reasoning",
        "answer_refusal",
    }
    assert {row.share for row in rows} == {0, 1 / 8}


def test_an_import_counts_the_same(built: ReleaseRows, tmp_path: Path) -> None:
    """But for topics, which are not published."""
    export_official(built, tmp_path / "out")
    root = open_root(tmp_path / "root")
    read = ReleaseRows(root, import_official(root, [tmp_path / "out"]).release)
    assert read.is_imported
    assert values(read) == pytest.approx(values(built))
    assert matrix(read).rows == matrix(built).rows
    assert budgets(read).rows == budgets(built).rows
    assert any("8 questions" in note for note in dataset_tables(read)["dataset-topics"].notes)


def test_what_was_not_spoken_has_no_hours(tmp_path: Path) -> None:
    rows = tiny_release(open_root(tmp_path / "root"), spoken=False)
    assert values(rows)["audio_unique"] is None
    assert any("estimates" in note for note in totals(rows).notes)


def test_nothing_is_counted_as_nothing(built: ReleaseRows) -> None:
    empty = ReleaseRows(built.root, built.release)
    empty.__dict__.update(asked={}, histories=[])
    for make in DATASET_TABLES:
        assert make(empty).to_csv()
    assert values(empty)["turns_per_session"] is None
