"""From nothing to a benchmark that re-evaluates itself, on this machine.

    python -m tests.cluster.walk [--keep] [--root s3|folder] [--reference ROOT]

PostgreSQL, an object store, the workflow server and two workers start; `voxmem bootstrap` sets the
server up; the demo release is built, evaluated, judged, traced and reported by its deployments.
Then a model is written into the catalogue and found by the clock, another is registered and found
at once, and a look at what is complete starts nothing. A line a step, with its seconds.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster.model import CountedModel
from tests.cluster.steps import Walk, Where
from tests.real_demo import plain_environment
from voxmem.store.release import load
from voxmem.store.root import open_root


def walk(
    folder: Path, *, where: Where = "s3", reference: Path | None = None
) -> Iterator[tuple[str, str]]:
    """Walks, and yields what was done and what came of it; the cluster is there until the last was
    taken.

    Args:
        reference: A root with an undisturbed demo release; one is built where there is none.

    Raises:
        AssertionError: Something is not as it must be.
    """
    with CountedModel() as model:
        walked = Walk(folder, model, where)
        with walked.cluster as cluster:
            yield (
                "start",
                ", ".join(f"{name} {taken:.1f} s" for name, taken in cluster.seconds.items()),
            )
            yield "bootstrap", walked.bootstrap()
            yield "workers", walked.start_workers()
            yield "construct/demo", walked.build()
            for deployment in ("evaluate/cpu", "judge/cpu", "attribute/cpu", "analyze/cpu"):
                yield deployment, walked.run(deployment)
            yield "the first night", walked.first_night()
            yield "a model, by the clock", walked.by_clock()
            yield "a model, by the event", walked.by_event()
            yield "nothing to do", walked.nothing_to_do()
            yield "what was left behind", walked.inspect()
            yield "secrets", walked.search_secrets()
            release = load(open_root(reference or _undisturbed(folder)), "demo")
            yield "the release", walked.compare(release)
            yield (
                "dashboard",
                f"{cluster.server.url.removesuffix('/api')}, log in with {cluster.server.auth}",
            )


def _undisturbed(folder: Path) -> Path:
    """The demo release by one command on this machine, with none of the cluster's settings."""
    root = folder / "undisturbed"
    command = [sys.executable, "-m", "voxmem.cli", "build", "--preset", "demo", "--root", str(root)]
    subprocess.run(command, env=plain_environment(), check=True, capture_output=True)
    return root


@contextmanager
def _folder() -> Iterator[Path]:
    """Removed after a walk that went well; after another, all of its logs are there."""
    made = Path(tempfile.mkdtemp(prefix="voxmem-walk-"))
    try:
        yield made
    except BaseException:
        print(f"see {made}", file=sys.stderr)
        raise
    shutil.rmtree(made)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.walk")
    parser.add_argument("--keep", action="store_true", help="stay until Ctrl-C, to look around")
    parser.add_argument("--root", choices=("s3", "folder"), default="s3")
    parser.add_argument("--reference", type=Path, help="root with an undisturbed demo release")
    asked = parser.parse_args()
    begun = last = time.monotonic()
    with _folder() as folder:
        for step, said in walk(folder, where=asked.root, reference=asked.reference):
            now = time.monotonic()
            if step != "dashboard":
                print(f"{now - last:6.1f} s  {step}: {said}", flush=True)
            elif asked.keep:
                print(f"          {step}: {said}\n          files: {folder}", flush=True)
                signal.sigwait({signal.SIGINT, signal.SIGTERM})
            last = now
    print(f"{time.monotonic() - begun:6.1f} s  in all", flush=True)


if __name__ == "__main__":
    main()
