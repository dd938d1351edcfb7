"""What somebody changes in a release after it was published, and what its verification says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fake_speech import ToneEngine
from tests.mutations.benchmark import CONFIG, Benchmark
from voxmem.errors import InputError
from voxmem.records import Question, Session
from voxmem.speech.clips import question_spec
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio
from voxmem.store.release import Release, load, object_list, publish, verify
from voxmem.store.root import Root, open_root

TABLES = ("plans", "sessions", "histories", "questions")
SPOKEN = 3
"""Questions that are spoken: in tones, which is quick."""


@dataclass(frozen=True)
class Published:
    """A release that may be damaged."""

    root: Root
    release: Release

    @property
    def clip(self) -> str:
        """One of its objects."""
        return object_list(self.root, self.release)[0]

    def object(self, sha: str) -> Path:
        path = self.root.objects.path_or_none(sha)
        assert path is not None
        return path

    def table(self, name: str) -> Path:
        (part,) = self.release.tables[name].parts
        return self.root.tables.path(name, part)

    @property
    def manifest(self) -> Path:
        return self.root.path / self.root.release_name(self.release.release_id)


@pytest.fixture(scope="module")
def original(built: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the build with a few clips, as a release."""
    root = open_root(tmp_path_factory.mktemp("release"))
    for name in TABLES:
        target = root.tables.path(name, built.build.id)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built.build.root.tables.path(name, built.build.id), target)
    questions = list(built.build.questions.values())[:SPOKEN]
    studio = Studio(ToneEngine(), open_sounds("embedded"))
    clips = [studio.speak(question_spec(item), root.objects) for item in questions]
    publish(
        root,
        CONFIG.name,
        {name: [built.build.id] for name in TABLES},
        objects=[clip.sha256 for clip in clips],
        counts={"questions": len(built.build.questions)},
        licences={},
        versions={},
        config=CONFIG.model_dump(mode="json"),
        seed=CONFIG.seed,
    )
    return root.path


@pytest.fixture
def published(original: Path, tmp_path: Path) -> Published:
    """A copy of it."""
    folder = tmp_path / "copy"
    shutil.copytree(original, folder)
    root = open_root(folder)
    return Published(root, load(root, CONFIG.name))


# --- the changes ------------------------------------------------------------------------------


def a_clip_is_damaged(held: Published) -> str:
    """One bit of one clip."""
    path = held.object(held.clip)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    sha = held.clip
    path.write_bytes(bytes(data))
    return sha


def a_clip_is_another_one(held: Published) -> str:
    """Sound audio, of another question."""
    first, second, *_ = object_list(held.root, held.release)
    shutil.copy(held.object(second), held.object(first))
    return first


def a_clip_is_gone(held: Published) -> str:
    sha = held.clip
    held.object(sha).unlink()
    return sha


def the_list_of_clips_is_shorter(held: Published) -> str:
    """The list itself is an object under its hash."""
    path = held.object(held.release.audio_hash)
    path.write_bytes(path.read_bytes().partition(b"\n")[2])
    return held.release.audio_hash


def a_table_is_damaged(held: Published) -> str:
    path = held.table("sessions")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    return "sessions"


def a_table_is_gone(held: Published) -> str:
    held.table("histories").unlink()
    return "histories"


def a_gold_is_changed(held: Published) -> str:
    """A whole and sound table, in which one answer is another."""
    (part,) = held.release.tables["questions"].parts
    rows = held.root.tables.read("questions", Question, [part])
    at = next(at for at, row in enumerate(rows) if row.gold == "yes")
    rows[at] = rows[at].model_copy(update={"gold": "no"})
    held.root.tables.write("questions", part, rows, Question)
    return "questions: its rows are not those that were published"


def a_word_is_changed(held: Published) -> str:
    (part,) = held.release.tables["sessions"].parts
    rows = held.root.tables.read("sessions", Session, [part])
    first, *rest = rows[0].turns
    other = first.model_copy(update={"text": f"{first.text} That is it."})
    rows[0] = rows[0].model_copy(update={"turns": (other, *rest)})
    held.root.tables.write("sessions", part, rows, Session)
    return "sessions: its rows are not those that were published"


def a_question_is_dropped(held: Published) -> str:
    (part,) = held.release.tables["questions"].parts
    rows = held.root.tables.read("questions", Question, [part])
    held.root.tables.write("questions", part, rows[1:], Question)
    return "questions: its rows are not those that were published"


CHANGES: tuple[Callable[[Published], str], ...] = (
    a_clip_is_damaged,
    a_clip_is_another_one,
    a_clip_is_gone,
    the_list_of_clips_is_shorter,
    a_table_is_damaged,
    a_table_is_gone,
    a_gold_is_changed,
    a_word_is_changed,
    a_question_is_dropped,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_verification_names_what_was_changed(
    published: Published, change: Callable[[Published], str]
) -> None:
    assert verify(published.root, published.release) == []
    named = change(published)
    (problem,) = verify(published.root, published.release)
    assert named in problem


@pytest.mark.parametrize("field", ["seed", "questions"])
def test_a_changed_manifest_is_refused(published: Published, field: str) -> None:
    text = published.manifest.read_text()
    line = next(line for line in text.splitlines() if f'"{field}": ' in line and line[-1] != "{")
    number = int("".join(filter(str.isdigit, line)))
    published.manifest.write_text(text.replace(line, line.replace(str(number), str(number + 1)), 1))
    with pytest.raises(InputError, match="was changed since it was published"):
        load(published.root, published.release.release_id)
