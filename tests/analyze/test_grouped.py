"""Accuracy tables: complete, with coverage, and read back from their files."""

from __future__ import annotations

import csv
import io
import json

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.grouped import Asked, accuracy_table
from voxmem.evaluate.items import ReleaseRows


def asked_of(rows: ReleaseRows) -> list[Asked]:
    return [(rows.questions[one.question_id], one.budget) for one in rows.histories]


def test_a_whole_run_has_full_coverage(rows: ReleaseRows, scored: list[Scored]) -> None:
    table = accuracy_table(scored, ["budget"], asked_of(rows))
    row = table.get("paper", "oracle", "4K")
    assert row is not None
    assert (row.correct, row.n, row.expected, row.coverage) == (15, 15, 15, 1.0)
    assert table.get("paper", "oracle", "32K") is None


def test_a_partial_run_does_not_look_whole(rows: ReleaseRows, scored: list[Scored]) -> None:
    partial = [row for row in scored if row.response.system == "oracle"][:3]
    table = accuracy_table(partial, ["budget"], asked_of(rows))
    two, four = table.get("paper", "oracle", "2K"), table.get("paper", "oracle", "4K")
    assert two is not None
    assert four is not None
    assert (two.value, two.n + four.n, two.expected + four.expected) == (1.0, 3, 30)
    assert two.coverage == two.n / 15


def test_groups_that_nobody_answered_are_there_without_a_number(
    rows: ReleaseRows, scored: list[Scored]
) -> None:
    only = [row for row in scored if row.question.evidence_type.value == "environmental"]
    table = accuracy_table(only, ["evidence"], asked_of(rows))
    row = table.get("code", "oracle", "paralinguistic")
    assert row is not None
    assert (row.value, row.n, row.coverage) == (None, 0, 0.0)
    assert row.expected > 0


def test_both_policies_and_their_coverage(rows: ReleaseRows, scored: list[Scored]) -> None:
    table = accuracy_table(scored, [], asked_of(rows))
    paper, code = table.get("paper", "model-x"), table.get("code", "model-x")
    assert paper is not None
    assert code is not None
    # Of 30 items, in each ten two fail and one verdict cannot be read.
    assert (paper.n, paper.coverage) == (30, 1.0)
    assert (code.n, code.coverage) == (21, 0.7)
    assert (paper.failed, paper.unparsed) == (6, 3)


def test_files_say_what_the_table_says(rows: ReleaseRows, scored: list[Scored]) -> None:
    table = accuracy_table(scored[:7], ["budget", "stratum"], asked_of(rows))
    records = json.loads(table.to_json())
    assert records == table.records()
    read = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(read) == len(records) == len(table.rows)
    for line, record in zip(read, records, strict=True):
        assert line == {key: "" if value is None else str(value) for key, value in record.items()}
    assert any(record["accuracy"] is None for record in records)
    assert accuracy_table([], ["budget"], asked_of(rows)).to_json() == "[]\n"
