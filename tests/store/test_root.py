from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tests.store.conftest import REPOSITORY, SAMPLE, Everything, Inner
from voxmem.errors import InputError, StoreError, UsageError
from voxmem.records import Turn
from voxmem.store import Root, files, open_root


def test_opening_writes_nothing_and_an_absent_root_is_empty(tmp_path: Path) -> None:
    root = open_root(tmp_path / "absent" / "root")
    assert list(root.objects.iterate()) == []
    assert root.tables.names() == []
    assert root.releases() == []
    assert root.get_json("runs/demo") is None
    assert root.blobs.noted("ledger/judge/intents") == []
    assert not (tmp_path / "absent").exists()


def test_a_root_is_a_path_or_a_file_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert open_root("out").path == tmp_path / "out"
    assert open_root("~/out").path == tmp_path / "home" / "out"
    assert open_root(f"file://{tmp_path}/a%20b").path == tmp_path / "a b"
    assert open_root("odd:name").path == tmp_path / "odd:name"


@pytest.mark.parametrize("uri", ["gs://bucket/x", "https://example.org/x", "file://host/x"])
def test_other_roots_are_unknown(uri: str) -> None:
    with pytest.raises(UsageError, match="a root is a folder"):
        open_root(uri)


HOLD = """
import signal, sys
from voxmem.store import open_root
with open_root(sys.argv[1]).quiet() as quiet:
    print(quiet is not None, flush=True)
    signal.pause()
"""


def test_who_collects_in_a_folder_keeps_others_out_while_it_is_stopped(
    root: Root, start: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start(HOLD, root.path)
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    process.send_signal(signal.SIGSTOP)
    try:
        with root.quiet() as quiet:
            assert quiet is None
    finally:
        process.kill()
        process.communicate()
    with root.quiet() as quiet:
        assert quiet is not None


def test_documents(root: Root) -> None:
    root.put_json("runs/demo", {"b": [1, 2.5, None], "a": "naïve"})
    assert root.get_json("runs/demo") == {"b": [1, 2.5, None], "a": "naïve"}
    root.put_json("runs/demo", SAMPLE.inner)
    assert Inner.model_validate(root.get_json("runs/demo")) == SAMPLE.inner
    path = root.path / "runs" / "demo.json"
    path.write_text("{")
    with pytest.raises(InputError, match=f"not JSON: .* — delete {path}"):
        root.get_json("runs/demo")


def test_a_reader_keeps_the_whole_file_that_it_opened(root: Root) -> None:
    root.put_json("runs/demo", ["old"] * 1_000)
    with (root.path / "runs" / "demo.json").open() as opened:
        root.put_json("runs/demo", ["new"])
        assert json.load(opened) == ["old"] * 1_000
    assert root.get_json("runs/demo") == ["new"]


@pytest.mark.parametrize("name", ["", "/etc/x", "../x", "runs//x", "objects/x", "releases/x"])
def test_documents_stay_in_their_place(root: Root, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a document"):
        root.put_json(name, {})


def test_check_writable_makes_the_folder_and_leaves_nothing(root: Root) -> None:
    root.check_writable()
    assert [path.name for path in root.path.iterdir()] == [".partial"]
    assert list((root.path / ".partial").iterdir()) == []


# --- roots that cannot be written --------------------------------------------------------------

WRITERS: dict[str, Callable[[Root], object]] = {
    "check": Root.check_writable,
    "object": lambda root: root.objects.put(b"speech"),
    "part": lambda root: root.tables.write("rows", "part", [SAMPLE], Everything),
    "ledger": lambda root: root.ledger("judge").put_if_absent("k1", b"answer"),
    "intent": lambda root: root.ledger("judge").intent("k1"),
    "document": lambda root: root.put_json("runs/demo", {}),
}
each_writer = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())


def refused(write: Callable[[Root], object], root: Root) -> str:
    with pytest.raises(StoreError) as caught:
        write(root)
    line = str(caught.value)
    assert "\n" not in line
    assert " — " in line, "there is no remedy"
    assert str(root.path) in line
    assert caught.value.exit_code == 1
    return line


def test_a_file_is_no_root(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="it is a file — choose a folder"):
        open_root(tmp_path / "file")


@each_writer
def test_a_root_below_a_file(tmp_path: Path, write: Callable[[Root], object]) -> None:
    (tmp_path / "file").write_text("x")
    root = open_root(tmp_path / "file" / "root")
    assert "a file is where a folder should be — choose a folder" in refused(write, root)
    assert root.tables.names() == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "the disk is full — free some space and run the same command again"),
        (errno.EROFS, "the file system is read-only — choose another root"),
        (errno.EACCES, "permission denied — choose another root"),
        (errno.EIO, "Input/output error — check the disk"),
    ],
)
@pytest.mark.parametrize(
    ("writer", "call"),
    [
        ("check", "fsync"),
        ("check", "replace"),
        ("object", "replace"),
        ("part", "fsync"),
        ("part", "replace"),
        ("ledger", "fsync"),
        ("ledger", "link"),
        ("intent", "fsync"),
        ("document", "fsync"),
        ("document", "replace"),
    ],
)
def test_an_error_of_the_system_loses_nothing(
    root: Root, writer: str, call: str, code: int, message: str
) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    kept = root.objects.put(b"kept")
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(os, call, fail)
        assert message in refused(WRITERS[writer], root)
    assert list((root.path / ".partial").iterdir()) == []
    assert list(root.objects.iterate()) == [kept]
    assert root.tables.parts("rows") == []
    assert root.ledger("judge").get("k1") is None
    assert root.get_json("runs/demo") is None
    WRITERS[writer](root)


