"""What carries our name on the server and is declared no longer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flows.cluster import automations, declared, deployments, variables
from flows.cluster.change import Action, Change

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.responses import DeploymentResponse


def apply(
    client: SyncPrefectClient,
    there: Mapping[str, DeploymentResponse],
    ours: set[str],
    *,
    prune: bool,
    dry_run: bool,
) -> list[Change]:
    """Names them; removes them if that is asked for. Work pools are never removed.

    Args:
        there: The deployments of the server, by ``flow/deployment``.
        ours: Those that are declared.
    """
    action: Action = "removed" if prune else "left over"
    changes = []
    for name, each in sorted(there.items()):
        # Somebody's own deployment of a flow of ours is theirs: it lacks the tag.
        if declared.TAG in each.tags and name not in ours:
            changes.append(Change(deployments.KIND, name, action))
            if prune and not dry_run:
                client.delete_deployment(each.id)
    current = {entry["name"] for entry in declared.automations()}
    for automation in sorted(client.read_automations(limit=200), key=lambda each: each.name):
        name = automation.name
        if name.startswith(f"{declared.TAG} ") and name not in current:
            changes.append(Change(automations.KIND, name, action))
            if prune and not dry_run:
                client.delete_automation(automation.id)
    known = {each.name for each in declared.variables()}
    for variable in sorted(client.read_variables(limit=200), key=lambda each: each.name):
        if variable.name.startswith(f"{declared.TAG}_") and variable.name not in known:
            changes.append(Change(variables.KIND, variable.name, action))
            if prune and not dry_run:
                client.delete_variable_by_name(variable.name)
    return changes
