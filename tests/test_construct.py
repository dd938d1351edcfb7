"""The construction road: the same whatever the order, done once, and picked up where it was."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fake_speech import ToneEngine, tone
from tests.small_build import SMALL, TINY, ToneBuild, build
from voxmem import construct
from voxmem.build import Chunk, cut
from voxmem.construct.tallies import Rejection
from voxmem.errors import CorruptTable, InputError, SpeechError
from voxmem.records import Check, Clip, ClipSpec
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.engine import Audio
from voxmem.store.release import Release, verify
from voxmem.store.root import open_root

STAGES = (
    "plans",
    "plan_rejections",
    "sessions",
    "allocations",
    "clips",
    "session_checks",
    "histories",
    "fit_rejections",
    "questions",
    "family_checks",
    "family_rejections",
)


@dataclass(frozen=True)
class Built:
    """A release, where it lies, and what was spoken for it."""

    folder: Path
    release: Release
    rendered: Counter[tuple[str, str, str]]

    def opened(self, tones: ToneEngine | None = None) -> ToneBuild:
        return ToneBuild(open_root(self.folder), TINY, tones)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder, tones = tmp_path_factory.mktemp("undisturbed"), ToneEngine()
    return Built(folder, build(folder, TINY, tones), Counter(tones.rendered))


@pytest.fixture
def copied(undisturbed: Built, tmp_path: Path) -> Built:
    """The same release in a folder that a test may damage."""
    folder = tmp_path / "copy"
    shutil.copytree(undisturbed.folder, folder)
    return Built(folder, undisturbed.release, undisturbed.rendered)


def files(folder: Path) -> dict[str, int]:
    """Every file and when it was last written."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


def words(spec: ClipSpec) -> tuple[str, str, str]:
    """What an engine is asked for to make a clip."""
    return spec.text, spec.voice, spec.delivery


# --- what comes of it -------------------------------------------------------------------------


def test_every_stage_leaves_its_part(undisturbed: Built) -> None:
    tables = undisturbed.opened().root.tables
    assert set(STAGES) <= set(tables.names()) | {"plan_rejections", "family_rejections"}
    assert verify(open_root(undisturbed.folder), undisturbed.release) == []


