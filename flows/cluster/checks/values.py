"""The variables of the server: what flows read where they are not told."""

from __future__ import annotations

import os
from collections.abc import Iterator

from flows.cluster import declared
from flows.cluster.checks.cluster import Cluster, listed
from flows.cluster.sound import MODELS, sound
from flows.cluster.variables import Values
from voxmem.errors import UsageError, VoxmemError
from voxmem.health.finding import Finding
from voxmem.models.catalogue import VARIABLE
from voxmem.store.release import load
from voxmem.store.root import Root, open_root
from voxmem.store.s3.address import is_bucket


def variables(cluster: Cluster) -> Iterator[Finding]:
    """The root can be opened, the limit is a number above 0, a release is named."""
    wrong = False
    for name, value in cluster.values.items():
        try:
            sound(name, value)
        except UsageError as error:
            wrong = True
            yield Finding(f"variable {name}", "wrong", error.message, error.remedy or "")
    lacking = [
        each.name
        for each in declared.variables()
        if each.value is not None and each.name not in cluster.values
    ]
    if lacking:
        yield Finding("variables", "wrong", f"missing: {listed(lacking)}", "voxmem bootstrap")
    elif not wrong:
        yield Finding("variables", "ok", f"{len(cluster.values)}, each can be meant")


def release(cluster: Cluster) -> Iterator[Finding]:
    """The release that is evaluated at night is in the root, if that can be seen from here."""
    name, root = cluster.values.get("voxmem_release"), _reachable(cluster.root)
    if name is None or root is None:
        return
    try:
        load(root, str(name))
    except UsageError as error:
        yield Finding(
            "variable voxmem_release",
            "warn",
            error.message,
            "prefect deployment run construct/demo, or voxmem bootstrap --release NAME",
        )
    else:
        yield Finding("variable voxmem_release", "ok", f"{name} is in {root.uri}")


def _reachable(uri: str | None) -> Root | None:
    """A root that can be seen from this machine; why another cannot, other checks say."""
    if uri is None:
        return None
    try:
        root = open_root(uri)
        there = is_bucket(uri) or root.path.exists()
        root.releases()
    except VoxmemError:
        return None
    return root if there else None


def catalogue(cluster: Cluster) -> Iterator[Finding]:
    """A model that is registered from this shell is one that workers know."""
    yield from compared(cluster.values)


def compared(values: Values) -> Iterator[Finding]:
    """Whether the catalogue of this shell is the one that the variables of a server name."""
    here = sound(MODELS, os.environ.get(VARIABLE, ""))
    there = sound(MODELS, values.get(MODELS, ""))
    if here == there:
        what = f"{there or 'the one that ships'}, here and for workers"
        yield Finding("catalogue of the server", "ok", what)
    else:
        yield Finding(
            "catalogue of the server",
            "warn",
            f"{VARIABLE} is {here or 'not set'} here, and workers use "
            f"{there or 'the one that ships, unless they have one of their own'}",
            f"voxmem bootstrap --models {here}"
            if here
            else f"export {VARIABLE}={there}, so that voxmem models register adds to it",
        )
