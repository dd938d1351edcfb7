from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from voxmem.errors import InputError, StoreError, UsageError
from voxmem.records import Check, Turn
from voxmem.store import Release, Root, open_root
from voxmem.store.release import load, object_list, publish, verify

TURNS = [Turn(role="user", text=f"turn {n}") for n in range(6)]
CHECKS = [Check(subject=f"s{n}", check="snr", passed=True, value=10.0 + n) for n in range(3)]


def fill(root: Root, *, chunk: int = 3, sounds: int = 4) -> dict[str, Any]:
    """Writes a small benchmark; the arguments of :func:`publish` for it."""
    parts = []
    for first in range(0, len(TURNS), chunk):
        parts.append(f"part-{chunk}-{first}")
        root.tables.write("sessions", parts[-1], TURNS[first : first + chunk], Turn)
    root.tables.write("session_checks", "part", CHECKS, Check)
    return {
        "content": {"sessions": parts, "session_checks": ["part"]},
        "objects": [root.objects.put(b"clip %d" % n) for n in range(sounds)],
        "counts": {"sessions": 6},
        "licences": {"voices": "Apache-2.0"},
        "versions": {"voxmem": "0.1.0"},
        "config": {"budgets": ("2K", "4K"), "share": 0.5, "subset": None},
        "seed": 7,
    }


@pytest.fixture
def release(root: Root) -> Release:
    return publish(root, "demo", **fill(root))


def test_a_release_is_read_as_it_was_published(root: Root, release: Release) -> None:
    assert root.releases() == [release.release_id]
    assert release.release_id == f"demo-{release.manifest_hash[:12]}"
    assert load(root, release.release_id) == load(root, "demo") == release
    assert verify(root, release) == []
    assert release.config == {"budgets": ["2K", "4K"], "share": 0.5, "subset": None}
    assert release.tables["sessions"].rows == 6
    assert object_list(root, release) == sorted(root.objects.put(b"clip %d" % n) for n in range(4))


def test_publishing_the_same_again_changes_nothing(root: Root, release: Release) -> None:
    path = root.path / root.release_name(release.release_id)
    before = path.stat()
    again = fill(root)
    again["objects"] = again["objects"][::-1] * 2
    again["content"] = {table: parts[::-1] for table, parts in reversed(again["content"].items())}
    assert publish(root, "demo", **again) == release
    assert path.stat().st_ino == before.st_ino
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_another_root_gives_the_same_manifest(release: Release, root: Root, tmp_path: Path) -> None:
    other = open_root(tmp_path / "other")
    assert publish(other, "demo", **fill(other)) == release
    name = root.release_name(release.release_id)
    ours, theirs = (each.blobs.read(name) for each in (root, other))
    assert ours == theirs


def test_new_audio_leaves_the_text_hash_alone(root: Root, release: Release) -> None:
    other = publish(root, "demo", **fill(root, sounds=5))
    assert other.text_hash == release.text_hash
    assert other.audio_hash != release.audio_hash
    assert other.release_id != release.release_id


def test_new_text_leaves_the_audio_hash_alone(root: Root, release: Release) -> None:
    arguments = fill(root)
    root.tables.write("sessions", "more", [Turn(role="user", text="more")], Turn)
    arguments["content"]["sessions"].append("more")
    other = publish(root, "demo", **arguments)
    assert other.text_hash != release.text_hash
    assert other.audio_hash == release.audio_hash


def test_a_measurement_changes_neither_hash_but_the_manifest(root: Root, release: Release) -> None:
    arguments = fill(root)
    root.tables.write("session_checks", "part", CHECKS[:2], Check)
    other = publish(root, "demo", **arguments)
    assert (other.text_hash, other.audio_hash) == (release.text_hash, release.audio_hash)
    assert other.manifest_hash != release.manifest_hash


def test_content_hashes_do_not_see_how_rows_were_split(root: Root, release: Release) -> None:
    other = publish(root, "demo", **fill(root, chunk=2))
    assert other.tables["sessions"].parts != release.tables["sessions"].parts
    assert other.tables["sessions"].content == release.tables["sessions"].content
    assert other.text_hash == release.text_hash


@pytest.mark.parametrize("field", ["counts", "licences", "versions", "config", "seed"])
def test_everything_in_the_manifest_counts(root: Root, release: Release, field: str) -> None:
    arguments = fill(root)
    changes: dict[str, Any] = {"counts": {"sessions": 7}, "seed": 8}
    arguments[field] = changes.get(field, {"other": "x"})
    assert publish(root, "demo", **arguments).manifest_hash != release.manifest_hash


