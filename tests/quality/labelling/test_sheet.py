"""The audit as a file: what is written is read back, and what is wrong is named."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.quality.audit.made import NOON, calibrated, kept, said, source_of
from voxmem.errors import InputError
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.task import ClipTask
from voxmem.quality.labelling.sheet import read_sheet, write_sheet


def lines_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def as_text(lines: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, lines[0].keys(), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(lines)
    return file.getvalue()


def test_a_sheet_is_filled_in_and_read_back(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue, audits = draw(source, calibrated(), 5), kept(tmp_path, [])
    lines = lines_of(write_sheet(ClipTask(source, queue, audits), "ada"))
    assert [line["clip_id"] for line in lines] == [item.clip_id for item in queue]
    assert {line["annotator"] for line in lines} == {"ada"}
    assert all(Path(line["audio"]).is_file() for line in lines)
    lines[0] |= {"verdict": "pass"}
    lines[1] |= {"verdict": "fail", "fault": "voice", "note": 'not "her", I think'}
    found = read_sheet("\ufeff" + as_text(lines), ClipTask(source, queue, audits), None, NOON)
    assert (found.added, found.known, found.blank, found.faults) == (2, 0, 3, ())
    assert {row.time for row in audits.rows()} == {NOON}
    again = write_sheet(ClipTask(source, queue, audits), "ada")
    assert lines_of(again)[1]["note"] == 'not "her", I think'
    repeated = read_sheet(again, ClipTask(source, queue, audits), None, NOON)
    assert (repeated.added, repeated.known, repeated.blank) == (0, 2, 3)
    assert len(audits.rows()) == 2


def test_without_a_name_everybody_is_written(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue = draw(source, calibrated(), 2)
    clip = source.clips[queue[0].clip_id]
    audits = kept(tmp_path, [said(clip, "pass", "ada"), said(clip, "unsure", "bob")])
    lines = lines_of(write_sheet(ClipTask(source, queue, audits), None))
    assert [(line["annotator"], line["verdict"]) for line in lines] == [
        ("ada", "pass"),
        ("bob", "unsure"),
        ("", ""),
    ]


def test_wrong_lines_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue, audits = draw(source, calibrated(), 8), kept(tmp_path, [])
    lines = lines_of(write_sheet(ClipTask(source, queue, audits), "ada"))
    for line, change in zip(
        lines,
        [
            {"verdict": "good"},
            {"verdict": "fail"},
            {"verdict": "pass", "sha256": "f" * 64},
            {"verdict": "pass", "clip_id": "nobody"},
            {"verdict": "pass", "annotator": ""},
            {"verdict": "pass"},
            {"verdict": "pass", "time": "2025-06-03T00:00:00Z"},
            {"verdict": "pass", "time": "2025-06-01T12:00:00"},
        ],
        strict=True,
    ):
        line.update(change)
    found = read_sheet(as_text(lines), ClipTask(source, queue, audits), None, NOON)
    assert found.added == 1
    assert [fault.split(":")[0] for fault in found.faults] == [
        f"line {at}" for at in (2, 3, 4, 5, 6, 8, 9)
    ]
    for fault, words in zip(
        found.faults,
        [
            "verdict: Input should be",
            "has a fault",
            "spoken again",
            "no clip 'nobody'",
            "annotator",
            "time: is still to come",
            "9: time: a time needs its zone",
        ],
        strict=True,
    ):
        assert words in fault
    named = read_sheet(as_text(lines), ClipTask(source, queue, audits), "bob", NOON)
    assert (named.added, named.known) == (1, 1)


def test_a_line_whose_values_cannot_be_told_apart_is_named(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue, audits = draw(source, calibrated(), 6), kept(tmp_path, [])
    lines = lines_of(write_sheet(ClipTask(source, queue, audits), "ada"))
    for line in lines:
        line["verdict"] = "pass"
    rows = as_text(lines).split("\r\n")
    rows[1] = rows[1].rsplit(",", 1)[0]
    rows[2] = rows[2].replace(",pass,,", ",pass,,good, but late")
    rows[3] = rows[3].replace(",pass,,", ',pass,,"said ""it""\r\ntwice"')
    rows[5] = rows[5].replace(",pass,,", ',pass,,"late')
    found = read_sheet("\r\n".join(rows), ClipTask(source, queue, audits), None, NOON)
    assert (found.added, found.blank) == (2, 0)
    assert [row.note for row in audits.rows() if row.note] == ['said "it" twice']
    assert [fault.split(":")[0] for fault in found.faults] == ["line 2", "line 3", "line 7"]
    assert "11 values, for 12 columns" in found.faults[0]
    assert "13 values" in found.faults[1]
    assert "a quote is not closed; nothing is read up to line 8" in found.faults[2]


@pytest.mark.parametrize("note", ["=1+1", "+a", "-b", "@c", "'=d", "'quoted'", "a=b"])
def test_a_note_is_no_formula_and_comes_back_as_it_was(note: str, tmp_path: Path) -> None:
    source = source_of(tmp_path / "root")
    queue = draw(source, calibrated(), 1)
    row = said(source.clips[queue[0].clip_id], "pass", note=note)
    text = write_sheet(ClipTask(source, queue, kept(tmp_path / "root", [row])), None)
    assert lines_of(text)[0]["note"][0] not in "=+-@"
    others = kept(tmp_path / "other", [])
    assert read_sheet(text, ClipTask(source, queue, others), None, NOON).added == 1
    assert [row.note for row in others.rows()] == [note]


@pytest.mark.parametrize("text", ["", "clip_id,verdict\na,pass\n", "\x00\x01"])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    source = source_of(tmp_path)
    with pytest.raises(InputError, match="there is no column"):
        read_sheet(text, ClipTask(source, [], kept(tmp_path, [])), None, NOON)


def test_the_columns_are_those_of_a_verdict(tmp_path: Path) -> None:
    task = ClipTask(source_of(tmp_path), [], kept(tmp_path, []))
    columns = "clip_id sha256 annotator time verdict fault note"
    assert task.columns == tuple(columns.split())
