"""Work pools: a limit and defaults that were set on the server stay."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from flows.cluster import declared
from flows.cluster.change import Change, differences, settled, short
from flows.cluster.wishes import Wishes
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.objects import WorkPool

KIND = "work pool"
Kinds = dict[str, str]


def apply(client: SyncPrefectClient, wishes: Wishes) -> tuple[list[Change], Kinds]:
    """Creates and updates the pools. Returns also pool → infrastructure.

    Raises:
        UsageError: A pool or infrastructure does not exist, or a pool has another one already.
    """
    there = {pool.name: pool for pool in client.read_work_pools(limit=200)}
    kinds = infrastructures(there, wishes)
    changes = []
    for pool in declared.pools():
        template = pool.template(kinds[pool.name], wishes.image)
        found = there.get(pool.name)
        change = (
            created(pool, kinds[pool.name])
            if found is None
            else updated(pool, found, template, image=wishes.image)
        )
        if change.is_change and not wishes.dry_run:
            _write(client, pool, found, kinds[pool.name], template)
        changes.append(change)
    return changes, kinds


def infrastructures(there: dict[str, WorkPool], wishes: Wishes) -> Kinds:
    """Pool → what it runs flows in: as asked for, else as it is, else a process."""
    names = [pool.name for pool in declared.pools()]
    for name, kind in [*wishes.pools.items(), ("", wishes.infrastructure or "process")]:
        if name and name not in names:
            raise UsageError(f"no pool is called {name!r}", remedy=f"one of {', '.join(names)}")
        if kind not in declared.INFRASTRUCTURES:
            raise UsageError(
                f"no infrastructure is called {kind!r}",
                remedy=f"one of {', '.join(declared.INFRASTRUCTURES)}",
            )
    return {name: _infrastructure(name, there.get(name), wishes) for name in names}


def _infrastructure(name: str, found: WorkPool | None, wishes: Wishes) -> str:
    asked = wishes.pools.get(name) or wishes.infrastructure
    if found is None:
        return asked or "process"
    if found.type not in declared.INFRASTRUCTURES or asked not in (None, found.type):
        raise UsageError(
            f"the pool is of type {found.type} already, and a pool's type cannot be changed",
            item=name,
            stage="bootstrap",
            remedy=f"prefect work-pool delete {name}, then voxmem bootstrap again",
        )
    return found.type


def created(pool: declared.Pool, kind: str) -> Change:
    """The change of a pool that is not there."""
    fields = {"type": (None, kind), "limit": (None, f"limit {pool.limit}")}
    return Change(KIND, pool.name, "created", fields)


def updated(
    pool: declared.Pool, found: WorkPool, template: dict[str, Any], *, image: str | None
) -> Change:
    """The change of a pool that is there; ``template`` becomes the one it shall have."""
    kept = keep_defaults(template, found.base_job_template, replace={"image"} if image else set())
    fields = differences({"template": found.base_job_template}, {"template": template})
    if found.description != pool.description:
        fields["description"] = (found.description, pool.description)
    if found.concurrency_limit is None:
        fields["limit"] = (None, pool.limit)
    elif found.concurrency_limit != pool.limit:
        kept.append(f"limit {found.concurrency_limit} ({pool.limit} is declared)")
    if found.is_paused:
        kept.append("paused")
    return settled(KIND, pool.name, fields, tuple(kept))


def keep_defaults(template: dict[str, Any], there: dict[str, Any], replace: set[str]) -> list[str]:
    """Puts the defaults that a server has into a template, and returns how they differ.

    Args:
        replace: Variables of the template whose default is asked for.
    """
    kept = []
    before = there.get("variables", {}).get("properties", {})
    for name, variable in template["variables"]["properties"].items():
        if name in replace or "default" not in before.get(name, {}):
            continue
        old, new = before[name]["default"], variable.get("default")
        if isinstance(old, dict) and isinstance(new, dict):
            old = {**new, **old}
        if old != new:
            kept.append(_kept(name, old, new))
        variable["default"] = deepcopy(old)
    return kept


def _kept(name: str, old: Any, new: Any) -> str:
    """Of a mapping the keys alone: in an environment there may be a secret."""
    if isinstance(old, dict):
        return f"{name}: {', '.join(differences(old, new if isinstance(new, dict) else {}))}"
    return f"{name} {short(old)} ({short(new)} is declared)"


def _write(
    client: SyncPrefectClient,
    pool: declared.Pool,
    found: WorkPool | None,
    kind: str,
    template: dict[str, Any],
) -> None:
    from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate

    if found is None:
        client.create_work_pool(
            WorkPoolCreate(
                name=pool.name,
                type=kind,
                description=pool.description,
                base_job_template=template,
                concurrency_limit=pool.limit,
            )
        )
        return
    limit = found.concurrency_limit
    client.update_work_pool(
        pool.name,
        WorkPoolUpdate(
            description=pool.description,
            base_job_template=template,
            concurrency_limit=pool.limit if limit is None else limit,
        ),
    )
