"""Deployments: pauses, limits, schedules, tags and parameters that were added, stay.

A parameter stays for as long as it fits the form of its flow: a server takes no other.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx

from flows.cluster import declared, schedules
from flows.cluster.api import refused
from flows.cluster.change import Change, differences, settled
from flows.cluster.fitting import fitting
from flows.cluster.pools import Kinds
from flows.cluster.variables import Values
from flows.cluster.wishes import Wishes
from voxmem.errors import EngineError
from voxmem.installed import installed_version

if TYPE_CHECKING:
    from prefect import Flow
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.responses import DeploymentResponse

KIND = "deployment"
_IMAGE_HOME = "/data"
"""The folder that the images of docker/ work in."""
_PAGE = 200


@dataclass(frozen=True)
class Wanted:
    """One deployment as it is declared, with its flow."""

    entry: Mapping[str, Any]

    @cached_property
    def flow(self) -> Flow[..., Any]:
        """The flow that it runs."""
        module, _, name = self.entry["entrypoint"].rpartition(".")
        try:
            found: Flow[..., Any] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise EngineError(
                f"its flow cannot be imported: {error}",
                item=self.entry["entrypoint"],
                stage="bootstrap",
                remedy="install voxmem again; a bootstrap needs what the flows need",
            ) from error
        return found

    @property
    def name(self) -> str:
        """``flow/deployment``."""
        return f"{self.flow.name}/{self.entry['name']}"

    @property
    def pool(self) -> str:
        """The work pool it runs on."""
        return str(self.entry["work_pool"]["name"])

    @property
    def limit(self) -> int:
        """How many of its runs go on at a time, to begin with."""
        return int(self.entry["concurrency_limit"]["limit"])

    def fields(self) -> dict[str, Any]:
        """What is ours on the server, by the names that its API has."""
        return {
            "version": self.entry["version"],
            "description": self.entry["description"],
            "entrypoint": self.entry["entrypoint"],
            "work_pool_name": self.pool,
            "pull_steps": self.entry["pull"],
            "parameters": self.entry.get("parameters", {}),
            "tags": list(self.entry["tags"]),
            "parameter_openapi_schema": form(self.flow),
            "enforce_parameter_schema": True,
            "concurrency_options": {
                "collision_strategy": self.entry["concurrency_limit"]["collision_strategy"]
            },
        }


@cache
def form(flow: Flow[..., Any]) -> dict[str, Any]:
    """The schema of a flow's parameters: its run form. Not to be changed."""
    from prefect.utilities.callables import parameter_schema

    return parameter_schema(flow).model_dump(mode="json")


def wanted(values: Values, kinds: Kinds) -> list[Wanted]:
    """What is declared, for a server with these variables and pools."""
    found = []
    for kind in dict.fromkeys(kinds.values()):
        shell = {
            "VOXMEM_ROOT": str(values["voxmem_root"]),
            "VOXMEM_RELEASE": str(values["voxmem_release"]),
            "VOXMEM_HOME": str(values["voxmem_home"]) if kind == "process" else _IMAGE_HOME,
            "VOXMEM_VERSION": installed_version(),
        }
        entries = map(Wanted, declared.deployments(shell))
        found += [each for each in entries if kinds[each.pool] == kind]
    return found


def read(client: SyncPrefectClient) -> dict[str, DeploymentResponse]:
    """Every deployment of the server, by ``flow/deployment``."""
    flows: dict[UUID, str] = {}
    while page := client.read_flows(limit=_PAGE, offset=len(flows)):
        flows |= {flow.id: flow.name for flow in page}
    found: list[DeploymentResponse] = []
    while part := client.read_deployments(limit=_PAGE, offset=len(found)):
        found += part
    return {f"{flows[each.flow_id]}/{each.name}": each for each in found}


def apply(client: SyncPrefectClient, values: Values, kinds: Kinds, wishes: Wishes) -> list[Change]:
    """Creates and updates the deployments with their schedules."""
    there = read(client)
    changes = []
    for each in wanted(values, kinds):
        found = there.get(each.name)
        change = created(each) if found is None else updated(each, found)
        known = None if found is None else found.id
        if change.is_change and not wishes.dry_run:
            try:
                known = _write(client, each, found, change)
            except httpx.HTTPStatusError as error:
                raise refused(error.response, each.name) from None
        changes.append(change)
        listed = each.entry["schedules"]
        changes += schedules.apply(client, each.name, known, listed, found, wishes)
    return changes


def created(each: Wanted) -> Change:
    """The change of a deployment that is not there."""
    fields = {"pool": (None, f"pool {each.pool}"), "version": (None, each.entry["version"])}
    return Change(KIND, each.name, "created", fields)


def updated(each: Wanted, found: DeploymentResponse) -> Change:
    """The change of a deployment that is there."""
    fields = differences(_before(found), _after(each, found))
    kept = ["paused"] if found.paused else []
    limit = found.global_concurrency_limit
    if limit is None:
        fields["concurrency_limit"] = (None, each.limit)
    elif limit.limit != each.limit:
        kept.append(f"limit {limit.limit} ({each.limit} is declared)")
    _, dropped = _parameters(each, found)
    return settled(KIND, each.name, fields, tuple(kept), dropped)


def _before(found: DeploymentResponse) -> dict[str, Any]:
    options = found.concurrency_options
    return {
        "version": found.version,
        "description": found.description,
        "entrypoint": found.entrypoint,
        "work_pool_name": found.work_pool_name,
        "pull_steps": found.pull_steps,
        "parameters": found.parameters,
        "tags": found.tags,
        "parameter_openapi_schema": found.parameter_openapi_schema,
        "enforce_parameter_schema": found.enforce_parameter_schema,
        "concurrency_options": options and {"collision_strategy": options.collision_strategy.value},
    }


def _after(each: Wanted, found: DeploymentResponse) -> dict[str, Any]:
    fields = each.fields()
    fields["tags"] = [*found.tags, *(tag for tag in fields["tags"] if tag not in found.tags)]
    fields["parameters"], _ = _parameters(each, found)
    return fields


def _parameters(each: Wanted, found: DeploymentResponse) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What it shall have: what is declared, and what was added and fits. And what does not."""
    ours = each.entry.get("parameters", {})
    theirs, dropped = fitting(each.flow, found.parameters)
    # What fits by itself may be at odds with what is declared.
    both, more = fitting(each.flow, _added(theirs, ours))
    return _added(both, ours), dropped + more


def _added(before: Any, declared_value: Any) -> Any:
    """What is declared, and what was added to it on the server."""
    if not (isinstance(before, Mapping) and isinstance(declared_value, Mapping)):
        return declared_value
    inner = {key: _added(before.get(key), value) for key, value in declared_value.items()}
    return {**before, **inner}


def _write(
    client: SyncPrefectClient, each: Wanted, found: DeploymentResponse | None, change: Change
) -> UUID:
    from prefect.client.schemas.actions import DeploymentUpdate
    from prefect.client.schemas.objects import ConcurrencyOptions

    fields = each.fields() if found is None else _after(each, found)
    options = ConcurrencyOptions(**fields.pop("concurrency_options"))
    if found is None:
        flow_id = client.create_flow_from_name(each.flow.name)
        return client.create_deployment(
            flow_id=flow_id,
            name=each.entry["name"],
            concurrency_limit=each.limit,
            concurrency_options=options,
            **fields,
        )
    if "concurrency_limit" in change.fields:
        fields["concurrency_limit"] = each.limit
    client.update_deployment(found.id, DeploymentUpdate(concurrency_options=options, **fields))
    return found.id
