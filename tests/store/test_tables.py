from __future__ import annotations

import io
import json
from collections.abc import Callable
from subprocess import Popen
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import create_model

from tests.store.conftest import SAMPLE, Everything, Inner, everythings
from voxmem.errors import CorruptTable, InputError
from voxmem.records import ClipSpec, Question, Record, Turn
from voxmem.store import Root, open_root, parquet
from voxmem.store.columns import column_kinds
from voxmem.store.tables import Tables


@given(rows=st.lists(everythings, max_size=5))
@settings(deadline=None, max_examples=60)
def test_any_record_comes_back_as_it_was(
    rows: list[Everything], tmp_path_factory: pytest.TempPathFactory
) -> None:
    tables = open_root(tmp_path_factory.getbasetemp() / "round-trip").tables
    tables.write("rows", "part", rows, Everything)
    back = tables.read("rows", Everything, ["part"])
    assert back == rows
    # Equality is too kind: 1 == 1.0 == True, and moments with other offsets may be equal.
    assert list(map(exact, back)) == list(map(exact, rows))


def exact(row: Everything) -> str:
    return json.dumps(row.model_dump(mode="json"), sort_keys=True)


def test_a_sample_of_every_kind(root: Root) -> None:
    root.tables.write("rows", "part", [SAMPLE, SAMPLE], Everything)
    assert root.tables.read("rows", Everything) == [SAMPLE, SAMPLE]


def test_kinds_of_columns() -> None:
    assert column_kinds(Everything) == {
        "name": "text",
        "count": "integer",
        "share": "number",
        "flag": "truth",
        "when": "text",
        "day": "text",
        "colour": "text",
        "choice": "text",
        "mixed": "json",
        "gold": "json",
        "inner": "json",
        "inners": "json",
        "span": "json",
        "weights": "json",
        "perhaps": "number",
    }
    # Recursive terms, and members of closed sets, of the domain's own records.
    kinds = column_kinds(Question)
    assert (kinds["evidence_type"], kinds["query"], kinds["reason"]) == ("text", "json", "text")


def test_scalars_are_native_columns_and_the_rest_is_json(root: Root) -> None:
    root.tables.write("rows", "part", [SAMPLE], Everything)
    file = pq.ParquetFile(root.tables.path("rows", "part"))
    types = {field.name: str(field.type) for field in file.schema_arrow}
    assert types["count"] == "int64"
    assert types["share"] == "double"
    assert types["flag"] == "bool"
    row = file.read().to_pylist()[0]
    assert row["when"] == "2024-05-01T10:30:00.123456"
    assert row["mixed"] == '"5"'
    assert row["gold"] == '["1","2"]'
    assert row["perhaps"] is None
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_some_columns_of_a_part_are_read_alone(root: Root) -> None:
    other = SAMPLE.model_copy(update={"name": "other", "count": None})
    root.tables.write("rows", "part", [SAMPLE, other], Everything)
    found = root.tables.columns("rows", "part", ("count", "name"))
    assert found == [(SAMPLE.count, SAMPLE.name), (None, "other")]
    with pytest.raises(CorruptTable, match="rows/part"):
        root.tables.columns("rows", "part", ("name", "nothing"))


def test_no_rows_leave_the_schema(root: Root) -> None:
    root.tables.write("rows", "empty", [], Everything)
    assert root.tables.read("rows", Everything) == []
    assert root.tables.head("rows", "empty") == ("Everything", column_kinds(Everything))
    with pytest.raises(InputError, match="written as Everything, read as Turn"):
        root.tables.read("rows", Turn)


