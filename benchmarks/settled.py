"""How long a finished evaluation of the paper's size takes to say that nothing is to do.

    python benchmarks/settled.py [--models 15] [--sessions 34743] [--root FOLDER] [--times 3]

799 questions at four budgets, answered by models of the catalogue, in a folder or under an
``s3://`` root; making them is not timed. Then ``voxmem evaluate``, as a command that is typed: from
the start of its process to its end. Target: below 5 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

from benchmarks import paper_scale
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.evaluate.run import Run, is_settled, keep
from voxmem.models.catalogue import catalogue
from voxmem.models.outcome import Reply
from voxmem.models.registry import create
from voxmem.records import Call, Usage
from voxmem.store.root import open_root


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=15)
    parser.add_argument("--sessions", type=int, default=34_743)
    parser.add_argument("--root", help="keeps the release for another time")
    parser.add_argument("--times", type=int, default=3)
    asked = parser.parse_args()
    names = [each.name for each in catalogue().values() if each.group != "text"][: asked.models]
    with tempfile.TemporaryDirectory() as folder:
        uri = asked.root or folder
        answer(uri, asked.sessions, names)
        for _ in range(asked.times):
            wall, cpu = command(uri, names)
            print(f"nothing to do: {wall:.2f} s, {cpu:.2f} s of CPU", flush=True)


def answer(uri: str, sessions: int, names: list[str]) -> None:
    """Makes the release, and has every model's runs settled; what is there is left alone."""
    root = open_root(uri)
    if not root.releases():
        paper_scale.release(root, sessions)
    rows = open_release(uri, "paper-scale")
    for number, name in enumerate(names):
        for budget in paper_scale.SESSIONS_AT:
            run = Run(rows, create(name), budget)
            if not is_settled(run):
                _answer(rows, run, number)


def _answer(rows: ReleaseRows, run: Run, number: int) -> None:
    reply = Reply(
        outcome="ok",
        text=f"As far as I can tell, it was the blue one; that is model {number} at {run.budget}.",
        usage=Usage(input_tokens=8_000, output_tokens=24),
        call=Call(seconds=2.0, dollars=0.01, attempts=1, bytes_sent=900_000),
    )
    keep(run, [run.row(item, reply) for item in rows.items([run.budget])])


def command(uri: str, names: list[str]) -> tuple[float, float]:
    """Seconds by the wall clock, and of CPU, of the command over what is finished."""
    asked = ["--root", uri, "--release", "paper-scale"]
    asked += [word for name in names for word in ("--model", name)]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "voxmem", "evaluate", *asked], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, "not everything is settled"
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
