"""``voxmem bootstrap``: a server is given what it lacks, and says what has changed."""

from __future__ import annotations

from flows.cluster import (
    automations,
    deployments,
    leftovers,
    pools,
    schedules,
    variables,
)
from flows.cluster.api import client
from flows.cluster.change import Change
from flows.cluster.sound import sound
from flows.cluster.wishes import Wishes


def bootstrap(wishes: Wishes) -> list[Change]:
    """Creates or updates everything that is declared. Twice in a row, the second changes nothing.

    Raises:
        UsageError: A wish names what does not exist, or what cannot be changed or meant; so does
            the shell's environment, or a variable that is there. Nothing was written then.
        EngineError: The server cannot be reached, or refuses something.
    """
    if wishes.schedule is not None:
        schedules.check_cron(wishes.schedule)
    with client() as server:
        stored = variables.read(server)
        values = variables.values(stored, wishes.variables)
        values = {name: sound(name, value) for name, value in values.items()}
        notify = values.get("voxmem_notify")
        block = automations.find_block(server, str(notify)) if notify else None
        changes, kinds = pools.apply(server, wishes)
        changes += variables.apply(server, stored, values, dry_run=wishes.dry_run)
        deployed = deployments.apply(server, values, kinds, wishes)
        there = deployments.read(server)
        changes += [*deployed, *automations.apply(server, there, block, dry_run=wishes.dry_run)]
        ours = {change.name for change in deployed if change.kind == deployments.KIND}
        changes += leftovers.apply(server, there, ours, prune=wishes.prune, dry_run=wishes.dry_run)
    return changes