def test_every_planned_question_is_in_the_release(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    read = opened.root.tables.read
    assert read("fit_rejections", Rejection, [opened.id]) == []
    assert read("family_rejections", Rejection, [opened.id]) == []
    assert undisturbed.release.counts["questions"] == len(opened.plans) == 15
    cells = [name for name in undisturbed.release.counts if name.startswith("cell:")]
    assert len(cells) == 15


def test_the_release_says_what_it_holds(undisturbed: Built) -> None:
    counts, opened = undisturbed.release.counts, undisturbed.opened()
    histories = construct.admitted_histories(opened)
    assert counts["instances"] == len(histories) == counts["questions"] * len(TINY.budgets)
    assert counts["placements"] == sum(len(history.placements) for history in histories)
    placed = {place.session_id for history in histories for place in history.placements}
    assert counts["sessions"] == len(placed)
    seconds = sum(clip.seconds for clip in construct.used_clips(opened))
    assert counts["unique_seconds"] == round(seconds)
    assert counts["placed_seconds"] > counts["unique_seconds"]
    assert undisturbed.release.licences["speech: tones"] == "CC0-1.0"
    assert undisturbed.release.versions["engine"] == "tones 1"
    assert any(name.startswith("sound: ") for name in undisturbed.release.licences)
    assert undisturbed.release.config == TINY.model_dump(mode="json")


def test_used_clips_are_those_of_the_histories_and_the_questions(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    wanted = {
        *(
            spec_of(turn)
            for history in construct.admitted_histories(opened)
            for place in history.placements
            for turn in opened.sessions[place.session_id].user_turns
        ),
        *(question_spec(question) for question in opened.questions.values()),
    }
    used = construct.used_clips(opened)
    assert {clip.spec for clip in used} == wanted
    assert [clip.clip_id for clip in used] == sorted(clip.clip_id for clip in used)
    assert len(used) < len(opened.clips), "the reserve of fillers is spoken and not released"


def test_every_clip_is_spoken_once(undisturbed: Built) -> None:
    specs = [clip.spec for clip in undisturbed.opened().clips.values()]
    assert len(specs) == len(set(specs))
    assert Counter(map(words, specs)) == undisturbed.rendered


def test_all_clips_passed_their_measured_checks(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    assert {check.subject for check in opened.checks} == set(opened.clips)
    assert [check for check in opened.checks if not check.passed] == []


def test_every_question_bears_out_its_consequences(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    checks = opened.root.tables.read("family_checks", Check, [opened.id])
    assert [check for check in checks if not check.passed] == []
    items = {history.item_id for history in opened.histories}
    assert {check.subject for check in checks} == items | set(opened.questions)


def test_paired_renditions_are_kept(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    kinds: Counter[tuple[bool, bool]] = Counter()
    for clip in construct.used_clips(opened):
        cued, loud = clip.spec.delivery != "neutral", clip.spec.sound is not None
        kinds[cued, loud] += 1
        assert (clip.pair_sha256 is not None) is (cued or loud)
        assert (clip.stem_sha256 is not None) is loud
    assert min(kinds[True, False], kinds[False, True], kinds[False, False]) > 0


# --- the same whatever the order --------------------------------------------------------------


def test_chunks_in_any_order_by_any_number_of_workers(undisturbed: Built, tmp_path: Path) -> None:
    tones = ToneEngine()

    def at_once(chunks: Sequence[Chunk]) -> Iterable[Chunk]:
        def speak(chunk: Chunk) -> None:
            opened = ToneBuild(open_root(tmp_path), TINY, tones)
            construct.speak(opened, chunk)
            construct.gate_clips(opened, chunk)

        with ThreadPoolExecutor(4) as workers:
            list(workers.map(speak, reversed(chunks)))
        return ()

    release = build(tmp_path, TINY, tones, order=at_once)
    assert release == undisturbed.release
    assert Counter(tones.rendered) == undisturbed.rendered


def test_another_seed_is_another_release(undisturbed: Built) -> None:
    other = TINY.model_copy(update={"seed": 2})
    assert other.build_id != TINY.build_id
    assert SMALL.build_id != TINY.build_id


# --- done once --------------------------------------------------------------------------------


def test_a_second_run_speaks_and_writes_nothing(undisturbed: Built) -> None:
    before, tones = files(undisturbed.folder), ToneEngine()
    again = build(undisturbed.folder, TINY, tones)
    assert again == undisturbed.release
    assert tones.rendered == []
    written = {name for name, when in files(undisturbed.folder).items() if before.get(name) != when}
    assert {name for name in written if not name.startswith("runs/")} == set()


def test_a_run_that_is_killed_goes_on_where_it_was(undisturbed: Built, tmp_path: Path) -> None:
    class Killed(BaseException):
        """Nothing in the project catches it, as nothing catches a kill."""

    class Mortal(ToneEngine):
        left = 100

        def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Audio:
            self.left -= 1
            if self.left < 0:
                raise Killed
            return super().render(text, voice, delivery, seed)

    first, second = Mortal(), ToneEngine()
    with pytest.raises(Killed):
        build(tmp_path, TINY, first)
    opened = ToneBuild(open_root(tmp_path), TINY, second)
    finished = [c for c in opened.chunks if opened.root.tables.has("clips", c.part)]
    assert 0 < len(finished) < len(opened.chunks)
    spoken = Counter(words(spec) for chunk in finished for spec in chunk.specs)
    assert spoken.total() > 50
    release = build(tmp_path, TINY, second)
    assert release.manifest_hash == undisturbed.release.manifest_hash
    assert Counter(second.rendered) == undisturbed.rendered - spoken


@pytest.mark.parametrize("stage", ["plans", "sessions", "allocations", "histories", "questions"])
def test_a_stage_whose_part_is_lost_is_done_again_to_the_same_end(
    copied: Built, stage: str
) -> None:
    opened, tones = copied.opened(), ToneEngine()
    opened.root.tables.path(stage, opened.id).unlink()
    assert build(copied.folder, TINY, tones) == copied.release
    assert tones.rendered == []


def test_a_lost_chunk_is_spoken_again_and_nothing_else(copied: Built) -> None:
    opened, tones = copied.opened(), ToneEngine()
    chunk = opened.chunks[1]
    opened.root.tables.path("clips", chunk.part).unlink()
    assert build(copied.folder, TINY, tones) == copied.release
    assert Counter(tones.rendered) == Counter(map(words, chunk.specs))


# --- what is damaged --------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["plans", "sessions", "allocations", "histories", "questions"])
def test_a_damaged_part_is_named(copied: Built, table: str) -> None:
    opened = copied.opened()
    path = opened.root.tables.path(table, opened.id)
    data = path.read_bytes()
    third = len(data) // 3
    path.write_bytes(data[:third] + bytes(third) + data[2 * third :])
    with pytest.raises(CorruptTable, match="cannot be read") as caught:
        build(copied.folder, TINY)
    assert caught.value.item == f"{table}/{opened.id}"
    assert "delete" in str(caught.value.remedy)


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
        def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Audio:
            if len(self.rendered) == 60:
                raise SpeechError("the engine is hoarse", item=text, stage="speak")
            return super().render(text, voice, delivery, seed)

    with pytest.raises(SpeechError, match="hoarse"):
        build(tmp_path, TINY, Hoarse())
    opened = ToneBuild(open_root(tmp_path), TINY)
    assert opened.root.tables.has("clips", opened.chunks[0].part)
    assert not opened.root.tables.has("clips", opened.chunks[-1].part)
    assert len(opened.plans) == 15


# --- what fails its gate ----------------------------------------------------------------------


def rejected(folder: Path, failing: set[ClipSpec]) -> tuple[Release, list[Rejection]]:
    """The release that is built when these clips fail, and what was left out."""

    def check_clip(clip: object, objects: object) -> list[Check]:
        spec, name = clip.spec, clip.clip_id  # type: ignore[attr-defined]
        return [Check(subject=name, check="level", passed=spec not in failing)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(construct, "check_clip", check_clip)
        release = build(folder, TINY)
    opened = ToneBuild(open_root(folder), TINY)
    return release, opened.root.tables.read("fit_rejections", Rejection, [opened.id])


@pytest.fixture
def unchecked(undisturbed: Built, tmp_path: Path) -> Built:
    """The release before the session gate: everything is spoken, nothing is checked."""
    folder = tmp_path / "unchecked"
    shutil.copytree(undisturbed.folder, folder)
    for table in ("session_checks", "histories", "questions"):
        shutil.rmtree(folder / "tables" / table)
    return Built(folder, undisturbed.release, undisturbed.rendered)


def test_evidence_that_fails_drops_its_question_and_the_variants(unchecked: Built) -> None:
    opened = unchecked.opened()
    variant = next(plan for plan in opened.plans if plan.question.gold is None)
    source = str(variant.question.source_question_id)
    plan = next(plan for plan in opened.plans if plan.question.question_id == source)
    evidence = plan.question.evidence_session_ids[0]
    failing = {spec_of(turn) for turn in opened.sessions[evidence].user_turns[:1]}
    release, rejections = rejected(unchecked.folder, failing)
    reasons = {row.question_id: row.reason for row in rejections}
    assert reasons[source] == f"its session {evidence} failed the session gate"
    assert variant.question.question_id in reasons
    assert {row.stage for row in rejections} == {"fit"}
    assert release.counts["questions"] == 15 - len(rejections)
    assert release.manifest_hash != unchecked.release.manifest_hash


def test_a_filler_that_fails_is_replaced(unchecked: Built) -> None:
    opened = unchecked.opened()
    (name,) = {
        place.session_id
        for place in opened.allocations[opened.plans[0].question.question_id].fillers[:1]
    }
    failing = {spec_of(turn) for turn in opened.sessions[name].user_turns}
    release, rejections = rejected(unchecked.folder, failing)
    assert rejections == []
    assert release.counts["questions"] == 15
    again = ToneBuild(open_root(unchecked.folder), TINY)
    assert name not in {
        place.session_id for history in again.histories for place in history.placements
    }


# --- chunks -----------------------------------------------------------------------------------


def specs(count: int) -> dict[str, ClipSpec]:
    return {
        f"{at:03d}": ClipSpec(text=f"This is sentence number {at} of them.", voice="p01")
        for at in range(count)
    }


def test_chunks_hold_every_clip_once_in_the_order_of_their_ids() -> None:
    given = specs(40)
    chunks = cut(dict(reversed(given.items())), 20.0)
    assert [spec for chunk in chunks for spec in chunk.specs] == list(given.values())
    assert len({chunk.part for chunk in chunks}) == len(chunks) > 3
    assert cut(given, 20.0) == chunks


def test_a_chunk_is_named_by_its_clips() -> None:
    (one,), (other,) = cut(specs(3), 1e6), cut(specs(4), 1e6)
    assert one.part != other.part
    assert cut({}, 10.0) == ()


def test_tones_are_as_the_interface_says() -> None:
    engine = ToneEngine()
    cued, plain = engine.render_pair("Hello there.", "p01", "slow")
    assert (plain == tone("Hello there.", "p01", "neutral")).all()
    assert cued.size > plain.size
