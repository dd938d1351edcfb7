"""Traces that would let somebody cheat, planted in a release, and the probe that finds them
(VoxMem, B.6). The probe must find nothing in the release as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutations.benchmark import CONFIG, Benchmark
from tests.mutations.mutation import Mutation, Mutations
from voxmem.build import Build
from voxmem.construct.probe import probe
from voxmem.errors import ConstructionError
from voxmem.quality.probes import Probe, ReleaseView, tasks
from voxmem.quality.probes.classify import LIMIT, Task, run
from voxmem.records import History, Length, Placement, Question, Turn
from voxmem.store.root import open_root
from voxmem.taxonomy import EvidenceType

SEED = 1
PROBES: Mutations[ReleaseView] = Mutations()
finds = PROBES.caught_by


def release(built: Benchmark) -> ReleaseView:
    return built.view


def two_thirds(built: Benchmark) -> ReleaseView:
    """As many questions as a probe needs: some take seconds."""
    view = built.view
    kept = [item for at, item in enumerate(view.answerable) if at % 3]
    return replace(view, questions=kept)


def task_of(view: ReleaseView, name: str) -> Task:
    return next(task for task in tasks(view) if task.name == name)


# --- which sessions ---------------------------------------------------------------------------


def evidence_of(view: ReleaseView) -> set[str]:
    return {name for question in view.answerable for name in question.evidence_session_ids}


def rewritten(
    view: ReleaseView, names: set[str], change: Callable[[Turn], Turn], role: str = "user"
) -> ReleaseView:
    """Every turn of one side of some sessions changed."""
    sessions = {
        name: session.model_copy(
            update={
                "turns": tuple(
                    change(turn) if turn.role == role else turn for turn in session.turns
                )
            }
        )
        if name in names
        else session
        for name, session in view.sessions.items()
    }
    return replace(view, sessions=sessions)


def saying(word: str) -> Callable[[Turn], Turn]:
    return lambda turn: turn.model_copy(update={"text": f"{turn.text} {word}"})


# --- the role of a session --------------------------------------------------------------------


@finds("evidence or haystack, from text", two_thirds)
def a_word_that_only_evidence_has(view: ReleaseView) -> ReleaseView:
    return rewritten(view, evidence_of(view), saying("Mark this."))


@finds("evidence, from assistant text", two_thirds)
def replies_that_know_what_matters(view: ReleaseView) -> ReleaseView:
    return rewritten(view, evidence_of(view), saying("Worth keeping."), "assistant")


@finds("evidence, from length", two_thirds)
def evidence_that_lasts_longer(view: ReleaseView) -> ReleaseView:
    def longer(name: str, length: Length) -> Length:
        more = 5.0 if name in evidence_of_view else 0.0
        return length.model_copy(update={"audio_seconds": length.audio_seconds + more})

    evidence_of_view = evidence_of(view)
    return replace(view, lengths={name: longer(name, held) for name, held in view.lengths.items()})


@finds("evidence, from turn counts", two_thirds)
def evidence_that_goes_on(view: ReleaseView) -> ReleaseView:
    """A turn and a reply more than any other session has."""
    most = max(len(session.turns) for session in view.sessions.values())
    sessions = dict(view.sessions)
    for name in evidence_of(view):
        turns = sessions[name].turns
        more = (turns * most)[: most + 2]
        sessions[name] = sessions[name].model_copy(update={"turns": more})
    return replace(view, sessions=sessions)


def placed(view: ReleaseView, change: Callable[[History], History]) -> ReleaseView:
    histories = {name: [change(item) for item in own] for name, own in view.histories.items()}
    return replace(view, histories=histories)


@finds("evidence, from position", two_thirds)
def evidence_that_comes_first(view: ReleaseView) -> ReleaseView:
    def first(history: History) -> History:
        places = sorted(history.placements, key=lambda place: place.role != "evidence")
        return history.model_copy(update={"placements": tuple(places)})

    return placed(view, first)


@finds("evidence, from timestamp", two_thirds)
def evidence_on_the_hour(view: ReleaseView) -> ReleaseView:
    def sharp(place: Placement) -> Placement:
        if place.role != "evidence":
            return place
        when = place.timestamp.replace(minute=0)
        return place.model_copy(update={"timestamp": when})

    def change(history: History) -> History:
        return history.model_copy(update={"placements": tuple(map(sharp, history.placements))})

    return placed(view, change)


# --- refusal ----------------------------------------------------------------------------------


@finds("refusal or source, from text", release)
def replacements_that_apologise(view: ReleaseView) -> ReleaseView:
    """A word in the sessions that only variants hold."""
    held: dict[bool, set[str]] = {True: set(), False: set()}
    for question in view.questions:
        longest = view.histories[question.question_id][-1]
        held[question.gold is None].update(place.session_id for place in longest.placements)
    return rewritten(view, held[True] - held[False], saying("Never mind."))


@finds("refusal or source, from lengths and counts", release)
def variants_that_are_longer(view: ReleaseView) -> ReleaseView:
    histories = dict(view.histories)
    for question in view.questions:
        if question.gold is None:
            histories[question.question_id] = [
                item.model_copy(update={"length": plus_a_clip(item.length)})
                for item in view.histories[question.question_id]
            ]
    return replace(view, histories=histories)


def plus_a_clip(length: Length) -> Length:
    """Longer than what a source is short of its budget."""
    return length.model_copy(update={"text_tokens": length.text_tokens + 400})


# --- the gold ---------------------------------------------------------------------------------


def halves(view: ReleaseView) -> dict[str, bool]:
    """Question → whether its gold is of the upper half of the answers of its kind."""
    task = task_of(view, "gold, from the question")
    return {name: half == "upper" for name, half in zip(task.groups, task.classes, strict=True)}


@finds("gold, from the question", release)
def wordings_that_expect_an_answer(view: ReleaseView) -> ReleaseView:
    upper = halves(view)

    def leading(question: Question) -> Question:
        if question.question_id not in upper:
            return question
        word = "Surely" if upper[question.question_id] else "Hardly"
        return question.model_copy(update={"text": f"{word}: {question.text}"})

    return replace(view, questions=[leading(item) for item in view.questions])


@finds("gold, from the other channels", release)
def backgrounds_that_go_with_the_answer(view: ReleaseView) -> ReleaseView:
    """Rain or birds behind the evidence, where nobody asks for sounds."""
    sound: dict[str, str] = {}
    upper = halves(view)
    for question in view.answerable:
        if question.question_id in upper:
            if question.evidence_type is not EvidenceType.ENVIRONMENTAL:
                heard = "rain" if upper[question.question_id] else "birds"
                sound.update(dict.fromkeys(question.evidence_session_ids, heard))
    sessions = dict(view.sessions)
    for name, heard in sound.items():
        turns = (
            turn.model_copy(update={"sound": heard}) if turn.role == "user" else turn
            for turn in sessions[name].turns
        )
        sessions[name] = sessions[name].model_copy(update={"turns": tuple(turns)})
    return replace(view, sessions=sessions)


# --- the gate ---------------------------------------------------------------------------------


@PROBES.each()
def test_the_probe_finds_the_trace(built: Benchmark, mutation: Mutation[ReleaseView]) -> None:
    view = mutation.base(built)
    sound = run(task_of(view, mutation.caught_by), SEED)
    assert not sound.detail, "it was not tried"
    # Over so few questions its upper limit may pass the line by chance, as a build twice as large
    # would not let it; the planted trace shows beyond any doubt.
    assert sound.accuracy <= LIMIT, sound
    found = run(task_of(mutation.change(view), mutation.caught_by), SEED)
    assert not found.passed
    assert found.low > LIMIT, found


def test_a_build_ends_with_the_probe_that_succeeds(built: Benchmark, tmp_path: Path) -> None:
    name = "gold, from the question"
    row = run(task_of(wordings_that_expect_an_answer(built.view), name), SEED)
    build = Build(open_root(tmp_path), CONFIG)
    build.root.tables.write("probes", build.id, [row], Probe)
    with pytest.raises(ConstructionError, match="is recognised in") as caught:
        probe(build)
    assert caught.value.item == name
