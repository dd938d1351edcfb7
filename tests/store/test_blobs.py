"""What holds for a folder, and for a bucket of a server with and without conditional writes."""

from __future__ import annotations

import hashlib
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.store.conftest import SAMPLE, Everything
from tests.store.test_release import fill
from voxmem.errors import InputError, UsageError
from voxmem.records import Turn
from voxmem.store import Root, open_root
from voxmem.store.duck import sql
from voxmem.store.release import is_complete, load, object_list, publish, verify


def test_objects(any_root: Root) -> None:
    objects = any_root.objects
    absent = hashlib.sha256(b"never").hexdigest()
    shas = [objects.put(data) for data in (b"speech", b"", b"speech", b"more")]
    assert [objects.get(sha) for sha in shas] == [b"speech", b"", b"speech", b"more"]
    assert [objects.get(sha, fresh=True) for sha in shas[:2]] == [b"speech", b""]
    assert list(objects.iterate()) == sorted(set(shas))
    assert [objects.size(sha) for sha in (*shas, absent)] == [6, 0, 6, 4, None]
    assert objects.missing([absent, *shas]) == [absent]
    file = objects.path_or_none(shas[0])
    assert file is not None
    assert file.read_bytes() == b"speech"
    assert not objects.exists(absent)
    assert objects.path_or_none(absent) is None
    with pytest.raises(InputError, match="no such object"):
        objects.get(absent)


def test_tables_and_sql(any_root: Root) -> None:
    tables = any_root.tables
    assert tables.names() == tables.parts("rows") == []
    for part in ("b", "a"):
        tables.write("rows", part, [SAMPLE.model_copy(update={"name": part})], Everything)
    tables.write("turns", "part", [Turn(role="user", text="hello")], Turn)
    assert tables.names() == ["rows", "turns"]
    assert tables.parts("rows") == ["a", "b"]
    assert [row.name for row in tables.read("rows", Everything)] == ["a", "b"]
    assert tables.head("turns", "part")[0] == "Turn"
    assert tables.missing([("rows", "a"), ("rows", "c")]) == [("rows", "c")]
    found = sql(tables, "select r.name, t.text from rows r, turns t order by r.name desc")
    assert found.to_pylist() == [{"name": "b", "text": "hello"}, {"name": "a", "text": "hello"}]


def test_a_part_that_was_written_again_is_read_anew(any_root: Root) -> None:
    tables, words = any_root.tables, ["first", "again"]
    prints = []
    for text in words:
        tables.write("turns", "part", [Turn(role="user", text=text)], Turn)
        for _ in range(2):
            assert tables.read("turns", Turn)[0].text == text
        prints.append(tables.fingerprint("turns", "part"))
    assert len(set(prints)) == 2
    assert tables.fingerprint("turns", "none") is None


def test_documents(any_root: Root) -> None:
    assert any_root.get_json("runs/demo") is None
    any_root.put_json("runs/demo", {"a": "naïve"})
    any_root.put_json("runs/demo", {"a": [1, None]})
    assert any_root.get_json("runs/demo") == {"a": [1, None]}
    any_root.blobs.write("runs/demo.json", b"{")
    with pytest.raises(InputError, match=f"delete {any_root.uri}/runs/demo.json"):
        any_root.get_json("runs/demo")


def test_a_ledger(any_root: Root) -> None:
    ledger = any_root.ledger("judge")
    assert ledger.get("k1") is None
    assert [ledger.intent("k1"), ledger.intent("k2"), ledger.intent("k1")] == [0, 0, 1]
    assert any_root.blobs.noted("ledger/judge/intents") == ["k1", "k2"]
    assert ledger.put_if_absent("k1", b"first\nanswer") == b"first\nanswer"
    assert ledger.put_if_absent("k1", b"second") == b"first\nanswer"
    assert ledger.get("k1") == b"first\nanswer"
    assert any_root.blobs.noted("ledger/judge/intents") == ["k2"]
    # Another process, which made no note itself, ends what an earlier one began.
    other = pickle.loads(pickle.dumps(any_root)).ledger("judge")
    other.ended("k2")
    other.ended("k2")
    assert any_root.blobs.noted("ledger/judge/intents") == []
    assert ledger.intent("k3") == 0


def test_of_sixteen_writers_all_read_what_is_kept(any_root: Root) -> None:
    ledger = any_root.ledger("judge")
    with ThreadPoolExecutor(16) as pool:
        told = set(pool.map(lambda n: ledger.put_if_absent("k1", b"%d" % n), range(16)))
    kept = ledger.get("k1")
    assert kept in told
    conditions = getattr(any_root.blobs, "_conditions", None)
    if conditions is None or conditions.atomic:
        assert told == {kept}
    assert ledger.put_if_absent("k1", b"late") == kept


