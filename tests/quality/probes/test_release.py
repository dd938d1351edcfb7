"""What the probes ask of a release: nothing is found in a clean one, and every plant is."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from tests.quality.probes.builders import START, Bench, Made, probed, task
from voxmem.quality.probes import PROBES, run_probes, tasks
from voxmem.quality.probes import probe as register
from voxmem.quality.probes.classify import LIMIT
from voxmem.quality.probes.roles import PER_QUESTION, ROLES

TRACES = ("length", "position", "timestamp", "turn counts", "assistant text")


# --- what there is ----------------------------------------------------------------------------


def test_every_role_is_probed_by_every_trace_and_everything_has_a_name_of_its_own() -> None:
    names = [item.name for item in tasks(Bench(3, refusals=2).view())]
    assert len(set(names)) == len(names)
    assert {f"{role}, from {trace}" for role in ROLES for trace in TRACES} <= set(names)
    assert {
        "evidence or haystack, from text",
        "refusal or source, from text",
        "refusal or source, from lengths and counts",
        "gold, from the question",
        "gold, from the other channels",
    } <= set(names)


def test_a_release_that_is_too_small_says_so() -> None:
    rows = run_probes(Bench(5, refusals=2).view(), 1)
    assert rows
    assert all(row.passed and row.detail.startswith("not tried") for row in rows)


def test_a_probe_is_registered_under_its_functions_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voxmem.quality.probes.PROBES", registry := dict(PROBES))

    def of_my_own(view: object) -> list[object]:
        return []

    assert register(of_my_own) is of_my_own  # type: ignore[arg-type]
    assert registry["of_my_own"] is of_my_own


# --- samples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_compared_with_as_many_of_the_others(role: str) -> None:
    view = Bench(4).view()
    asked = task(view, f"{role}, from length")
    counts = Counter(zip(asked.groups, asked.classes, strict=True))
    for question in view.questions:
        own, others = counts[question.question_id, role], counts[question.question_id, "other"]
        assert own == others
        assert 2 <= own <= PER_QUESTION


def test_evidence_is_compared_with_same_key_distractors_alone() -> None:
    def name_it(made: Made) -> None:
        made.user = made.role

    asked = task(Bench(3, plant=name_it).view(), "evidence or haystack, from text")
    words = {(name, text.split()[0]) for name, text in zip(asked.classes, asked.rows, strict=True)}
    assert words == {("evidence", "evidence"), ("haystack", "samekey_haystack")}
    assert Counter(asked.classes) == {"evidence": 6, "haystack": 6}


def test_a_session_is_seen_with_its_gaps_and_its_place() -> None:
    view = Bench(1).view()
    (question,) = view.questions
    places = view.longest(question).placements
    rows = task(view, "filler, from position").rows
    assert {row[0] + row[1] for row in rows} == {len(places) - 1}
    stamps = task(view, "filler, from timestamp").rows
    for row in stamps:
        (when,) = (
            place.timestamp
            for at, place in enumerate(places)
            if (place.timestamp.hour, place.timestamp.minute, place.timestamp.day)
            == (row[0], row[1], row[3])
        )
        at = [place.timestamp for place in places].index(when)
        before = places[at - 1].timestamp if at else when
        assert row[4] == (when - before).total_seconds() / 3600


def test_lengths_and_turns_are_the_sessions_own() -> None:
    def measure(made: Made) -> None:
        made.turns, made.seconds = (3, 7.0) if made.role == "filler" else (5, 9.0)

    view = Bench(2, plant=measure).view()
    for name, own, other in (
        ("filler, from length", (7.0, 350, 36), (9.0, 450, 60)),
        ("filler, from turn counts", (3, 6), (5, 10)),
    ):
        seen = task(view, name)
        pairs = set(zip(seen.classes, seen.rows, strict=True))
        assert pairs == {("filler", own), ("other", other)}


def test_samples_are_the_same_every_time() -> None:
    one, two = (task(Bench(6).view(), "filler, from length") for _ in range(2))
    assert one == two


# --- clean ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["evidence or haystack, from text", "filler, from assistant text"])
def test_nothing_is_found_where_there_is_nothing(name: str) -> None:
    found = probed(Bench(130, seed=2).view(), name)
    assert found.passed
    assert found.groups == 130
    assert found.low < 0.5 < found.high <= LIMIT


@pytest.mark.slow
def test_nothing_at_all_is_found_in_a_clean_release() -> None:
    rows = run_probes(Bench(300, refusals=120, seed=2).view(), 1)
    assert [row.probe for row in rows if not row.passed] == []
    assert all(row.detail in ("", "reported only") or "not tried" in row.detail for row in rows)


# --- planted ----------------------------------------------------------------------------------


def _wordy(made: Made) -> None:
    if made.role == "evidence":
        made.user += " actually"


def _polite(made: Made) -> None:
    if made.role == "filler":
        made.reply += " indeed"


def _central(made: Made) -> None:
    """Evidence is never at either end, which no straight line sees."""
    if made.role == "evidence":
        days = (made.when - START) / timedelta(days=180)
        made.when = START + timedelta(days=80 + 20 * days)


def _punctual(made: Made) -> None:
    if made.role == "samekey_haystack":
        made.when = made.when.replace(hour=9, minute=0)


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("evidence or haystack, from text", _wordy),
        ("filler, from assistant text", _polite),
        ("evidence, from position", _central),
        ("samekey_haystack, from timestamp", _punctual),
    ],
)
def test_what_gives_a_role_away_is_found(name: str, plant: object) -> None:
    found = probed(Bench(plant=plant).view(), name)  # type: ignore[arg-type]
    assert not found.passed
    assert found.low > 0.55


def test_a_plant_elsewhere_is_not_found() -> None:
    """Each probe looks at one kind of trace: words of the user tell nothing about replies."""
    assert probed(Bench(130, plant=_wordy).view(), "evidence, from assistant text").passed


# --- a refusal item and its source ------------------------------------------------------------


def test_a_variant_that_is_its_source_cannot_be_told() -> None:
    view = Bench(12, refusals=12).view()
    for name in ("refusal or source, from text", "refusal or source, from lengths and counts"):
        asked = task(view, name)
        assert Counter(asked.classes) == {"refusal": 12, "source": 12}
        assert len(set(asked.groups)) == 12
        assert asked.rows[::2] == asked.rows[1::2]


def test_a_replacement_with_words_of_its_own_gives_a_variant_away() -> None:
    view = Bench(102, refusals=102).view()
    for question in view.questions:
        if question.source_question_id is None:
            continue
        (history,) = view.histories[question.question_id]
        name = f"{question.question_id}_new"
        old = view.sessions[history.placements[0].session_id]
        turns = tuple(
            turn.model_copy(update={"text": f"{turn.text} instead"}) for turn in old.turns
        )
        new = old.model_copy(update={"session_id": name, "turns": turns})
        view.sessions[name] = new  # type: ignore[index]
        place = history.placements[0].model_copy(update={"session_id": name, "role": "replacement"})
        placements = (place, *history.placements[1:])
        changed = history.model_copy(update={"placements": placements})
        view.histories[question.question_id] = [changed]  # type: ignore[index]
    found = probed(view, "refusal or source, from text")
    assert not found.passed


def test_a_variant_without_its_source_is_left_out() -> None:
    view = Bench(4, refusals=4).view()
    left = [item for item in view.questions if item.question_id != "q000"]
    fewer = type(view)(left, view.histories, view.sessions, view.lengths, view.seed)
    assert set(task(fewer, "refusal or source, from text").groups) == {"q001", "q002", "q003"}


def test_fillers_are_the_same_in_both_and_not_looked_at() -> None:
    def name_it(made: Made) -> None:
        made.user = made.role

    asked = task(Bench(2, plant=name_it, refusals=2).view(), "refusal or source, from text")
    assert all("filler" not in text and "evidence" in text for text in asked.rows)
