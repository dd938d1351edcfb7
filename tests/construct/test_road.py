"""The construction road: the same whatever the order, done once, and picked up where it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.construct.built import Built, files, words
from tests.fake_speech import ToneEngine
from tests.small_build import TINY, ToneBuild, build
from voxmem import construct
from voxmem.build import Chunk
from voxmem.construct.tallies import Rejection
from voxmem.records import Check
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.engine import Rendition
from voxmem.store.release import verify
from voxmem.store.root import open_root

STAGES = {
    "allocations",
    "clips",
    "counts",
    "family_checks",
    "family_rejections",
    "filler_rejections",
    "fit_notes",
    "fit_rejections",
    "fitted",
    "histories",
    "plan_rejections",
    "plans",
    "probes",
    "questions",
    "session_checks",
    "retakes",
    "sessions",
}


# --- what comes of it -------------------------------------------------------------------------


def test_every_stage_leaves_its_part(undisturbed: Built) -> None:
    tables = undisturbed.opened().root.tables
    assert set(tables.names()) == STAGES
    assert verify(open_root(undisturbed.folder), undisturbed.release) == []


def test_every_answerable_question_is_in_the_release(undisturbed: Built) -> None:
    opened = undisturbed.opened()
    read = opened.root.tables.read
    assert read("fit_rejections", Rejection, [opened.id]) == []
    assert read("family_rejections", Rejection, [opened.id]) == []
    questions = {plan.question.question_id for plan in opened.plans if plan.question.gold}
    assert questions == {name for name, item in opened.questions.items() if item.gold is not None}
    assert undisturbed.release.counts["questions"] == 15
    assert undisturbed.release.counts["questions lacking"] == 0
    cells = [name for name in undisturbed.release.counts if name.startswith("cell:")]
    assert len(cells) == 15


def test_the_release_says_what_it_holds(undisturbed: Built) -> None:
    counts, opened = undisturbed.release.counts, undisturbed.opened()
    histories = opened.histories
    assert counts["instances"] == len(histories) == counts["questions"] * len(TINY.budgets)
    assert counts["placements"] == sum(len(history.placements) for history in histories)
    placed = {place.session_id for history in histories for place in history.placements}
    assert counts["sessions"] == len(placed)
    turns = [turn for name in placed for turn in opened.sessions[name].user_turns]
    seconds = sum(opened.clips[opened.clip_id(spec_of(turn))].seconds for turn in turns)
    assert counts["unique_seconds"] == pytest.approx(seconds, abs=1)
    assert counts["clips"] == len(construct.used_clips(opened))
    for budget in TINY.budgets:
        own = [item.length for item in histories if item.budget == budget.name]
        assert counts[f"{budget.name}: clips"] == round(sum(i.clips for i in own) / len(own))
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
            for history in opened.histories
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
    items = {history.item_id for history in opened.fitted}
    assert {check.subject for check in checks} > items | set(opened.fitted_of)


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
            construct.speak(ToneBuild(open_root(tmp_path), TINY, tones), chunk)

        with ThreadPoolExecutor(4) as workers:
            list(workers.map(speak, reversed(chunks)))
        return ()

    release = build(tmp_path, TINY, tones, order=at_once)
    assert release == undisturbed.release
    assert Counter(tones.rendered) == undisturbed.rendered


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

        def render(
            self, text: str, voice: str, delivery: str = "neutral", seed: int = 0
        ) -> Rendition:
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


def test_a_lost_chunk_is_spoken_again_and_nothing_else(copied: Built) -> None:
    opened, tones = copied.opened(), ToneEngine()
    chunk = opened.chunks[1]
    opened.root.tables.path("clips", chunk.part).unlink()
    assert build(copied.folder, TINY, tones) == copied.release
    assert Counter(tones.rendered) == Counter(map(words, chunk.specs))
