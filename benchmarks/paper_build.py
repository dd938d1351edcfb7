"""How long the stages of a text-only build take, and how much memory.

    python benchmarks/paper_build.py [--preset paper] [--root FOLDER] [--workers 2]

Every stage is timed in one run of one process (and its workers), each as a share of the whole, so
that a noisy machine shows in all of them alike. Stages whose part is there take no time: use a new
root.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable

from tasks import processes
from voxmem import construct
from voxmem.build import Build
from voxmem.config import preset
from voxmem.store.root import open_root


def main() -> None:
    """Builds, and prints one line a stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--root", default=None)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    config = preset(asked.preset).model_copy(update={"text_only": True})
    with tempfile.TemporaryDirectory() as folder:
        build = Build(open_root(asked.root or folder), config)
        mapper = processes.mapper(asked.workers)
        stages: tuple[tuple[str, Callable[[], object]], ...] = (
            ("plan", lambda: construct.plan(build, mapper)),
            ("write", lambda: construct.write(build, mapper)),
            ("allocate", lambda: construct.allocate_histories(build)),
            ("fit", lambda: construct.fit_histories(build)),
            ("gate families", lambda: construct.gate_families(build, mapper)),
            ("probe", lambda: construct.probe(build, mapper)),
            ("publish", lambda: construct.publish(build)),
        )
        seconds: dict[str, float] = {}
        for name, run in stages:
            start = time.perf_counter()
            run()
            seconds[name] = time.perf_counter() - start
        processes.close()
    whole = sum(seconds.values())
    for name, taken in seconds.items():
        print(f"{name:<16}{taken:8.1f} s  {taken / whole:6.1%} of the build")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"{'whole':<16}{whole:8.1f} s, {memory:.2f} GiB; the largest worker {workers:.2f} GiB")


if __name__ == "__main__":
    main()
