"""The steps of the walk (`tests.cluster.walk`), each with what it asserts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import yaml

from tests.cluster import facts
from tests.cluster.cluster import BUCKET, Cluster
from tests.cluster.leaks import leaks
from tests.cluster.model import KEY_VARIABLE, CountedModel
from voxmem.errors import InputError
from voxmem.store.release import Release

Where = Literal["s3", "folder"]

BY_CLOCK, BY_EVENT = "clocked", "registered"
"""The two models that come later."""
OFTEN = "* * * * *"
"""Every minute."""
_PATIENCE = 600.0
"""Seconds that anything may take to happen by itself."""


class Walk:
    """One walk. Its steps are run in order, each once; each returns what came of it, in words.

    Args:
        folder: Of everything.
        where: Whether the root is in the object store or a folder.
    """

    def __init__(self, folder: Path, model: CountedModel, where: Where = "s3") -> None:
        self.model = model
        bucket = where == "s3"
        self.catalogue = (folder / "buckets" / BUCKET if bucket else folder) / "models.yaml"
        named = f"s3://{BUCKET}/models.yaml" if bucket else str(self.catalogue)
        self.cluster = Cluster(folder, settings={KEY_VARIABLE: model.key, "VOXMEM_MODELS": named})
        self.root = self.cluster.root if bucket else str(folder / "benchmark")
        self.files = self.cluster.s3.files / BUCKET / "benchmark" if bucket else Path(self.root)
        """The root's files, wherever it is."""
        self._list([])

    def bootstrap(self) -> str:
        """Pools, deployments, schedules, variables and automations; a second time, nothing."""
        first = self._bootstrap("--root", self.root, "--no-schedule")
        again = self._bootstrap()
        assert again["changed"] == 0, again["changes"]
        return f"{first['changed']} things made, and none the second time"

    def start_workers(self) -> str:
        self.cluster.start_workers()
        return ", ".join(worker.name for worker in self.cluster.workers)

    def build(self) -> str:
        self.run("construct/demo")
        release = facts.release_in(self.files)
        return f"{release.release_id}, {release.counts['questions']} questions"

    def run(self, deployment: str) -> str:
        """A deployment, to its end."""
        done = self.cluster.prefect("deployment", "run", deployment, "--watch")
        assert done.returncode == 0, f"{deployment}: {done.stdout}{done.stderr}{self._logs()}"
        return "completed"

    def first_night(self) -> str:
        """The schedule is switched on. Everything is there: only the report is written."""
        self._bootstrap("--schedule", OFTEN)
        self._wait_for_edition(1)
        (first,) = facts.editions(self.files)
        assert not {BY_CLOCK, BY_EVENT} & first["entrants"].keys()
        return f"the schedule {OFTEN!r} wrote a report of {len(first['entrants'])} systems"

    def by_clock(self) -> str:
        """A line in the catalogue, and nothing else. Once it was seen the schedule is off again."""
        begun = time.monotonic()
        self._list([BY_CLOCK])
        self._wait(
            lambda: bool(facts.flow_runs(self.cluster, tags={"all_": [f"model:{BY_CLOCK}"]})),
            f"a run of {BY_CLOCK}",
        )
        seen = time.monotonic() - begun
        self._bootstrap("--no-schedule")
        return f"seen after {seen:.0f} s, {self._found(BY_CLOCK, edition=2)}"

    def by_event(self) -> str:
        """A model is registered: nobody waits for the clock, which is off."""
        entry = self.cluster.folder / "entry.yaml"
        entry.write_text(yaml.safe_dump({"models": [self.model.entry(BY_EVENT)]}))
        self._voxmem("models", "register", str(entry))
        return self._found(BY_EVENT, edition=3)

    def nothing_to_do(self) -> str:
        """A look at what is complete starts nothing."""
        self._quiet()
        before = len(facts.flow_runs(self.cluster))
        begun = time.monotonic()
        self.run("reevaluate/nightly")
        seconds = time.monotonic() - begun
        self._quiet()
        after = len(facts.flow_runs(self.cluster))
        assert after == before + 1, f"{after - before - 1} runs were started"
        return f"the run itself, of {seconds:.1f} s, and no other"

    def inspect(self) -> str:
        """Nothing failed, nothing hangs, both workers took part, and every item was asked once."""
        assert not facts.ended_badly(self.cluster), facts.ended_badly(self.cluster)
        assert not facts.unended(self.cluster), facts.unended(self.cluster)
        taken = {worker.name: len(set(facts.taken(worker))) for worker in self.cluster.workers}
        assert all(taken.values()), taken
        runs = facts.flow_runs(self.cluster)
        again = [run["name"] for run in runs if run["run_count"] > 1]
        assert not again, f"run more than once: {again}"
        took = " and ".join(f"{name} took {count}" for name, count in taken.items())
        return f"{len(runs)} flow runs completed, {took}"

    def search_secrets(self) -> str:
        secrets = {**self.cluster.secrets, "the model's key": self.model.key}
        found = leaks(secrets, self.cluster.folder, self.cluster.postgres.dump())
        assert not found, found
        return f"{len(secrets)} of them found nowhere"

    def compare(self, undisturbed: Release) -> str:
        release = facts.release_in(self.files)
        assert release.manifest_hash == undisturbed.manifest_hash
        assert release.release_id == undisturbed.release_id
        return f"{release.release_id} is the undisturbed build's"

    def _found(self, model: str, *, edition: int) -> str:
        """Waits until a model is in a report, and asserts that all of it was done, once."""
        self._wait_for_edition(edition)
        assert model in facts.editions(self.files)[-1]["entrants"]
        page = (self.files / "report" / "leaderboard.html").read_text()
        assert f"new: {model} (2K, 4K, 8K, 16K)." in page, "the leaderboard does not say it is new"
        release = facts.release_in(self.files)
        each = release.counts["questions"]
        answered = facts.responses(self.files, model)
        assert answered == {(budget, "ok"): each for budget, _ in answered}, answered
        assert len(answered) == 4, answered
        judged = facts.judged(self.files, model)
        assert judged.total() == answered.total(), judged
        assert {status for _, status in judged} <= {"correct", "incorrect"}, judged
        asked = self.model.asked(model)
        assert len(asked) == answered.total(), f"{len(asked)} items were asked"
        assert asked.total() == len(asked), f"{asked.total() - len(asked)} were asked again"
        return f"{asked.total()} items asked once and judged; the leaderboard shows it as new"

    def _wait_for_edition(self, number: int) -> None:
        def is_there() -> bool:
            with suppress(InputError):  # it is being written
                return len(facts.editions(self.files)) == number
            return False

        self._wait(is_there, f"the report {number} of the re-evaluation")

    def _bootstrap(self, *options: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(self._voxmem("bootstrap", "--json", *options))
        return found

    def _voxmem(self, *arguments: str) -> str:
        done = self.cluster.voxmem(*arguments)
        assert done.returncode == 0, f"voxmem {arguments[0]}: {done.stdout}{done.stderr}"
        return done.stdout

    def _list(self, names: Sequence[str]) -> None:
        entries = [self.model.entry(name) for name in names]
        self.catalogue.write_text(yaml.safe_dump({"models": entries}))

    def _quiet(self) -> None:
        """Until what was started has ended, and what that has woken."""
        for _ in range(3):
            self._wait(lambda: not facts.unended(self.cluster), "the end of all runs")
            time.sleep(2.0)

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not holds():
            bad = facts.ended_badly(self.cluster)
            assert not bad, f"before {what}: {bad}{self._logs()}"
            assert time.monotonic() < deadline, f"not within {_PATIENCE:.0f} s: {what}"
            time.sleep(0.5)

    def _logs(self) -> str:
        return "".join(f"\n--- {one.name}\n{one.said()[-3000:]}" for one in self.cluster.workers)
