"""What is lost or damaged is named, and made again to the same end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construct.built import Built, words
from tests.fake_speech import ToneEngine
from tests.small_build import TEXT, TINY, ToneBuild, build
from voxmem import construct
from voxmem.errors import CorruptTable, InputError, SpeechError
from voxmem.records import Clip
from voxmem.speech.engine import Rendition
from voxmem.store.release import verify
from voxmem.store.root import open_root

WHOLE = [
    "plans",
    "plan_rejections",
    "sessions",
    "filler_rejections",
    "allocations",
    "fitted",
    "fit_notes",
    "fit_rejections",
    "family_checks",
    "family_rejections",
    "histories",
    "questions",
    "probes",
]
"""Tables of which a build has one part."""


@pytest.mark.parametrize("table", WHOLE)
def test_a_damaged_part_is_named(copied_text: Built, table: str) -> None:
    opened = copied_text.opened()
    path = opened.root.tables.path(table, opened.id)
    data = path.read_bytes()
    third = len(data) // 3
    path.write_bytes(data[:third] + bytes(third) + data[2 * third :])
    with pytest.raises(CorruptTable, match="cannot be read") as caught:
        build(copied_text.folder, TEXT)
    assert caught.value.item == f"{table}/{opened.id}"
    assert "delete" in str(caught.value.remedy)


@pytest.mark.parametrize("table", WHOLE)
def test_a_stage_whose_part_is_lost_is_done_again_to_the_same_end(
    copied_text: Built, table: str
) -> None:
    opened = copied_text.opened()
    opened.root.tables.path(table, opened.id).unlink()
    assert build(copied_text.folder, TEXT) == copied_text.release


@pytest.mark.parametrize("table", ["counts", "sessions"])
def test_every_lost_part_is_made_again(copied_text: Built, table: str) -> None:
    tables = copied_text.opened().root.tables
    for part in tables.parts(table):
        tables.path(table, part).unlink()
        assert build(copied_text.folder, TEXT) == copied_text.release


def test_a_damaged_chunk_is_named(copied: Built) -> None:
    opened = copied.opened()
    part = opened.chunks[0].part
    path = opened.root.tables.path("clips", part)
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(CorruptTable) as caught:
        build(copied.folder, TINY)
    assert caught.value.item == f"clips/{part}"


def lost(built: Built) -> Clip:
    """A clip whose primary rendition is no longer in the store."""
    opened = built.opened()
    clip = construct.used_clips(opened)[0]
    path = opened.root.objects.path_or_none(clip.sha256)
    assert path is not None
    path.unlink()
    return clip


def test_a_release_with_a_missing_object_is_not_published(copied: Built) -> None:
    clip = lost(copied)
    with pytest.raises(InputError, match="object that is not in the store") as caught:
        construct.publish(copied.opened())
    assert caught.value.item == clip.sha256
    assert caught.value.stage == "publish"
    assert caught.value.remedy


def test_a_missing_object_is_spoken_again(copied: Built) -> None:
    clip, tones = lost(copied), ToneEngine()
    assert build(copied.folder, TINY, tones) == copied.release
    assert words(clip.spec) in tones.rendered
    assert verify(open_root(copied.folder), copied.release) == []


def test_a_damaged_object_is_found_and_healed(copied: Built) -> None:
    opened = copied.opened()
    clip = construct.used_clips(opened)[0]
    path = opened.root.objects.path_or_none(clip.sha256)
    assert path is not None
    path.write_bytes(b"not a recording")
    assert [clip.sha256 in line for line in verify(opened.root, copied.release)] == [True]
    path.unlink()
    build(copied.folder, TINY)
    assert verify(opened.root, copied.release) == []


def test_an_engine_that_fails_says_so_and_loses_nothing(tmp_path: Path) -> None:
    class Hoarse(ToneEngine):
        def render(
            self, text: str, voice: str, delivery: str = "neutral", seed: int = 0
        ) -> Rendition:
            if len(self.rendered) == 60:
                raise SpeechError("the engine is hoarse", item=text, stage="speak")
            return super().render(text, voice, delivery, seed)

    with pytest.raises(SpeechError, match="hoarse"):
        build(tmp_path, TINY, Hoarse())
    opened = ToneBuild(open_root(tmp_path), TINY)
    assert opened.root.tables.has("clips", opened.chunks[0].part)
    assert not opened.root.tables.has("clips", opened.chunks[-1].part)
    assert sum(plan.question.gold is not None for plan in opened.plans) == 11
