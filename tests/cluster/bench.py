"""The cluster that trials are made on: started once, with deployments, a slow model and a proxy
before the object store that can be made to fail."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import httpx

from tests.cluster.cluster import BUCKET, Cluster
from tests.cluster.services import Worker
from tests.cluster.work import Construct, Evaluate, Work, catalogue, model_server
from tests.models.fake_openai import FakeOpenAI
from tests.store.faults import Proxy, proxy

HEARTBEAT = 30
"""Seconds between two signs of life of a run: the least that Prefect has."""
SILENCE = 70
"""Seconds after which our copy of the automation says that a run is dead; 300 where it ships."""
_FINAL = frozenset({"COMPLETED", "FAILED", "CRASHED", "CANCELLED"})

Kind = Literal["s3", "folder"]


@dataclass(frozen=True)
class FlowRun:
    """A flow run as the server knows it."""

    id: str
    name: str
    state: str
    state_name: str
    message: str
    created: datetime

    @property
    def is_final(self) -> bool:
        return self.state in _FINAL


@dataclass
class Bench:
    """A running cluster, and the work that is done on it.

    Attributes:
        kind: Where roots are: in the object store, or in a folder.
        also: Runs that a fault has started besides; cleared with every trial.
    """

    cluster: Cluster
    chat: FakeOpenAI
    proxy: Proxy
    kind: Kind
    also: list[FlowRun] = field(default_factory=list)
    _roots: int = 0
    _deployments: dict[str, str] = field(default_factory=dict)

    def root(self, name: str) -> tuple[Path, str]:
        """A new root: the folder where its files are, and what a deployment calls it."""
        self._roots += 1
        name = f"{self._roots:02}-{name}"
        if self.kind == "folder":
            folder = self.cluster.folder / "roots" / name
            return folder, str(folder)
        return self.cluster.s3.files / BUCKET / name, f"s3://{BUCKET}/{name}"

    def construct(self, folder: Path, uri: str) -> Construct:
        """A build in a root."""
        return Construct(folder, uri)

    def evaluate(self, folder: Path, uri: str, release: Path) -> Evaluate:
        """An evaluation in a copy of a built root."""
        return Evaluate(folder, uri, release, self.chat)

    def busy(self) -> Worker:
        """The worker that has a flow run."""
        [found] = [worker for worker in self.cluster.workers if worker.flow_runs()]
        return found

    def start(self, work: Work, deployment: str = "") -> FlowRun:
        """Asks a deployment for some work."""
        made = self.cluster.ask(
            f"deployments/{self._deployment(deployment or work.deployment)}/create_flow_run",
            parameters={"params": work.parameters},
            state={"type": "SCHEDULED"},
            tags=["voxmem"],
        )
        return _flow_run(made)

    def look(self, ids: Sequence[str]) -> list[FlowRun]:
        """These runs, as they are now; waits for a server that is away."""
        found = self._ask("flow_runs/filter", flow_runs={"id": {"any_": list(ids)}})
        return sorted(map(_flow_run, found), key=lambda run: ids.index(run.id))

    def ended(self, runs: Iterable[FlowRun], patience: float) -> list[FlowRun]:
        """The runs as they ended.

        Raises:
            TimeoutError: One did not.
        """
        ids, deadline = [run.id for run in runs], time.monotonic() + patience
        while True:
            found = self.look(ids)
            if all(run.is_final for run in found):
                return found
            if time.monotonic() > deadline:
                said = ", ".join(f"{run.name} is {run.state_name}" for run in found)
                raise TimeoutError(f"after {patience:.0f} s: {said}")
            time.sleep(0.5)

    def logs(self, run: FlowRun) -> list[str]:
        """What a run has logged."""
        rows = self._ask(
            "logs/filter", logs={"flow_run_id": {"any_": [run.id]}}, sort="TIMESTAMP_ASC", limit=200
        )
        return [row["message"] for row in rows]

    def _deployment(self, name: str) -> str:
        if name not in self._deployments:
            flow, _, own = name.partition("/")
            [found] = self._ask(
                "deployments/filter",
                flows={"name": {"any_": [flow]}},
                deployments={"name": {"any_": [own]}},
            )
            self._deployments[name] = found["id"]
        return self._deployments[name]

    def _ask(self, path: str, **body: Any) -> Any:
        deadline = time.monotonic() + 120
        while True:
            try:
                return self.cluster.ask(path, **body)
            except (httpx.TransportError, httpx.HTTPStatusError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)


@contextmanager
def bench(folder: Path, kind: Kind = "s3") -> Iterator[Bench]:
    """A cluster of two workers with all deployments; about a minute."""
    with ExitStack() as stack:
        chat = stack.enter_context(model_server())
        settings = {
            **catalogue(folder, chat),
            "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT),
        }
        cluster = stack.enter_context(Cluster(folder, settings=settings))
        before = stack.enter_context(proxy(cluster.s3.url))
        for environment in (
            cluster.environment,
            *(worker.environment for worker in cluster.workers),
        ):
            environment["AWS_ENDPOINT_URL"] = before.endpoint
        done = cluster.voxmem("bootstrap")
        assert done.returncode == 0, done.stdout + done.stderr
        shorten_silence(cluster)
        cluster.start_workers()
        yield Bench(cluster, chat, before, kind)


def shorten_silence(cluster: Cluster) -> None:
    """The automation that finds dead runs waits for two heartbeats instead of ten."""
    [found] = [row for row in cluster.ask("automations/filter") if "zombie" in row["name"]]
    found["trigger"]["within"] = SILENCE
    kept = ("name", "description", "enabled", "trigger", "actions")
    user, _, password = cluster.server.auth.partition(":")
    httpx.put(
        f"{cluster.server.url}/automations/{found['id']}",
        json={name: found[name] for name in kept},
        auth=(user, password),
        trust_env=False,
    ).raise_for_status()


def _flow_run(row: dict[str, Any]) -> FlowRun:
    state = row.get("state") or {}
    return FlowRun(
        id=row["id"],
        name=row["name"],
        state=row.get("state_type") or "",
        state_name=row.get("state_name") or "",
        message=state.get("message") or "",
        created=datetime.fromisoformat(row["created"].replace("Z", "+00:00")).astimezone(UTC),
    )
