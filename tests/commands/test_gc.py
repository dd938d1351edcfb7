"""``voxmem gc`` over a finished demo."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command import Run, fails
from tests.retention.conftest import aged
from voxmem.store.objects import object_name
from voxmem.store.release import load, verify
from voxmem.store.root import open_root


def test_a_dry_run_then_the_very_same_is_removed(run: Run, own_demo: Path) -> None:
    root = open_root(own_demo)
    loose = {object_name(root.objects.put(b"loose %d" % at)) for at in range(5)}
    aged(root)
    dry = json.loads(run("gc", "--root", own_demo, "--json").out)
    assert loose <= {item["name"] for item in dry["items"]}
    assert all(item["kind"] == "object" for item in dry["items"]), "a finished demo needs the rest"
    assert dry["bytes"] == sum(item["bytes"] for item in dry["items"])
    shown = run("gc", "--root", own_demo).out
    assert f"voxmem gc --root {own_demo} --older-than 24 --apply --plan {dry['plan']}" in shown
    assert root.blobs.size(min(loose)) is not None, "so far it was only shown"
    ended = run("gc", "--root", own_demo, "--apply", "--plan", dry["plan"])
    assert ended.code == 0
    assert f"removed: {dry['count']} in all" in ended.out
    assert not root.blobs.sizes(loose)
    assert verify(root, load(root, "demo")) == []
    assert "nothing to remove" in run("gc", "--root", own_demo, "--apply").out


def test_what_is_refused(run: Run, own_demo: Path) -> None:
    fails(run("gc", "--root", own_demo, "--plan", "x"), 2, "--plan is for --apply")
    root = open_root(own_demo)
    root.objects.put(b"loose")
    with root.working():
        fails(run("gc", "--root", own_demo, "--apply"), 2, "a run is at work", "wait until")
    fails(run("gc", "--root", own_demo, "--unpublished", "x"), 2, "there is no such build")
