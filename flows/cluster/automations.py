"""Automations: one that was switched off stays off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flows.cluster import declared
from flows.cluster.change import Change, differences, settled
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.events.schemas.automations import Automation, AutomationCore

KIND = "automation"
Block = tuple[str, Any]
"""Type and id of a block of the server that messages go through."""


def find_block(client: SyncPrefectClient, name: str) -> Block:
    """The block that is called TYPE/NAME.

    Raises:
        UsageError: There is none.
    """
    from prefect.exceptions import ObjectNotFound

    kind, _, block = name.partition("/")
    try:
        return kind, client.read_block_document_by_name(block, kind).id
    except ObjectNotFound:
        raise UsageError(
            f"the server has no block {name!r}",
            item="voxmem_notify",
            remedy="make one in the dashboard (Blocks), and name it as TYPE/NAME",
        ) from None


def apply(
    client: SyncPrefectClient,
    deployments: Mapping[str, Any],
    block: Block | None,
    *,
    dry_run: bool,
) -> list[Change]:
    """Creates and updates the automations.

    Args:
        deployments: ``flow/deployment`` → what the server has under that name.
        block: What failures are told through.
    """
    there = {each.name: each for each in client.read_automations(limit=200)}
    changes = []
    for entry in declared.automations():
        missing = [
            action["deployment"]
            for action in entry["actions"]
            if action.get("deployment", "") not in ("", *deployments)
        ]
        if missing and dry_run:  # it would be created just before
            changes.append(Change(KIND, entry["name"], "created"))
            continue
        wanted = resolved(entry, {name: each.id for name, each in deployments.items()}, block)
        change = _settled(wanted, there.get(wanted.name))
        if change.is_change and not dry_run:
            _write(client, wanted, there.get(wanted.name))
        changes.append(change)
    return changes


def resolved(
    entry: Mapping[str, Any], deployments: Mapping[str, Any], block: Block | None
) -> AutomationCore:
    """An automation as the server takes it, its deployments and blocks by id.

    Args:
        block: What messages go through; without one, what would be told is only an entry in the
            server's feed of events.
    """
    from prefect.events.schemas.automations import AutomationCore

    actions = [_action(dict(action), deployments, block) for action in entry["actions"]]
    return AutomationCore.model_validate({**entry, "actions": actions})


def _action(
    action: dict[str, Any], deployments: Mapping[str, Any], block: Block | None
) -> dict[str, Any]:
    if "deployment" in action:
        name = action.pop("deployment")
        return {**action, "source": "selected", "deployment_id": str(deployments[name])}
    if action["type"] != "notify":
        return action
    if block is None:
        return {"type": "do-nothing"}
    kind, known = block
    if kind == "webhook":
        text = {"text": f"{action['subject']}\n{action['body']}"}
        return {"type": "call-webhook", "block_document_id": str(known), "payload": _json(text)}
    return {**action, "type": "send-notification", "block_document_id": str(known)}


def _json(value: Any) -> str:
    import json

    return json.dumps(value)


def _settled(wanted: AutomationCore, found: Automation | None) -> Change:
    if found is None:
        return Change(KIND, wanted.name, "created")
    fields = differences(_plain(found), _plain(wanted))
    return settled(KIND, wanted.name, fields, () if found.enabled else ("off",))


def _plain(automation: AutomationCore) -> dict[str, Any]:
    names = {"description", "trigger", "actions"}
    plain = automation.model_dump(mode="json", include=names)
    trigger = plain["trigger"]
    trigger.pop("id", None)  # every reading makes a new one
    return plain | {"trigger": {name: _ordered(value) for name, value in trigger.items()}}


def _ordered(value: Any) -> Any:
    """What a trigger lists are sets, which come in any order."""
    return sorted(value) if isinstance(value, list) else value


def _write(client: SyncPrefectClient, wanted: AutomationCore, found: Automation | None) -> None:
    if found is None:
        client.create_automation(wanted)
    else:
        client.update_automation(found.id, wanted.model_copy(update={"enabled": found.enabled}))
