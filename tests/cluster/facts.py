"""What a server and a root say of what happened."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from tests.cluster.cluster import Cluster
from tests.cluster.services import Worker
from voxmem.store.release import Release, load
from voxmem.store.root import open_root

_UNENDED = ("SCHEDULED", "PENDING", "RUNNING", "CANCELLING", "PAUSED")
_TAKEN = re.compile(r"submitting flow run '([0-9a-f-]{36})'")


def flow_runs(cluster: Cluster, **filters: Any) -> list[dict[str, Any]]:
    """All flow runs, oldest first, a page after the other."""
    found: list[dict[str, Any]] = []
    while True:
        page = cluster.ask(
            "flow_runs/filter",
            flow_runs=filters or None,
            sort="START_TIME_ASC",
            limit=200,
            offset=len(found),
        )
        found += page
        if len(page) < 200:
            return found


def unended(cluster: Cluster) -> dict[str, str]:
    """Name → state of the flow runs that are due and have not ended."""
    runs = flow_runs(cluster, state={"type": {"any_": list(_UNENDED)}})
    return {run["name"]: run["state_name"] for run in runs if not _is_to_come(run)}


def ended_badly(cluster: Cluster) -> dict[str, str]:
    """Name → what was said of the flow runs that failed or crashed."""
    runs = flow_runs(cluster, state={"type": {"any_": ["FAILED", "CRASHED"]}})
    return {run["name"]: f"{run['state_name']}: {run['state']['message']}" for run in runs}


def taken(worker: Worker) -> list[str]:
    """The ids of the flow runs that a worker took, over all its lives; one that had to wait for its
    deployment's slot comes again."""
    return _TAKEN.findall(worker.log.read_text(errors="replace"))


def release_in(root: Path) -> Release:
    """The demo release of a folder: a root, or a bucket's files."""
    return load(open_root(root), "demo")


def responses(root: Path, system: str) -> Counter[tuple[str, str]]:
    """(budget, outcome) → items that a system was asked."""
    from voxmem.records import Response

    rows = open_root(root).tables.read("responses", Response)
    return Counter((row.budget, row.outcome) for row in rows if row.system == system)


def judged(root: Path, system: str) -> Counter[tuple[str, str]]:
    """(budget, status) → responses of a system that were judged by rule."""
    from voxmem.records import Response, Verdict

    tables = open_root(root).tables
    of = {
        row.response_id: row.budget
        for row in tables.read("responses", Response)
        if row.system == system
    }
    return Counter(
        (of[verdict.response_id], verdict.status)
        for verdict in tables.read("verdicts", Verdict)
        if verdict.response_id in of
    )


def editions(root: Path) -> list[dict[str, Any]]:
    """The reports of the demo release that a re-evaluation wrote, oldest first."""
    opened = open_root(root)
    found: list[dict[str, Any]] = (
        opened.get_json(f"reports/{load(opened, 'demo').release_id}") or []
    )
    return found


def _is_to_come(run: dict[str, Any]) -> bool:
    return run["state_type"] == "SCHEDULED" and run["state_name"] == "Scheduled"
