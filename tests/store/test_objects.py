from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.errors import CorruptObject, InputError
from voxmem.store import Objects, Root, files, open_root


def stored(root: Root, sha: str) -> Path:
    return root.path / "objects" / sha[:2] / sha[2:]


@given(data=st.binary())
def test_what_was_put_is_got(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    objects: Objects = open_root(tmp_path_factory.getbasetemp() / "shared").objects
    sha = objects.put(data)
    assert sha == hashlib.sha256(data).hexdigest()
    assert objects.put(data) == sha
    assert objects.exists(sha)
    assert objects.get(sha) == data


def test_an_object_is_a_file_under_its_hash(root: Root) -> None:
    sha = root.objects.put(b"speech")
    assert root.objects.path_or_none(sha) == stored(root, sha)
    assert stored(root, sha).read_bytes() == b"speech"
    assert list((root.path / ".partial").iterdir()) == []


def test_putting_again_writes_nothing(root: Root) -> None:
    sha = root.objects.put(b"speech")
    before = stored(root, sha).stat()
    root.objects.put(b"speech")
    assert stored(root, sha).stat().st_ino == before.st_ino


def test_iterate_lists_objects_in_order_and_nothing_else(root: Root) -> None:
    assert list(root.objects.iterate()) == []
    shas = [root.objects.put(bytes([n])) for n in range(20)]
    (root.path / "objects" / "notes.txt").write_text("no object")
    assert list(root.objects.iterate()) == sorted(shas)


def test_a_missing_object_says_so(root: Root) -> None:
    sha = hashlib.sha256(b"never").hexdigest()
    assert not root.objects.exists(sha)
    assert root.objects.path_or_none(sha) is None
    with pytest.raises(InputError, match="no such object") as caught:
        root.objects.get(sha)
    assert not isinstance(caught.value, CorruptObject)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "ab" * 31, "ab" * 33])
def test_only_a_sha256_names_an_object(root: Root, name: str) -> None:
    with pytest.raises(InputError, match="not a SHA-256"):
        root.objects.exists(name)


@pytest.mark.parametrize("damage", [b"", b"spee", b"speecH", b"speech and more"])
def test_damage_is_found_on_reading_and_healed_by_putting(root: Root, damage: bytes) -> None:
    sha = root.objects.put(b"speech")
    stored(root, sha).write_bytes(damage)
    with pytest.raises(CorruptObject) as caught:
        root.objects.get(sha)
    assert caught.value.item == sha
    assert f"delete {stored(root, sha)}" in str(caught.value)
    assert "\n" not in str(caught.value)
    root.objects.put(b"speech")
    assert root.objects.get(sha) == b"speech"


def test_a_file_that_a_power_cut_left_empty_does_not_exist(root: Root) -> None:
    sha = root.objects.put(b"speech")
    stored(root, sha).write_bytes(b"")
    assert not root.objects.exists(sha)
    assert root.objects.exists(root.objects.put(b""))


def test_threads_may_put_the_same_objects(root: Root) -> None:
    blobs = [bytes([n]) * 50_000 for n in range(10)] * 8
    with ThreadPoolExecutor(8) as pool:
        shas = list(pool.map(root.objects.put, blobs))
    assert [root.objects.get(sha) for sha in shas] == blobs
    assert len(set(shas)) == len(list(root.objects.iterate())) == 10


PUT_MANY = """
import sys
from voxmem.store import open_root
objects = open_root(sys.argv[1]).objects
for n in range(300):
    objects.put(n.to_bytes(2, "big") * 5_000)
"""


def test_two_processes_may_put_the_same_objects(
    root: Root, start: Callable[..., subprocess.Popen[str]]
) -> None:
    both = [start(PUT_MANY, root.path) for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    shas = list(root.objects.iterate())
    assert len(shas) == 300
    assert {root.objects.get(sha)[:2] for sha in shas} == {n.to_bytes(2, "big") for n in range(300)}


PUT_FOR_EVER = """
import sys
from itertools import count
from voxmem.store import open_root
objects = open_root(sys.argv[1]).objects
for n in count():
    objects.put(n.to_bytes(4, "big") * 500_000)
    print(n, flush=True)
"""


def test_kill_in_the_middle_leaves_whole_objects_and_sweepable_leftovers(
    root: Root, start: Callable[..., subprocess.Popen[str]]
) -> None:
    for delay in (0.001, 0.007):
        process = start(PUT_FOR_EVER, root.path)
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        time.sleep(delay)
        process.kill()
        process.communicate()
        for sha in root.objects.iterate():
            assert len(root.objects.get(sha)) == 2_000_000


def test_leftovers_are_swept_but_not_files_being_written(root: Root) -> None:
    root.objects.put(b"speech")
    old, young = root.path / ".partial" / "old", root.path / ".partial" / "young"
    old.write_bytes(b"half")
    young.write_bytes(b"half")
    two_hours_ago = time.time() - 7200
    os.utime(old, (two_hours_ago, two_hours_ago))
    root.check_writable()
    assert sorted(path.name for path in (root.path / ".partial").iterdir()) == ["young"]
    assert files.sweep(root.path, older_than=-1) == 1
    assert len(list(root.objects.iterate())) == 1
