"""What is known of the releases of a root before anything is removed from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.retention.test_collect import built, released
from tests.store import faults
from tests.store.servers import BUCKET, moto, settings
from voxmem.errors import InputError
from voxmem.retention.plan import plan
from voxmem.store.root import Root, open_root


def a_release(root: Root) -> str:
    content = built(root, "new-" + "a" * 12, [b"one"], chunk="c" * 20)
    made = released(root, "new", content, [])
    root.put_json("runs/new-" + "a" * 12, made.release_id)
    return root.release_name(made.release_id)


def emptied(root: Root, name: str) -> None:
    """A file in its place is a folder."""
    root.blobs.remove(name)
    (root.path / name).mkdir()


def beside(root: Root, name: str) -> None:
    """It is gone, and what lay beside it is not."""
    root.blobs.remove(name)
    (root.path / name).with_name("notes.txt").write_text("mine")


@pytest.mark.parametrize("lose", [emptied, beside])
def test_a_release_without_its_manifest_is_not_taken_for_deleted(
    root: Root, lose: Callable[[Root, str], None]
) -> None:
    name = a_release(root)
    lose(root, name)
    folder = name.removesuffix("/release.json")
    with pytest.raises(InputError, match=rf"\[gc\] {folder}: .* restore /.*, or delete /"):
        plan(root, older_than=0)


def test_a_release_whose_folder_is_empty_or_gone_is_deleted(root: Root) -> None:
    name = a_release(root)
    root.blobs.remove(name)
    whole = plan(root, older_than=0)
    assert len(whole.items) == 6
    (root.path / name).parent.rmdir()
    assert plan(root, older_than=0) == whole


def test_a_bucket_that_lists_a_manifest_and_does_not_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))

    def absent(_method: str, path: str, answer: faults.Answer) -> faults.Answer:
        return faults.Answer(404, {}, b"") if path.endswith("release.json") else answer

    with moto() as server, faults.proxy(server) as proxy:
        for each, value in settings(proxy.endpoint).items():
            monkeypatch.setenv(each, value)
        root = open_root(f"s3://{BUCKET}/some/root")
        name = a_release(root)
        proxy.fault = absent
        with pytest.raises(InputError, match=f"restore {root.uri}/{name}, or delete"):
            plan(root, older_than=0)
        proxy.fault = None
        root.blobs.remove(name)
        assert len(plan(root, older_than=0).items) == 6
