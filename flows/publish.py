"""A release, frozen."""

from __future__ import annotations

from flows.boards import show_release
from flows.job import job
from flows.params import ConstructParams
from tasks import construct as stage
from voxmem.progress import report
from voxmem.store.release import load
from voxmem.store.root import open_root


@job("publish", "publish-{params.name}")
def publish(params: ConstructParams) -> str:
    """Freezes what was gated as a release; returns its id. Publishing again changes nothing."""
    release = stage.publish(params.root, params.config())
    report("publish", 1, 1)
    show_release(load(open_root(params.root), release))
    return release
