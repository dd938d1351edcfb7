"""What is removed from a root: all that nothing needs, and never what something does."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from tests.retention.conftest import aged, names
from tests.store.servers import BUCKET, moto, settings
from voxmem.errors import CorruptTable, InputError, StoreError, UsageError
from voxmem.records import Record
from voxmem.retention import collect as collecting
from voxmem.retention.collect import collect
from voxmem.retention.plan import Plan, plan
from voxmem.store.objects import object_name
from voxmem.store.release import Release, load, publish, verify
from voxmem.store.root import Root, open_root
from voxmem.store.s3 import lease, leases
from voxmem.store.s3.blobs import S3Blobs

DIGITS = "0123456789abcdef"


class Row(Record):
    """A row that names objects, in a field of its own and inside another."""

    sha256: str
    others: tuple[str, ...] = ()


class Asked(Record):
    item_id: str
    response_id: str = ""


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def released(root: Root, name: str, content: dict[str, list[str]], objects: list[str]) -> Release:
    return publish(
        root,
        name,
        content,
        objects=objects,
        counts={},
        licences={},
        versions={},
        config={},
        seed=0,
    )


def built(root: Root, build: str, objects: list[bytes], *, chunk: str) -> dict[str, list[str]]:
    """What a build leaves: its plans, and a chunk of clips that other builds may share."""
    shas = [root.objects.put(data) for data in objects]
    rows = [Row(sha256=each, others=(shas[-1],)) for each in shas]
    root.tables.write("plans", build, [Row(sha256="")], Row)
    root.tables.write("counts", f"{build}-plan", [Row(sha256="")], Row)
    root.tables.write("clips", chunk, rows, Row)
    return {"plans": [build], "clips": [chunk]}


def gone(root: Root) -> set[str]:
    """What a look says that may go; the same is then removed, and nothing else."""
    before, found = names(root), plan(root)
    done = collect(root, expected=found.key)
    removed = {each.name for each in done.items if each.kind != "note"}
    assert done == found
    assert names(root) == before - removed
    assert plan(root).items == (), "nothing is left for a second time"
    return removed


def chunk_of(objects: list[bytes]) -> str:
    return sha(b"|".join(objects))[:20]


pools = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)


@given(
    builds=st.lists(
        st.tuples(pools, st.sampled_from(["released", "lost", "working"])), min_size=1, max_size=5
    ),
    loose=st.sets(st.integers(0, 11)),
)
@tried(max_examples=20)
def test_releases_lose_nothing_and_nothing_else_stays(
    builds: list[tuple[list[int], str]], loose: set[int]
) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        root = open_root(folder)
        needed = _fill(root, builds, loose)
        aged(root)
        gone(root)
        for name in root.releases():
            assert verify(root, load(root, name)) == []
        lists = {load(root, name).audio_hash for name in root.releases()}
        assert set(root.objects.iterate()) == needed | lists
    finally:
        shutil.rmtree(folder)


def _fill(root: Root, builds: list[tuple[list[int], str]], loose: set[int]) -> set[str]:
    """Fills a root with builds that share objects and chunks; the objects that are needed."""
    for number in loose:
        root.objects.put(b"object %d" % number)
    needed: set[str] = set()
    working = any(kind == "working" for _, kind in builds)
    for at, (numbers, kind) in enumerate(builds):
        objects = [b"object %d" % number for number in numbers]
        build = f"b{at}-{DIGITS[at] * 12}"
        content = built(root, build, objects, chunk=chunk_of(objects))
        # A release may use less than its chunks hold: what they hold stays, they name it.
        if kind != "working":
            made = released(root, f"r{at}", content, [sha(objects[0])])
            root.put_json(f"runs/{build}", made.release_id)
            if kind == "lost":
                root.blobs.remove(root.release_name(made.release_id))
        if kind != "lost" or working:  # whose chunks are whose cannot be told of those at work
            needed |= set(map(sha, objects))
    return needed


# --- which parts -------------------------------------------------------------------------------


def test_a_release_that_was_deleted_takes_its_build_and_answers_along(root: Root) -> None:
    kept = built(root, "kept-" + "a" * 12, [b"one", b"two"], chunk="c" * 20)
    lost = built(root, "lost-" + "b" * 12, [b"two", b"three"], chunk="d" * 20)
    for name, content, item in (("kept", kept, "q1"), ("lost", lost, "q2")):
        build = content["plans"][0]
        root.tables.write("histories", build, [Asked(item_id=item)], Asked)
        made = released(root, name, {**content, "histories": [build]}, [])
        root.put_json(f"runs/{build}", made.release_id)
        answers = [Asked(item_id=item, response_id=f"of {item}")]
        for table in ("responses", "verdicts", "audits"):
            root.tables.write(table, f"{table}-{name}", answers, Asked)
        for share in ("", "-0-of-2", "-11-of-12"):
            root.put_json(f"evaluations/responses-{name}{share}", {})
        root.put_json(f"timings/{build}", {"plan": 1.0})
    gone_id = next(each for each in root.releases() if each.startswith("lost"))
    gone_list = load(root, gone_id).audio_hash
    root.blobs.remove(root.release_name(gone_id))
    aged(root)
    removed = gone(root)
    build = lost["plans"][0]
    assert removed == {
        f"tables/plans/{build}.parquet",
        f"tables/counts/{build}-plan.parquet",
        f"tables/histories/{build}.parquet",
        f"tables/clips/{'d' * 20}.parquet",
        "tables/responses/responses-lost.parquet",
        "tables/verdicts/verdicts-lost.parquet",
        "tables/audits/audits-lost.parquet",
        f"runs/{build}.json",
        f"timings/{build}.json",
        "evaluations/responses-lost.json",
        "evaluations/responses-lost-0-of-2.json",
        "evaluations/responses-lost-11-of-12.json",
        object_name(sha(b"three")),
    } | ({object_name(gone_list)} - {object_name(load(root, "kept").audio_hash)})


def test_a_build_in_progress_stays_until_it_is_given_up(root: Root) -> None:
    build = "new-" + "a" * 12
    built(root, build, [b"one"], chunk="c" * 20)
    aged(root)
    assert plan(root).items == ()
    with pytest.raises(UsageError, match=f"no such build — name one of: {build}"):
        plan(root, unpublished=["other-" + "b" * 12])
    given_up = plan(root, unpublished=[build])
    assert {each.name for each in given_up.items} == names(root)


def test_a_build_that_is_a_release_cannot_be_given_up(root: Root) -> None:
    build = "new-" + "a" * 12
    released(root, "new", built(root, build, [b"one"], chunk="c" * 20), [sha(b"one")])
    with pytest.raises(UsageError, match="is a release"):
        plan(root, unpublished=[build])


def test_what_an_import_goes_on_from_stays(root: Root) -> None:
    for part, data in (("a" * 20, b"one"), ("b" * 20, b"two")):
        row = Row(sha256=root.objects.put(data))
        root.tables.write("official_rows", part, [row], Row)
        root.tables.write("clip_measures", part, [row], Row)
    root.put_json("imports/unit", {"parts": ["a" * 20], "audio": [sha(b"one")]})
    root.put_json("imports/release", "official-000000000000")
    aged(root)
    assert gone(root) == {
        f"tables/official_rows/{'b' * 20}.parquet",
        object_name(sha(b"two")),
        "imports/release.json",
    }


def test_labels_preflights_and_what_is_not_known_stay(root: Root) -> None:
    for table in ("clip_audits", "verdict_audits", "error_audits", "preflights", "of_tomorrow"):
        row = Row(sha256=root.objects.put(table.encode()))
        root.tables.write(table, "x" * 20, [row], Row)
    aged(root)
    assert plan(root).items == ()


def test_paid_answers_stay_and_their_notes_go(root: Root) -> None:
    ledger = root.ledger("evaluate")
    ledger.put_if_absent("answered", b"{}")
    for key in ("answered", "open"):
        ledger.intent(key)
    aged(root)
    assert [(each.kind, each.name) for each in plan(root).items] == [("note", "evaluate/answered")]
    collect(root)
    assert ledger.get("answered") == b"{}"
    assert root.blobs.noted("ledger/evaluate/intents") == ["open"]
    assert plan(root).items == ()


# --- when --------------------------------------------------------------------------------------


def test_what_is_young_stays(root: Root) -> None:
    root.objects.put(b"just now")
    assert plan(root).items == ()
    assert [each.name for each in plan(root, older_than=0).items] == [object_name(sha(b"just now"))]


def test_nothing_is_removed_while_a_run_is_at_work(root: Root) -> None:
    root.objects.put(b"loose")
    aged(root)
    with root.working(), pytest.raises(UsageError, match="a run is at work"):
        collect(root)
    assert root.objects.exists(sha(b"loose"))
    collect(root)
    assert not root.objects.exists(sha(b"loose"))


def test_another_plan_than_was_shown_is_refused(root: Root) -> None:
    root.objects.put(b"loose")
    aged(root)
    shown = plan(root)
    root.objects.put(b"another")
    aged(root)
    with pytest.raises(UsageError, match="the root has changed"):
        collect(root, expected=shown.key)
    assert len(list(root.objects.iterate())) == 2


def test_what_is_interrupted_goes_on(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    build = "lost-" + "b" * 12
    made = released(root, "lost", built(root, build, [b"one"], chunk="c" * 20), [])
    root.put_json(f"runs/{build}", made.release_id)
    root.blobs.remove(root.release_name(made.release_id))
    aged(root)
    whole = len(plan(root).items)
    remove, left = collecting._remove, [0]

    def killed(*arguments: Any) -> bool:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return remove(*arguments)

    for at in range(whole):
        left[0] = 1
        with monkeypatch.context() as patch:
            patch.setattr(collecting, "_remove", killed)
            if at < whole - 1:
                with pytest.raises(KeyboardInterrupt):
                    collect(root)
            else:
                collect(root)
    assert names(root) == set()


def test_what_is_written_after_the_look_stays(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"one", b"two"):
        root.objects.put(data)
    aged(root)

    def looked(root: Root, **options: Any) -> Plan:
        found = plan(root, **options)
        root.blobs.write(object_name(sha(b"one")), b"one")
        return found

    monkeypatch.setattr(collecting, "plan", looked)
    assert [each.name for each in collect(root).items] == [object_name(sha(b"two"))]
    assert list(root.objects.iterate()) == [sha(b"one")]


def test_what_killed_processes_left_half_written_goes_too(root: Root) -> None:
    leftover = root.path / ".partial" / "0123"
    leftover.parent.mkdir(parents=True)
    leftover.write_bytes(b"half")
    aged(root)
    collect(root)
    assert not leftover.exists()


def test_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))
    with moto() as endpoint:
        for name, value in settings(endpoint).items():
            monkeypatch.setenv(name, value)
        root = open_root(f"s3://{BUCKET}/some/root")
        content = built(root, "new-" + "a" * 12, [b"one", b"two"], chunk="c" * 20)
        release = released(root, "new", content, [sha(b"one")])
        ledger = root.ledger("evaluate")
        ledger.intent("answered")
        root.blobs.create("ledger/evaluate/an/answered", b"of a process that was killed")
        loose = root.objects.put(b"loose")
        assert plan(root).items == (), "it is young"
        with root.working(), pytest.raises(UsageError, match="a run is at work"):
            collect(root, older_than=0)
        found = plan(root, older_than=0)
        assert [each.name for each in found.items] == [object_name(loose), "evaluate/answered"]
        assert collect(root, older_than=0, expected=found.key) == found
        assert plan(root, older_than=0).items == ()
        assert verify(root, release) == []
        assert not root.objects.exists(loose)
        assert root.blobs.size("ledger/evaluate/an/answered") is not None


def test_who_has_slept_longer_than_its_lease_removes_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(S3Blobs, "threads", 1)
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.02)
    asleep, now = [0.0], lease.now
    monkeypatch.setattr(lease, "now", lambda: now() + asleep[0])

    def sleep(seconds: float) -> None:
        asleep[0] += seconds
        time.sleep(0.2)  # it is renewed again, for what that is worth

    with moto() as endpoint:
        for name, value in settings(endpoint).items():
            monkeypatch.setenv(name, value)
        root = open_root(f"s3://{BUCKET}/root")
        for data in (b"one", b"two", b"three"):
            root.objects.put(data)
        with pytest.raises(StoreError, match="run gc again; what was removed stays removed"):
            collect(root, older_than=0, progress=lambda done, total: sleep(61 if done == 2 else 20))
        assert len(list(root.objects.iterate())) == 1
        assert len(collect(root, older_than=0).items) == 1


def test_damage_that_hides_what_is_needed_stops_it(root: Root) -> None:
    root.tables.write("of_tomorrow", "x", [Row(sha256=root.objects.put(b"one"))], Row)
    path = root.tables.path("of_tomorrow", "x")
    path.write_bytes(path.read_bytes()[:-9])
    aged(root)
    with pytest.raises(CorruptTable):
        collect(root)
    assert root.objects.exists(sha(b"one"))


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("imports/x", {"parts": 3}),
        ("imports/x", {"parts": [3]}),
        ("imports/x", {}),
        ("imports/x", 3),
        ("runs/new-" + "a" * 12, {"release": "new"}),
    ],
)
def test_a_document_that_does_not_say_what_is_needed_stops_it(
    root: Root, document: str, said: object
) -> None:
    built(root, "new-" + "a" * 12, [b"one"], chunk="c" * 20)
    root.objects.put(b"loose")
    root.put_json(document, said)
    aged(root)
    before = names(root)
    with pytest.raises(InputError, match=rf"\[gc\] {document}: this document does not say"):
        collect(root)
    assert names(root) == before
