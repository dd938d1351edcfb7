"""What the analysis and the report of the paper's size cost: 15 models, 4 budgets, 799 questions.

    python benchmarks/analysis.py [--models 15] [--sessions 34743] [--root FOLDER] [--out FOLDER]

Making the responses and verdicts (benchmarks/paper_scale.py) is not timed. Then, as ``voxmem
report`` does it: rows are read, every table is computed with 10,000 paired resamples, figures are
drawn, and the site is written into an empty folder. Limit: 30 s on 2 cores.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import paper_scale
from voxmem import reporting
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.store import open_root
from voxmem.store.release import load


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Prints the wall and CPU seconds of the block."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    spent = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name:<28}{spent[0]:8.1f} s wall{spent[1]:8.1f} s CPU", flush=True)


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=15)
    parser.add_argument("--sessions", type=int, default=34_743)
    parser.add_argument("--questions", type=int, default=799)
    parser.add_argument("--root", help="keeps the release for another time")
    parser.add_argument("--out", help="keeps the report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = open_root(options.root or f"{temporary}/root")
        with timed("making (not counted)"):
            if not root.releases():
                rows = paper_scale.release(root, options.sessions, options.questions)
                paper_scale.answered(rows, options.models)
        names = tuple(f"model-{number:02}" for number in range(options.models))
        out = Path(options.out or f"{temporary}/report")
        begun = time.perf_counter()
        with timed("report, all of it"):
            rows = ReleaseRows(root, load(root, "paper-scale"))
            report(rows, Job(systems=names), out)
        answers = len(rows.histories) * options.models
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{answers:,} responses; {time.perf_counter() - begun:.1f} s; peak {peak:,.0f} MiB")


def report(rows: ReleaseRows, job: Job, out: Path) -> None:
    """As ``voxmem report`` does it."""
    with timed("  reading and writing"):
        reporting.write_report(rows, job, reporting.Wanted(), out)


if __name__ == "__main__":
    main()