def test_parts_are_listed_and_read_in_the_order_asked_for(root: Root) -> None:
    turns = {key: Turn(role="user", text=key) for key in ("b", "a", "c")}
    for key, turn in turns.items():
        root.tables.write("turns", key, [turn], Turn)
    assert root.tables.names() == ["turns"]
    assert root.tables.parts("turns") == ["a", "b", "c"]
    assert root.tables.parts("none") == []
    assert root.tables.read("none", Turn) == []
    assert [turn.text for turn in root.tables.read("turns", Turn)] == ["a", "b", "c"]
    assert [turn.text for turn in root.tables.read("turns", Turn, ["c", "a"])] == ["c", "a"]
    assert root.tables.has("turns", "a")
    assert not root.tables.has("turns", "d")
    with pytest.raises(InputError, match="turns/d: there is no such part"):
        root.tables.read("turns", Turn, ["d"])


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "x" * 201])
def test_names_cannot_leave_the_folder(root: Root, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a table"):
        root.tables.has(name, "part")
    with pytest.raises(InputError, match="cannot name a part"):
        root.tables.has("rows", name)


@given(rows=st.lists(everythings, max_size=4))
@settings(deadline=None, max_examples=30)
def test_equal_rows_are_equal_bytes(rows: list[Everything]) -> None:
    copies = [Everything.model_validate(row.model_dump()) for row in rows]
    turned = [
        row.model_copy(update={"weights": dict(reversed(row.weights.items()))}) for row in copies
    ]
    assert parquet.encode(Everything, turned) == parquet.encode(Everything, rows)


def test_the_digest_of_rows_is_that_of_a_bag() -> None:
    assert parquet.digest(["a", "b", "c"]) == parquet.digest(["c", "a", "b"])
    assert parquet.digest(["a", "a"]) != parquet.digest(["a"])
    assert parquet.digest(["ab"]) != parquet.digest(["a", "b"])


WRITE_SAMPLE = """
import sys
from tests.store.conftest import SAMPLE, Everything
from voxmem.store import open_root
open_root(sys.argv[1]).tables.write("rows", "part", [SAMPLE] * 100, Everything)
"""


def test_another_process_writes_equal_bytes(root: Root, start: Callable[..., Popen[str]]) -> None:
    process = start(WRITE_SAMPLE, root.path)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    theirs = root.tables.path("rows", "part").read_bytes()
    assert theirs == parquet.encode(Everything, [SAMPLE] * 100)


# --- what cannot be stored ---------------------------------------------------------------------


def refused(root: Root, field: str, value: Any) -> str:
    row = SAMPLE.model_copy(update={field: value})
    with pytest.raises(InputError) as caught:
        root.tables.write("rows", "part", [SAMPLE, row], Everything)
    assert not root.tables.has("rows", "part")
    assert caught.value.item == "rows/part"
    return str(caught.value)


def test_an_integer_beyond_64_bits_is_refused(root: Root) -> None:
    assert "'count'" in refused(root, "count", 2**63)


def test_nan_inside_a_nested_field_is_refused(root: Root) -> None:
    assert "'weights'" in refused(root, "weights", {"a": float("nan")})


def test_another_record_is_refused(root: Root) -> None:
    with pytest.raises(InputError, match="row 2 is a Inner, not a Everything"):
        root.tables.write("rows", "part", [SAMPLE, SAMPLE.inner], Everything)


# --- damage ------------------------------------------------------------------------------------


def damaged(tables: Tables, part: str) -> CorruptTable:
    with pytest.raises(CorruptTable) as caught:
        tables.read("rows", Everything, [part])
    assert caught.value.item == f"rows/{part}"
    assert f"delete {tables.path('rows', part)}; the command that wrote it" in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("keep", [0, 3, 100, 0.5, -1])
def test_a_cut_part_is_named_and_writing_it_again_heals_it(root: Root, keep: float) -> None:
    root.tables.write("rows", "part", [SAMPLE] * 50, Everything)
    path = root.tables.path("rows", "part")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep * len(whole)) if isinstance(keep, float) else keep])
    damaged(root.tables, "part")
    root.tables.write("rows", "part", [SAMPLE] * 50, Everything)
    assert path.read_bytes() == whole
    assert root.tables.read("rows", Everything) == [SAMPLE] * 50


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(deadline=None, max_examples=300)
def test_any_flipped_bit_is_found_or_harmless(place: float, bit: int) -> None:
    rows = [SAMPLE.model_copy(update={"count": n}) for n in range(5)]
    data = bytearray(parquet.encode(Everything, rows))
    whole = parquet.decode(bytes(data))
    data[int(place * len(data))] ^= 1 << bit
    try:
        part = parquet.decode(bytes(data))
    except parquet.UnreadablePartError:
        return
    assert part.rows == whole.rows


def test_a_parquet_file_of_someone_else_is_no_part(root: Root) -> None:
    import pyarrow as pa

    path = root.tables.path("rows", "part")
    path.parent.mkdir(parents=True)
    pq.write_table(pa.table({"name": ["x"]}), path)
    damaged(root.tables, "part")


# --- other models ------------------------------------------------------------------------------


def other(**fields: Any) -> type[Record]:
    """A model called Everything with some fields replaced, added, or (``None``) removed."""
    kept = {
        name: (field.annotation, field)
        for name, field in Everything.model_fields.items()
        if name not in fields
    }
    changed = {name: field for name, field in fields.items() if field is not None}
    return create_model("Everything", __base__=Record, **kept, **changed)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Turn, "written as Everything, read as Turn; not in the part: role, text; not in Turn: "),
        (other(extra=(str, ...)), "; not in the part: extra"),
        (other(name=None, flag=None), "; not in Everything: flag, name"),
        (other(count=(str, ...)), "; of another type: count"),
        (other(inner=(ClipSpec | None, None)), "row 1 is no Everything of this version: inner."),
    ],
)
def test_another_model_is_refused_naming_the_fields(
    root: Root, model: type[Record], message: str
) -> None:
    root.tables.write("rows", "part", [SAMPLE], Everything)
    with pytest.raises(InputError) as caught:
        root.tables.read("rows", model)
    assert not isinstance(caught.value, CorruptTable)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_wider_model_reads_older_parts(root: Root) -> None:
    wider = other(choice=(str, ...), added=(int, 7), inner=(Inner | Turn | None, None))
    root.tables.write("rows", "part", [SAMPLE], Everything)
    (row,) = root.tables.read("rows", wider)
    assert row.model_dump(exclude={"added"}) == SAMPLE.model_dump()
    assert row.model_dump()["added"] == 7


# --- size ----------------------------------------------------------------------------


def test_row_groups_stay_below_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP_BYTES", 10_000)
    turns = [Turn(role="user", text="x" * (n % 7) * 300) for n in range(200)]
    file = pq.ParquetFile(io.BytesIO(parquet.encode(Turn, turns)))
    groups = [file.read_row_group(n).nbytes for n in range(file.num_row_groups)]
    assert len(groups) > 10
    assert max(groups) <= 10_000
    assert sum(file.metadata.row_group(n).num_rows for n in range(len(groups))) == 200
    assert len(parquet.decode(parquet.encode(Turn, turns)).rows) == 200
