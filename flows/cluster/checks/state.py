"""What a bootstrap gave the server: it is there, as declared, and of this code."""

from __future__ import annotations

from collections.abc import Iterator

from flows.cluster import declared
from flows.cluster.bootstrap import bootstrap
from flows.cluster.checks.cluster import Cluster, listed
from flows.cluster.wishes import Wishes
from voxmem.health.finding import Finding
from voxmem.installed import installed_version

_SECRET = ("KEY", "SECRET", "TOKEN", "PASSWORD", "AUTH_STRING")


def as_declared(cluster: Cluster) -> Iterator[Finding]:
    """What a bootstrap would change."""
    changes = bootstrap(Wishes(dry_run=True))
    # A variable without a default may be missing; what of that is odd, the checks of values say.
    free = {each.name for each in declared.variables() if each.value is None}
    missing = [
        f"{each.kind} {each.name}"
        for each in changes
        if each.action == "created" and each.name not in free
    ]
    unfit = [f"{name} of {each.name}" for each in changes for name in each.dropped]
    differing = [
        f"{each.kind} {each.name}"
        for each in changes
        if each.action == "updated" and not each.dropped and set(each.fields) != {"version"}
    ]
    left = [f"{each.kind} {each.name}" for each in changes if each.action == "left over"]
    if missing:
        yield Finding("declared", "wrong", f"missing: {listed(missing)}", "voxmem bootstrap")
    if unfit:
        what = f"does not fit the form of its flow: {listed(unfit)}"
        yield Finding("parameters", "wrong", what, "voxmem bootstrap, which drops it")
    if differing:
        yield Finding("declared", "warn", f"other: {listed(differing)}", "voxmem bootstrap")
    if left:
        yield Finding(
            "declared", "warn", f"no longer declared: {listed(left)}", "voxmem bootstrap --prune"
        )
    if not (missing or unfit or differing or left):
        yield Finding("declared", "ok", f"{len(changes)} things are as declared")


def deployed_version(cluster: Cluster) -> Iterator[Finding]:
    """Runs refuse a worker whose code is not what was deployed."""
    here = installed_version()
    other = {
        each.version or "unknown" for each in cluster.deployments.values() if each.version != here
    }
    name = "voxmem that is deployed"
    if other:
        yield Finding(
            name,
            "wrong",
            f"this is voxmem {here}, deployed is {listed(sorted(other))}",
            "install the version that is deployed here, or run voxmem bootstrap from this one",
        )
    else:
        yield Finding(name, "ok", here if cluster.deployments else "nothing yet")


def deployments_have_pools(cluster: Cluster) -> Iterator[Finding]:
    """A deployment without its pool is never run."""
    lost = [
        name
        for name, each in cluster.deployments.items()
        if each.work_pool_name not in cluster.pools
    ]
    if lost:
        yield Finding(
            "deployments", "wrong", f"without a work pool: {listed(lost)}", "voxmem bootstrap"
        )
    else:
        yield Finding("deployments", "ok", f"{len(cluster.deployments)}, each with its work pool")


def paused(cluster: Cluster) -> Iterator[Finding]:
    """What somebody switched off, perhaps long ago."""
    off = [f"work pool {name}" for name, pool in cluster.pools.items() if pool.is_paused]
    off += [f"deployment {name}" for name, each in cluster.deployments.items() if each.paused]
    off += [
        f"schedule of {name}"
        for name, each in cluster.deployments.items()
        if any(not schedule.active for schedule in each.schedules)
    ]
    ours = {entry["name"] for entry in declared.automations()}
    off += [
        f"automation {each.name}"
        for each in cluster.client.read_automations(limit=200)
        if each.name in ours and not each.enabled
    ]
    if off:
        yield Finding("paused", "warn", listed(off), "switch it on again in the dashboard")
    else:
        yield Finding("paused", "ok", "nothing")


def heartbeat(cluster: Cluster) -> Iterator[Finding]:
    """A healthy run sends several heartbeats within the time after which it counts as dead."""
    [within] = [
        entry["trigger"]["within"]
        for entry in declared.automations()
        if entry["name"] == "voxmem zombie runs"
    ]
    slow = []
    for name, pool in cluster.pools.items():
        variables = pool.base_job_template.get("variables", {}).get("properties", {})
        set_to = (variables.get("env", {}).get("default") or {}).get(
            "PREFECT_FLOWS_HEARTBEAT_FREQUENCY"
        )
        if name in {each.name for each in declared.pools()} and 3 * float(set_to or 180) > within:
            slow.append(f"{name} every {set_to or 180} s")
    if slow:
        yield Finding(
            "heartbeat",
            "wrong",
            f"{listed(slow)}: healthy runs would be marked as crashed after {within} s",
            "set PREFECT_FLOWS_HEARTBEAT_FREQUENCY=30 in the environment of the pool",
        )
    else:
        yield Finding("heartbeat", "ok", f"a run without one for {within} s is marked as crashed")


def open_secrets(cluster: Cluster) -> Iterator[Finding]:
    """Whoever sees the dashboard sees the environment of a pool or deployment."""
    places = {
        f"work pool {name}": pool.base_job_template.get("variables", {})
        .get("properties", {})
        .get("env", {})
        .get("default")
        for name, pool in cluster.pools.items()
    }
    places |= {
        f"deployment {name}": each.job_variables.get("env")
        for name, each in cluster.deployments.items()
    }
    found = [
        f"{variable} of {place}"
        for place, environment in places.items()
        for variable in environment or {}
        if any(word in variable.upper() for word in _SECRET)
    ]
    if found:
        yield Finding(
            "secrets",
            "wrong",
            f"open in the dashboard: {listed(found)}",
            "remove it there, change it, and put it into the worker's environment or secret",
        )
    else:
        yield Finding("secrets", "ok", "none in the environments of pools and deployments")
