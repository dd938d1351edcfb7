"""A server's pools, deployments, variables and automations in memory, behind Prefect's client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

from prefect.client.schemas.objects import (
    ConcurrencyOptions,
    DeploymentSchedule,
    Flow,
    Variable,
    WorkPool,
)
from prefect.client.schemas.responses import DeploymentResponse, GlobalConcurrencyLimitResponse
from prefect.events.schemas.automations import Automation
from prefect.exceptions import ObjectNotFound
from prefect.utilities.schema_tools.validation import validate


class FakeServer:
    """What the client's methods that a bootstrap uses would do to a server; counts its writes."""

    def __init__(self) -> None:
        self.pools: dict[str, WorkPool] = {}
        self.flows: dict[str, Flow] = {}
        self.deployments: dict[UUID, DeploymentResponse] = {}
        self.variables: dict[str, Any] = {}
        self.automations: dict[UUID, Automation] = {}
        self.writes = 0

    @contextmanager
    def opened(self) -> Iterator[FakeServer]:
        yield self

    def deployment(self, name: str) -> DeploymentResponse:
        flow, _, own = name.partition("/")
        [found] = [
            each
            for each in self.deployments.values()
            if each.name == own and each.flow_id == self.flows[flow].id
        ]
        return found

    def automation(self, name: str) -> Automation:
        [found] = [each for each in self.automations.values() if each.name == name]
        return found

    def read_work_pools(self, limit: int) -> list[WorkPool]:
        return list(self.pools.values())

    def create_work_pool(self, pool: Any) -> None:
        self.writes += 1
        self.pools[pool.name] = WorkPool(id=uuid4(), **pool.model_dump(exclude_unset=True))

    def update_work_pool(self, name: str, change: Any) -> None:
        self.writes += 1
        fields = change.model_dump(exclude_unset=True)
        self.pools[name] = self.pools[name].model_copy(update=fields)

    def read_variables(self, limit: int) -> list[Variable]:
        return [Variable(name=name, value=value) for name, value in self.variables.items()]

    def create_variable(self, variable: Any) -> None:
        self.writes += 1
        self.variables[variable.name] = variable.value

    update_variable = create_variable

    def delete_variable_by_name(self, name: str) -> None:
        self.writes += 1
        del self.variables[name]

    def create_flow_from_name(self, name: str) -> UUID:
        return self.flows.setdefault(name, Flow(id=uuid4(), name=name)).id

    def read_flows(self, limit: int, offset: int) -> list[Flow]:
        return list(self.flows.values())[offset : offset + limit]

    def read_deployments(self, limit: int, offset: int) -> list[DeploymentResponse]:
        return list(self.deployments.values())[offset : offset + limit]

    def create_deployment(
        self,
        flow_id: UUID,
        name: str,
        concurrency_limit: int,
        concurrency_options: ConcurrencyOptions,
        **fields: Any,
    ) -> UUID:
        self.writes += 1
        assert fields["work_pool_name"] in self.pools
        made = DeploymentResponse(
            id=uuid4(),
            flow_id=flow_id,
            name=name,
            labels={},
            concurrency_options=concurrency_options,
            global_concurrency_limit=_limit(concurrency_limit),
            **fields,
        )
        self.deployments[made.id] = made
        return made.id

    def update_deployment(self, known: UUID, change: Any) -> None:
        self.writes += 1
        fields = {name: getattr(change, name) for name in change.model_fields_set}
        if "concurrency_limit" in fields:
            fields["global_concurrency_limit"] = _limit(fields.pop("concurrency_limit"))
        made = self.deployments[known].model_copy(update=fields)
        if made.enforce_parameter_schema:
            _enforce(made)
        self.deployments[known] = made

    def delete_deployment(self, known: UUID) -> None:
        self.writes += 1
        del self.deployments[known]

    def create_deployment_schedules(self, known: UUID, schedules: list[Any]) -> None:
        self.writes += 1
        for each in schedules:
            made = DeploymentSchedule(
                id=uuid4(), schedule=each.schedule, active=each.active, slug=each.slug
            )
            self.deployments[known].schedules.append(made)

    def update_deployment_schedule(
        self, known: UUID, schedule_id: UUID, active: bool | None, schedule: Any
    ) -> None:
        self.writes += 1
        [found] = [each for each in self.deployments[known].schedules if each.id == schedule_id]
        found.active = found.active if active is None else active
        found.schedule = schedule or found.schedule

    def read_automations(self, limit: int) -> list[Automation]:
        return list(self.automations.values())

    def create_automation(self, automation: Any) -> None:
        self.writes += 1
        made = Automation(id=uuid4(), **automation.model_dump())
        self.automations[made.id] = made

    def update_automation(self, known: UUID, automation: Any) -> None:
        self.writes += 1
        self.automations[known] = Automation(id=known, **automation.model_dump())

    def delete_automation(self, known: UUID) -> None:
        self.writes += 1
        del self.automations[known]

    def read_block_document_by_name(self, name: str, kind: str) -> Any:
        raise ObjectNotFound(LookupError(name))


def _enforce(made: DeploymentResponse) -> None:
    """As a server does, whose client would raise an HTTPStatusError."""
    form = made.parameter_openapi_schema or {}
    validate(made.parameters, form, raise_on_error=True, ignore_required=True)


def _limit(limit: int) -> GlobalConcurrencyLimitResponse:
    return GlobalConcurrencyLimitResponse(
        id=uuid4(), name="deployment", limit=limit, active=True, active_slots=0,
        slot_decay_per_second=0.0,
    )  # fmt: skip
