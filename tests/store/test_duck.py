from __future__ import annotations

import pytest

from tests.store.conftest import SAMPLE, Everything
from voxmem.errors import CorruptTable, InputError, UsageError
from voxmem.records import Turn
from voxmem.store import Root
from voxmem.store.duck import connect, sql


@pytest.fixture
def filled(root: Root) -> Root:
    for part in range(3):
        rows = [SAMPLE.model_copy(update={"count": 10 * part + n}) for n in range(10)]
        root.tables.write("rows", f"part-{part}", rows, Everything)
    root.tables.write("turns", "part", [Turn(role="user", text="hello", speaker="p01")], Turn)
    root.tables.write("nothing", "part", [], Turn)
    return root


def values(root: Root, query: str, **parts: list[str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = sql(root.tables, query, parts or None).to_pylist()
    return found


def test_scalars_filter_and_nested_fields_are_json(filled: Root) -> None:
    assert values(filled, "select count(*) as n, max(count) as top from rows") == [
        {"n": 30, "top": 29}
    ]
    assert values(
        filled,
        """select inner->>'$.value' as value, gold->>'$[1]' as gold, perhaps
           from rows where count = 14 and flag and "when" < '2024-06-01' and colour = 'deep blue'
        """.replace("inner->", '"inner"->'),
    ) == [{"value": "5", "gold": "2", "perhaps": None}]


def test_views_are_over_the_named_parts(filled: Root) -> None:
    query = "select count(*) as n from rows"
    assert values(filled, query, rows=["part-0", "part-2"]) == [{"n": 20}]
    with pytest.raises(InputError, match="rows/part-9: there is no such part"):
        values(filled, query, rows=["part-9"])


def test_a_table_without_rows_has_columns(filled: Root) -> None:
    assert values(filled, "select count(text) as n from nothing") == [{"n": 0}]


def test_no_tables_at_all(root: Root) -> None:
    assert values(root, "select 1 as one") == [{"one": 1}]
    with pytest.raises(UsageError, match="these tables: none"):
        values(root, "select * from rows")


@pytest.mark.parametrize(
    "query",
    [
        "select nothing_like_it from rows",
        "selekt 1",
        "select * from absent",
        "select cast(name as integer) from rows",
        "create table x (a integer)",
        "select 1; select 2",
        "",
    ],
)
def test_a_wrong_query_says_so_in_one_line(filled: Root, query: str) -> None:
    with pytest.raises(UsageError) as caught:
        sql(filled.tables, query)
    assert "select from these tables: nothing, rows, turns" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "query",
    [
        "copy turns to '{0}' (format parquet, use_tmp_file false)",
        "copy (select 1 as a) to '{0}.csv'",
        "select * from read_parquet('{0}')",
        "insert into turns select * from turns",
        "set enable_external_access = true",
    ],
)
def test_sql_can_only_read_the_views(filled: Root, query: str) -> None:
    path = filled.tables.path("turns", "part")
    before = sorted(filled.path.rglob("*")), path.read_bytes()
    with pytest.raises(UsageError):
        sql(filled.tables, query.format(path))
    with connect(filled.tables) as connection, pytest.raises(Exception, match=r".+"):
        connection.execute(query.format(path)).fetchall()
    assert (sorted(filled.path.rglob("*")), path.read_bytes()) == before


@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.999])
def test_a_damaged_part_is_named(filled: Root, place: float) -> None:
    path = filled.tables.path("rows", "part-1")
    data = path.read_bytes()
    cut = int(place * len(data))
    path.write_bytes(data[:cut] + bytes(200) + data[cut + 200 :])
    with pytest.raises(CorruptTable, match=r"rows/part-1: .* delete "):
        sql(filled.tables, "select * from rows")


def test_parts_of_different_records_are_not_mixed(filled: Root) -> None:
    filled.tables.write("rows", "odd", [Turn(role="user", text="x")], Turn)
    with pytest.raises(InputError, match="rows/part-0: this part and odd hold different records"):
        sql(filled.tables, "select * from rows")
    assert values(filled, "select count(*) as n from rows", rows=["part-1"]) == [{"n": 10}]
