"""What chaos does to a cluster: a fault a function. Each does its harm, heals it, and says in a few
words what it did."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.bench import Bench
from tests.cluster.service import Service
from tests.cluster.work import Evaluate, Work
from tests.store.faults import unavailable

DOWN = 5.0
"""Seconds for which something stays down before it is started again."""
BUSY = 30.0
"""Seconds for which the object store answers 503."""
FULL = 10.0
"""Seconds for which a disk stays full."""

Inflict = Callable[[Bench, Work], str]


@dataclass(frozen=True)
class Fault:
    """One of them.

    Attributes:
        inflict: Does harm and heals it.
        mend: What an operator does before a run that ended badly, or whose outcome is damaged, is
            run again; says what it did, nothing if there was nothing to do.
        megabytes: Of the small disk that the root is on; 0: on no disk of its own.
        kinds: Kinds of roots that it can befall.
    """

    inflict: Inflict
    mend: Inflict = lambda bench, work: ""
    megabytes: int = 0
    kinds: frozenset[str] = frozenset({"s3", "folder"})


def worker(bench: Bench, work: Work) -> str:
    """The worker alone: the process of the flow run lives on."""
    busy = bench.busy()
    busy.kill(alone=True)
    return f"worker killed, {_back(busy)}"


def process(bench: Bench, work: Work) -> str:
    """The process of the flow run: the worker lives on."""
    for pid in bench.busy().flow_runs():
        os.kill(pid, signal.SIGKILL)
    return "process of the flow run killed"


def machine(bench: Bench, work: Work) -> str:
    """Worker and flow run at once, as where the power goes: nobody is left to tell the server."""
    busy = bench.busy()
    busy.kill()
    return f"worker and process killed, {_back(busy)}"


def server(bench: Bench, work: Work) -> str:
    bench.cluster.server.kill()
    return f"server killed, {_back(bench.cluster.server)}"


def postgres(bench: Bench, work: Work) -> str:
    bench.cluster.postgres.kill()
    return f"PostgreSQL killed, {_back(bench.cluster.postgres)}"


def store(bench: Bench, work: Work) -> str:
    bench.cluster.s3.kill()
    return f"S3 server killed, {_back(bench.cluster.s3)}"


def busy(bench: Bench, work: Work) -> str:
    bench.proxy.fault = unavailable
    time.sleep(BUSY)
    bench.proxy.fault = None
    return f"S3 answers 503 for {BUSY:.0f} s"


def disk(bench: Bench, work: Work) -> str:
    with filled(work.folder):
        time.sleep(FULL)
    return f"disk of the root full for {FULL:.0f} s"


def damaged_object(bench: Bench, work: Work) -> str:
    newest = max(work.folder.glob("objects/??/*"), key=lambda file: file.stat().st_mtime)
    rot(newest)
    return "bytes of a clip turned over"


def damaged_part(bench: Bench, work: Work) -> str:
    newest = max(work.folder.glob("tables/clips/*"), key=lambda file: file.stat().st_mtime)
    rot(newest)
    return "bytes of a table's part turned over"


def twins(bench: Bench, work: Work) -> str:
    """The same work once more, on the other worker, under another deployment."""
    bench.also.append(bench.start(work, work.twin))
    return "the same shards given to two workers"


def remake(bench: Bench, work: Work) -> str:
    """As `voxmem verify` says: what is damaged is deleted and made again."""
    removed = work.remove_damaged()
    if removed and isinstance(work, Evaluate):
        bench.ended([bench.start(bench.construct(work.folder, work.uri))], 300.0)
    return f"{removed} damaged removed and made again" if removed else ""


def rot(file: Path) -> None:
    """Turns a byte of every 256 over: the file's size and name stay. One alone may be a byte of a
    table's part that says nothing of its rows."""
    data = bytearray(file.read_bytes())
    for at in range(min(128, len(data) - 1), len(data), 256):
        data[at] ^= 0xFF
    file.write_bytes(data)


@contextmanager
def small_disk(at: Path, megabytes: int) -> Iterator[None]:
    """A disk in memory at a folder; it needs root's rights."""
    at.mkdir(parents=True, exist_ok=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m"]
    subprocess.run(["mount", *options, "voxmem-chaos", str(at)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


def can_mount() -> bool:
    """Whether this user may have small disks."""
    tried = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return os.geteuid() == 0 and not subprocess.run(tried, check=False).returncode


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """For the block, all of a small disk is taken."""
    ballast = disk / ".ballast"
    with ballast.open("wb") as file:
        room = os.statvfs(disk)
        os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize)
    try:
        yield
    finally:
        ballast.unlink()


def _back(service: Service) -> str:
    time.sleep(DOWN)
    return f"back after {DOWN + service.start():.0f} s"


FAULTS = {
    "worker": Fault(worker),
    "process": Fault(process),
    "machine": Fault(machine),
    "server": Fault(server),
    "postgres": Fault(postgres),
    "s3": Fault(store, kinds=frozenset({"s3"})),
    "503": Fault(busy, kinds=frozenset({"s3"})),
    "disk": Fault(disk, megabytes=48),
    "object": Fault(damaged_object, remake),
    "part": Fault(damaged_part, remake),
    "twins": Fault(twins),
}