ON_A_MOUNT = """
import sys
from pathlib import Path
from tests.store.test_root import WRITERS
from voxmem.errors import StoreError
from voxmem.store import open_root
root = open_root(sys.argv[1])
for name, write in WRITERS.items():
    try:
        write(root)
    except StoreError as error:
        print(name, error)
print(len([path for path in Path(sys.argv[1]).rglob("*") if path.is_file()]), "files")
"""


def on_a_mount(folder: Path, *commands: str) -> list[str]:
    """What the writers say about a folder, after commands in a mount name space of their own."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("mounting needs root and unshare")
    folder.mkdir()
    mounts = " && ".join(command.format(folder) for command in commands)
    script = f'{mounts} || exit 1; exec "$0" -c "$1" {folder}'
    ran = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, sys.executable, ON_A_MOUNT],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if ran.returncode and "Traceback" not in ran.stderr:
        pytest.skip(f"mounting is not allowed here: {ran.stderr.strip()}")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    lines = on_a_mount(
        tmp_path / "disk",
        "mount -t tmpfs -o size=64k tmpfs {0}",
        "{{ head -c 1000000 /dev/zero > {0}/ballast 2>/dev/null; true; }}",
    )
    *complaints, left = lines
    # The ballast, and an empty intent, which says nothing; nothing half-written.
    assert left == "2 files"
    assert [line.split()[0] for line in complaints] == list(WRITERS)
    assert all("the disk is full — free some space" in line for line in complaints)


def test_a_file_system_that_is_really_read_only(tmp_path: Path) -> None:
    *complaints, left = on_a_mount(tmp_path / "disk", "mount -t tmpfs -o ro tmpfs {0}")
    assert left == "0 files"
    assert [line.split()[0] for line in complaints] == list(WRITERS)
    assert all("the file system is read-only — choose another" in line for line in complaints)


# --- processes that die while they write -------------------------------------------------------

DIE_WHILE_WRITING = """
import resource, signal, sys
from tests.store.test_root import WRITERS_OF_MUCH
from voxmem.store import open_root
root = open_root(sys.argv[1])
# The kernel ends the process after 5,000 bytes of any file.
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
WRITERS_OF_MUCH[sys.argv[2]](root)
"""

MUCH = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(1_000))
WRITERS_OF_MUCH: dict[str, Callable[[Root], object]] = {
    "object": lambda root: root.objects.put(MUCH),
    "part": lambda root: root.tables.write(
        "turns", "part", [Turn(role="user", text=MUCH.hex())], Turn
    ),
    "ledger": lambda root: root.ledger("judge").put_if_absent("k1", MUCH),
    "document": lambda root: root.put_json("runs/demo", MUCH.hex()),
}


@pytest.mark.parametrize("writer", WRITERS_OF_MUCH)
def test_a_process_that_dies_while_writing_leaves_nothing_half_written(
    root: Root, writer: str, start: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start(DIE_WHILE_WRITING, root.path, writer)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGXFSZ, errors
    (leftover,) = (path for path in root.path.rglob("*") if path.is_file())
    assert leftover.parent.name == ".partial"
    assert leftover.stat().st_size == 5_000
    assert list(root.objects.iterate()) == []
    assert not root.tables.has("turns", "part")
    assert root.ledger("judge").get("k1") is None
    assert root.get_json("runs/demo") is None
    WRITERS_OF_MUCH[writer](root)
    assert files.sweep(root.path, older_than=-1) == 1