def test_a_name_with_several_releases_is_not_guessed(root: Root, release: Release) -> None:
    other = publish(root, "demo", **fill(root, sounds=5))
    with pytest.raises(UsageError, match="2 releases are called 'demo'") as caught:
        load(root, "demo")
    assert release.release_id in str(caught.value)
    assert load(root, other.release_id) == other


def test_an_unknown_release(root: Root, release: Release) -> None:
    with pytest.raises(UsageError, match=f"no release 'x' .* there are: {release.release_id}"):
        load(root, "x")
    with pytest.raises(UsageError, match="build one first"):
        load(open_root(root.path / "empty"), "x")


@pytest.mark.parametrize("name", ["", "a/b", "..", "x" * 195])
def test_a_release_needs_a_proper_name(root: Root, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a release"):
        publish(root, name, **fill(root))


# --- damage ------------------------------------------------------------------------------------


def tamper(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seed": 7', '"seed": 8', "the manifest was changed"),
        ('"seed": 7', '"seed": ', "the manifest cannot be read"),
        ('"seed"', '"sead"', "the manifest cannot be read"),
    ],
)
def test_a_changed_manifest_is_refused(
    root: Root, release: Release, old: str, new: str, message: str
) -> None:
    path = root.path / root.release_name(release.release_id)
    tamper(path, old, new)
    with pytest.raises(InputError, match=message) as caught:
        load(root, "demo")
    assert "publish again" in str(caught.value)
    # Nor is it replaced behind the back of those who hold it.
    with pytest.raises(StoreError, match=f"never changed — delete {path.parent}"):
        publish(root, "demo", **fill(root))


def a_cut_part(root: Root, release: Release) -> str:
    path = root.tables.path("sessions", release.tables["sessions"].parts[0])
    path.write_bytes(path.read_bytes()[:-9])
    return "this part cannot be read"


def a_missing_part(root: Root, release: Release) -> str:
    root.tables.path("sessions", release.tables["sessions"].parts[0]).unlink()
    return "there is no such part"


def a_rewritten_part(root: Root, release: Release) -> str:
    root.tables.write("sessions", release.tables["sessions"].parts[0], TURNS[:1], Turn)
    return "sessions: its rows are not those that were published"


def a_corrupt_object(root: Root, release: Release) -> str:
    path = root.objects.path_or_none(object_list(root, release)[1])
    assert path is not None
    path.write_bytes(b"clip X")
    return "do not have this SHA-256"


def a_missing_object(root: Root, release: Release) -> str:
    path = root.objects.path_or_none(object_list(root, release)[1])
    assert path is not None
    path.unlink()
    return "there is no such object"


def a_missing_object_list(root: Root, release: Release) -> str:
    path = root.objects.path_or_none(release.audio_hash)
    assert path is not None
    path.unlink()
    return "there is no such object"


@pytest.mark.parametrize(
    "damage",
    [
        a_cut_part,
        a_missing_part,
        a_rewritten_part,
        a_corrupt_object,
        a_missing_object,
        a_missing_object_list,
    ],
)
def test_verify_finds_damage(
    root: Root, release: Release, damage: Callable[[Root, Release], str]
) -> None:
    message = damage(root, release)
    (problem,) = verify(root, release)
    assert message in problem
    assert "\n" not in problem


def test_verify_lists_every_problem(root: Root, release: Release) -> None:
    for damage in (a_cut_part, a_corrupt_object):
        damage(root, release)
    changed = release.model_copy(update={"seed": 8})
    assert len(verify(root, changed)) == 3


def test_nothing_incomplete_is_published(root: Root) -> None:
    arguments = fill(root)
    with pytest.raises(InputError, match="needs an object that is not in the store"):
        publish(root, "demo", **arguments | {"objects": ["0" * 64]})
    with pytest.raises(InputError, match="sessions/none: there is no such part"):
        publish(root, "demo", **arguments | {"content": {"sessions": ["none"]}})
    assert root.releases() == []


def test_an_empty_release(root: Root) -> None:
    empty: dict[str, Any] = {"counts": {}, "licences": {}, "versions": {}, "config": {}, "seed": 0}
    release = publish(root, "text", {}, objects=[], **empty)
    assert verify(root, release) == []
