"""Verdicts: what may be said, and that nothing said is ever changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.quality.audit.made import NOON, kept, made, said, source_of
from voxmem.errors import CorruptTable
from voxmem.quality.audit.records import Audits, ClipAudit, latest, parts_on
from voxmem.store.root import open_root

ROW = {
    "clip_id": "c",
    "sha256": "0" * 64,
    "annotator": "ada",
    "time": NOON,
    "verdict": "pass",
}


def test_names_and_notes_are_tidy_and_times_in_utc() -> None:
    east = datetime(2025, 6, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    row = ClipAudit.model_validate(
        ROW | {"annotator": "  Ada   L ", "note": " a\n b ", "time": east}
    )
    assert (row.annotator, row.note, row.time) == ("Ada L", "a b", NOON)
    assert row.time.tzinfo is UTC


@pytest.mark.parametrize(
    "wrong",
    [
        {"annotator": " "},
        {"time": datetime(2025, 6, 1, 12)},
        {"verdict": "maybe"},
        {"verdict": "fail"},
        {"fault": "words"},
        {"verdict": "fail", "fault": "colour"},
        {"note": "x" * 2001},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ClipAudit.model_validate(ROW | wrong)


def test_every_verdict_is_a_part_and_a_correction_is_another(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    clip = next(iter(source.clips.values()))
    rows = [said(clip, "fail", minutes=0), said(clip, "pass", minutes=1)]
    audits = kept(tmp_path, rows)
    audits.add(rows[0])
    tables = open_root(tmp_path).tables
    assert sorted(tables.parts(ClipAudit.TABLE)) == sorted(row.part for row in rows)
    assert audits.rows() == rows
    assert latest(audits.rows(), source.clips) == {clip.clip_id: {"ada": rows[1]}}


def test_the_latest_of_each_annotator_counts_whoever_wrote_first(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    clip = next(iter(source.clips.values()))
    rows = [
        said(clip, "pass", "ada", 5),
        said(clip, "unsure", "bob", 1),
        said(clip, "fail", "ada", 2),
    ]
    found = latest(kept(tmp_path, rows).rows(), source.clips)
    assert {name: row.verdict for name, row in found[clip.clip_id].items()} == {
        "ada": "pass",
        "bob": "unsure",
    }


def test_verdicts_of_others_are_seen_at_the_next_reading(tmp_path: Path) -> None:
    clip = next(iter(source_of(tmp_path).clips.values()))
    one, two = kept(tmp_path, [said(clip, "pass")]), Audits(open_root(tmp_path).tables)
    assert len(one.rows()) == 1
    two.add(said(clip, "fail", "bob"))
    assert len(one.rows()) == 2


def test_a_verdict_on_other_audio_does_not_count(tmp_path: Path) -> None:
    """A clip that was spoken again, and one that is gone."""
    source = source_of(tmp_path)
    clip, other = list(source.clips.values())[:2]
    old = clip.model_copy(update={"sha256": "f" * 64})
    gone = other.model_copy(update={"clip_id": "gone"})
    rows = [said(old, "fail"), said(gone, "fail")]
    assert latest(rows, source.clips) == {}
    assert parts_on(rows, source.clips) == [rows[0].part]


def test_a_damaged_part_is_an_error(tmp_path: Path) -> None:
    root, _ = made(tmp_path)
    row = said(next(iter(source_of(tmp_path).clips.values())), "pass")
    kept(tmp_path, [row])
    root.tables.path(ClipAudit.TABLE, row.part).write_bytes(b"PAR1")
    with pytest.raises(CorruptTable, match="one label is lost"):
        Audits(root.tables).rows()