def test_a_release_is_the_same_wherever_it_is(any_root: Root, tmp_path: Path) -> None:
    release = publish(any_root, "demo", **fill(any_root))
    folder = open_root(tmp_path / "other")
    assert release == publish(folder, "demo", **fill(folder))
    assert publish(any_root, "demo", **fill(any_root)) == release
    assert any_root.releases() == [release.release_id]
    assert load(any_root, "demo") == release
    assert verify(any_root, release) == []
    assert is_complete(any_root, release)
    sha = object_list(any_root, release)[0]
    any_root.blobs.remove(f"objects/{sha[:2]}/{sha[2:]}")
    assert not is_complete(any_root, release)
    (problem,) = verify(any_root, release)
    assert f"{sha}: there is no such object" in problem


def test_names_are_listed_in_order_without_what_is_the_stores_own(any_root: Root) -> None:
    blobs = any_root.blobs
    for name in ("runs/b.json", "runs/a/x.json", "runs/a.json", "runs-old.json"):
        blobs.write(name, name.encode())
    with blobs.locked("name"):
        walked = list(blobs.walk())
    # As keys of a bucket sort: a full stop comes before a slash.
    assert [each.name for each in walked] == [
        *("runs-old.json", "runs/a.json", "runs/a/x.json", "runs/b.json")
    ]
    assert [each.size for each in walked] == [len(each.name) for each in walked]
    assert all(-2 < each.age < 60 for each in walked)
    assert [each.name for each in blobs.walk("runs/a")] == ["runs/a/x.json"]
    assert blobs.names("runs") == ["a", "a.json", "b.json"]
    assert blobs.names("") == ["runs", "runs-old.json"]
    assert blobs.sizes(["runs/a.json", "runs/c.json"]) == {"runs/a.json": 11}
    blobs.remove("runs/a.json")
    blobs.remove("runs/a.json")
    assert blobs.size("runs/a.json") is None


def test_a_name_is_held_by_one_and_given_back(any_root: Root) -> None:
    with any_root.locked("name", item="it", stage="judge"):
        with any_root.locked("other", item="it", stage="judge"):
            pass
        with (
            pytest.raises(UsageError, match=r"\[judge\] it: another process is at it"),
            any_root.locked("name", item="it", stage="judge"),
        ):
            pass
    with any_root.locked("name", item="it", stage="judge"):
        pass


def test_who_waits_is_next(any_root: Root) -> None:
    held, order = threading.Event(), []

    def hold() -> None:
        with any_root.locked("name", item="", stage=""):
            held.set()
            time.sleep(0.5)
            order.append("first")

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(20)
    with any_root.locked("name", item="", stage="", wait=30):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_of_several_that_contend_one_holds_it_at_a_time(any_root: Root) -> None:
    inside, most, got = 0, 0, 0
    count = threading.Lock()

    def contend(_: int) -> None:
        nonlocal inside, most, got
        with any_root.blobs.locked("name") as held:
            if not held:
                return
            with count:
                inside += 1
                got += 1
                most = max(most, inside)
            time.sleep(1.0)
            with count:
                inside -= 1

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(contend, range(5)))
    assert most == 1
    assert got >= 1


def test_nothing_is_collected_while_a_run_is_at_work(any_root: Root) -> None:
    with any_root.working(), any_root.working(), any_root.quiet() as quiet:
        assert not quiet
    with any_root.quiet() as quiet:
        assert quiet
        begun = threading.Event()

        def work() -> None:
            with any_root.working():
                begun.set()

        thread = threading.Thread(target=work)
        thread.start()
        assert not begun.wait(0.5)
    assert begun.wait(20)
    thread.join()


def test_who_collects_removes_what_is_old_enough(any_root: Root) -> None:
    any_root.put_json("runs/demo", {})
    with any_root.quiet() as quiet:
        assert quiet is not None
        quiet.check()
        assert not quiet.remove("runs/demo.json", 3600.0)
        assert any_root.get_json("runs/demo") == {}
        assert quiet.remove("runs/demo.json", -2.0)
        assert not quiet.remove("runs/demo.json", -2.0)
    assert any_root.get_json("runs/demo") is None


def test_a_root_travels_by_its_uri(any_root: Root) -> None:
    sha = any_root.objects.put(b"speech")
    there = pickle.loads(pickle.dumps(any_root))
    assert there.uri == any_root.uri
    assert there.objects.get(sha) == b"speech"
    objects = pickle.loads(pickle.dumps(any_root.objects))
    assert objects.get(sha) == b"speech"
    assert open_root(any_root.uri).objects.exists(sha)
