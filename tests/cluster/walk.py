"""From nothing to a benchmark that re-evaluates itself, on this machine.

    python -m tests.cluster.walk [--keep] [--root s3|folder] [--folder FOLDER]

PostgreSQL, an object store, the workflow server and two workers start; `voxmem bootstrap` sets the
server up; the demo release is built, evaluated, judged, traced and reported by its deployments.
Then a model is written into the catalogue and found by the clock; another is registered and found
at once; and a night with nothing new starts nothing. A line a step, with its seconds.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import yaml

from tests.cluster import facts
from tests.cluster.cluster import BUCKET, Cluster
from tests.cluster.leaks import leaks
from tests.cluster.model import KEY_VARIABLE, CountedModel
from voxmem.store.release import Release

Where = Literal["s3", "folder"]

BY_CLOCK = "walk-clock"
BY_EVENT = "walk-event"
EVERY = 20
"""Seconds between two looks at the catalogue, while the clock is shown."""
_PATIENCE = 180.0
"""Seconds that anything may take to happen by itself."""


class Walk:
    """One walk. Its steps are run in order, each once.

    Args:
        folder: Of everything.
        where: Whether the root is in the object store or a folder.
    """

    def __init__(self, folder: Path, model: CountedModel, where: Where = "s3") -> None:
        self.model = model
        self.catalogue = folder / "models.yaml"
        self.cluster = Cluster(
            folder,
            settings={KEY_VARIABLE: model.key, "VOXMEM_MODELS": str(self.catalogue)},
        )
        bucket = where == "s3"
        self.root = self.cluster.root if bucket else str(folder / "benchmark")
        self.files = self.cluster.s3.files / BUCKET / "benchmark" if bucket else Path(self.root)
        """The root's files, wherever they are."""
        self._list([])

    # --- the steps ----------------------------------------------------------------------------

    def set_up(self) -> str:
        """Pools, deployments, schedules, variables and automations; then the workers."""
        self._voxmem("bootstrap", "--root", self.root)
        again = json.loads(self._voxmem("bootstrap", "--root", self.root, "--json"))
        self.cluster.start_workers()
        self._voxmem("doctor")
        return str(again)[:80]

    def build(self) -> str:
        self._run("construct/demo")
        release = self.release
        return f"{release.counts['questions']} questions, release {release.release_id}"

    def score(self) -> str:
        for deployment in ("evaluate/cpu", "judge/cpu", "attribute/cpu", "analyze/cpu"):
            self._run(deployment)
        return f"a report of {self._report_size() / 1e6:.1f} MB"

    @property
    def release(self) -> Release:
        return facts.release_in(self.files)

    # --- by what means ------------------------------------------------------------------------

    def _run(self, deployment: str, **params: object) -> None:
        given = ["--param", f"params={json.dumps(params)}"] if params else []
        done = self.cluster.prefect("deployment", "run", deployment, "--watch", *given)
        assert done.returncode == 0, f"{deployment}: {done.stdout}{done.stderr}{self._logs()}"

    def _voxmem(self, *arguments: str) -> str:
        done = self.cluster.voxmem(*arguments)
        assert done.returncode == 0, f"voxmem {arguments[0]}: {done.stdout}{done.stderr}"
        return done.stdout

    def _list(self, names: Sequence[str]) -> None:
        entries = [self.model.entry(name) for name in names]
        self.catalogue.write_text(yaml.safe_dump({"models": entries}))

    def _report_size(self) -> int:
        return sum(path.stat().st_size for path in (self.files / "report").rglob("*.html"))

    def _logs(self) -> str:
        return "".join(f"\n--- {one.name}\n{one.said()[-3000:]}" for one in self.cluster.workers)


def wait_until(holds: Callable[[], bool], what: str, seconds: float = _PATIENCE) -> None:
    """Until it holds.

    Raises:
        AssertionError: It did not in time.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.5)
