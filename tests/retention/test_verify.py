"""A release is read again: what is damaged, which turn has it, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxmem.evaluate.items import ReleaseRows
from voxmem.retention.verify import verified
from voxmem.store.objects import object_name
from voxmem.store.release import load, object_list
from voxmem.store.root import Root, open_root


@pytest.fixture
def demo(own_demo: Path) -> Root:
    return open_root(own_demo)


def damage(root: Root, sha: str) -> None:
    path = root.path / object_name(sha)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_an_intact_release(demo: Root) -> None:
    heard: list[tuple[int, int]] = []
    release = load(demo, "demo")
    found = verified(demo, release, lambda *at: heard.append(at))
    sizes = demo.blobs.sizes(map(object_name, object_list(demo, release)))
    assert (found.problems, found.size) == ((), sum(sizes.values()))
    assert heard == [(at, release.objects) for at in range(1, release.objects + 1)]
    assert str(found).startswith(f"{release.release_id}: {release.objects} objects, ")


def test_what_is_damaged_is_said_of_the_turn_and_question_that_have_it(demo: Root) -> None:
    release = load(demo, "demo")
    rows = ReleaseRows(demo, release)
    place = rows.histories[0].placements[0].session_id
    turn = rows.turn_clip(rows.sessions[place], 0)
    question = next(iter(rows.asked.values()))
    asked = rows.question_clip(question)
    damage(demo, turn.sha256)
    demo.blobs.remove(object_name(asked.sha256))
    found = verified(demo, release)
    by_sha = {
        sha: line for sha in (turn.sha256, asked.sha256) for line in found.problems if sha in line
    }
    assert len(found.problems) == 2
    assert f"the clip of session {place}, user turn 1" in by_sha[turn.sha256]
    assert f"delete {demo.path}/objects/" in by_sha[turn.sha256]
    assert f"the clip of question {question.question_id}" in by_sha[asked.sha256]
    assert "run again the command that makes it" in by_sha[asked.sha256]


def test_a_lost_list_of_objects_and_a_cut_table(demo: Root) -> None:
    release = load(demo, "demo")
    demo.blobs.remove(object_name(release.audio_hash))
    path = demo.tables.path("histories", release.tables["histories"].parts[0])
    path.write_bytes(path.read_bytes()[:-40])
    found = verified(demo, release)
    assert [line.split(":")[0] for line in found.problems] == [
        f"histories/{release.tables['histories'].parts[0]}",
        release.audio_hash,
    ]
