"""``voxmem gc`` over a finished demo."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.command import Run, fails
from tests.retention.conftest import aged
from tests.store.servers import BUCKET, moto, settings
from voxmem.store.objects import object_name
from voxmem.store.release import load, verify
from voxmem.store.root import open_root
from voxmem.store.s3 import client, listing


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


@pytest.mark.parametrize("options", [[], ["--apply"]])
def test_a_root_that_is_not_there_is_refused(run: Run, tmp_path: Path, options: list[str]) -> None:
    gone = tmp_path / "gone"
    fails(run("gc", "--root", gone, *options), 2, "nothing in this root", "voxmem build makes one")
    assert not gone.exists()


def test_in_a_bucket_what_was_made_within_an_hour_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))
    with moto() as endpoint:
        for name, value in settings(endpoint).items():
            monkeypatch.setenv(name, value)
        uri = f"s3://{BUCKET}/root"
        loose = open_root(uri).objects.put(b"of a run whose machine sleeps")
        said = run("gc", "--root", uri, "--older-than", 0, "--apply").out
        assert "nothing to remove: everything is needed, or younger than 1 h" in said
        assert open_root(uri).objects.exists(loose)
        now = client.clock
        monkeypatch.setattr(listing, "clock", lambda page: now(page) + timedelta(hours=1))
        shown = run("gc", "--root", uri, "--older-than", 0).out
        assert f"voxmem gc --root {uri} --older-than 1 --apply" in shown
