"""What the checks of a server look at, asked for once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cluster import declared, deployments, variables
from flows.cluster.variables import Values

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.filters import FlowRunFilterState
    from prefect.client.schemas.objects import FlowRun, Worker, WorkPool
    from prefect.client.schemas.responses import DeploymentResponse

_SHOWN = 3
_PAGE = 200


@dataclass(frozen=True)
class Cluster:
    """A server that answers.

    Attributes:
        version: Of its Prefect.
        now: By this machine's clock.
    """

    client: SyncPrefectClient
    url: str
    version: str
    now: datetime

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Of the server; secrets in them are starred out."""
        settings: Mapping[str, Any] = self.client.request("GET", "/admin/settings").json()["server"]
        return settings

    @cached_property
    def pools(self) -> dict[str, WorkPool]:
        """Name → pool."""
        return {pool.name: pool for pool in self.client.read_work_pools(limit=_PAGE)}

    @cached_property
    def workers(self) -> dict[str, list[Worker]]:
        """Pool → its workers that are online."""
        from prefect.client.schemas.objects import WorkerStatus

        return {
            name: [
                worker
                for worker in self.client.read_workers_for_work_pool(name)
                if worker.status == WorkerStatus.ONLINE
            ]
            for name in self.pools
        }

    @cached_property
    def deployments(self) -> dict[str, DeploymentResponse]:
        """Ours, by ``flow/deployment``."""
        found = deployments.read(self.client)
        return {name: each for name, each in found.items() if "voxmem" in each.tags}

    @cached_property
    def values(self) -> Values:
        """The variables."""
        return variables.read(self.client)

    @property
    def root(self) -> str | None:
        """The root that its flows work on, if it says one; a relative one is below their home."""
        root = self.values.get("voxmem_root")
        if root is None or "://" in str(root):
            return None if root is None else str(root)
        return str(Path(str(self.values.get("voxmem_home", ""))) / str(root))

    @cached_property
    def late(self) -> list[FlowRun]:
        """Runs that should have begun."""
        return self.runs("Late")

    def runs(self, state: str) -> list[FlowRun]:
        """Flow runs of ours that are in the state of this name."""
        from prefect.client.schemas.filters import FlowRunFilterState, FlowRunFilterStateName

        return self._runs(FlowRunFilterState(name=FlowRunFilterStateName(any_=[state])))

    def runs_of_type(self, kind: str) -> list[FlowRun]:
        """Flow runs of ours in a state of this type, whatever its name (a Pending one may be called
        Submitting)."""
        from prefect.client.schemas.filters import FlowRunFilterState, FlowRunFilterStateType
        from prefect.client.schemas.objects import StateType

        return self._runs(FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType(kind)])))

    def _runs(self, state: FlowRunFilterState) -> list[FlowRun]:
        from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterTags

        return self.client.read_flow_runs(
            flow_run_filter=FlowRunFilter(state=state, tags=FlowRunFilterTags(all_=[declared.TAG])),
            limit=_PAGE,
        )


def listed(names: list[str]) -> str:
    """A few of them, and how many more."""
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
