"""What the workflow engine adds to the time of a construction.

    python benchmarks/orchestration.py [--preset small] [--workers 2] [--times 3]

The same build, each time into an empty folder by a process of its own, three ways in turn, so that
a noisy machine is noisy for all of them: the stages called as plain functions; the flow on a server
that runs already, as a worker runs it; ``voxmem build``, which starts a private server and ends it.
All with as many worker processes. Limit: the flow takes at most 10 % longer than plain functions.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from flows.engine import engine
from tasks import builds, processes
from voxmem import construct
from voxmem.build import Build
from voxmem.config import preset
from voxmem.store.root import open_root

PLAIN, FLOW, COMMAND = "plain functions", "flow on a server", "voxmem build"


@dataclass(frozen=True)
class Taken:
    """Seconds of one build."""

    wall: float
    cpu: float
    """Of its process and all that it started."""


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--into", help=argparse.SUPPRESS)
    parser.add_argument("--way", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.way == PLAIN:
        plain(asked.into, asked.preset, asked.workers)
    elif asked.way == FLOW:
        flow(asked.into, asked.preset, asked.workers)
    else:
        compare(asked.preset, asked.workers, asked.times)


def compare(name: str, workers: int, times: int) -> None:
    """Times the three ways in turn and prints what came of it."""
    taken: dict[str, list[Taken]] = {PLAIN: [], FLOW: [], COMMAND: []}
    with tempfile.TemporaryDirectory() as home, engine(home) as server:
        for _ in range(times):
            for way, found in taken.items():
                with tempfile.TemporaryDirectory() as root:
                    found.append(timed(way, root, name, workers, server.url))
                print(
                    f"{way:<18}{found[-1].wall:8.1f} s wall{found[-1].cpu:8.1f} s CPU", flush=True
                )
    base = taken[PLAIN]
    for way in (FLOW, COMMAND):
        walls = [each.wall / plain.wall - 1 for each, plain in zip(taken[way], base, strict=True)]
        more = [each.cpu - plain.cpu for each, plain in zip(taken[way], base, strict=True)]
        spread = f"{min(walls):+.1%} to {max(walls):+.1%}"
        cpu = statistics.median(more)
        print(f"{way}: {statistics.median(walls):+.1%} wall ({spread}), {cpu:+.1f} s CPU")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    builds_cpu = sum(each.cpu for found in taken.values() for each in found)
    serving = used.ru_utime + used.ru_stime - builds_cpu
    print(f"the server: {serving / times:.1f} s CPU a build, its start and end included")


def timed(way: str, root: str, name: str, workers: int, url: str) -> Taken:
    """One build by a process of its own, from its start to its end."""
    environment = {key: value for key, value in os.environ.items() if key != "PREFECT_API_URL"}
    options = ["--preset", name, "--workers", str(workers)]
    if way == COMMAND:
        command = ["-m", "voxmem", "build", *options, "--root", root]
    else:
        command = [__file__, *options, "--into", root, "--way", way]
        environment["PREFECT_API_URL"] = url
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command],
        env={**environment, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, f"{way} failed"
    return Taken(time.perf_counter() - begun, used.ru_utime + used.ru_stime)


def plain(root: str, name: str, workers: int) -> None:
    """The stages, and the chunks side by side, without a workflow engine."""
    config, mapper = preset(name), processes.mapper(workers)

    def build() -> Build:
        return builds.build(root, config)

    construct.plan(build(), mapper)
    construct.write(build(), mapper)
    construct.allocate_histories(build())
    with ThreadPoolExecutor(workers) as threads:
        chunks = build().chunks
        list(
            threads.map(
                lambda chunk: processes.call(workers, builds.speak, root, config, chunk), chunks
            )
        )
    construct.fit_histories(build())
    construct.gate_families(build(), mapper)
    construct.probe(build(), mapper)
    processes.close()
    construct.publish(build())
    assert open_root(root).releases()


def flow(root: str, name: str, workers: int) -> None:
    """The flow, on the server of ``PREFECT_API_URL``."""
    with engine(root):
        from flows.construct import construct as construction
        from flows.params import ConstructParams

        construction(ConstructParams(root=root, custom=preset(name), workers=workers))


if __name__ == "__main__":
    main()
