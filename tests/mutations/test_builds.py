"""Faults that only a whole build shows, and what the gate does about faults of either kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from tests.mutations.benchmark import CONFIG, Benchmark, asking
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.build import Build
from voxmem.construct.gate import gate_families
from voxmem.construct.tallies import Rejection
from voxmem.errors import ConstructionError
from voxmem.history.assembly import Assembly
from voxmem.history.eligibility import route_of
from voxmem.history.reuse import check_reuse
from voxmem.quality.positions import check_positions
from voxmem.records import Check, History, Placement, Role
from voxmem.store.root import open_root

BUILDS: Mutations[Assembly] = Mutations()
breaks = BUILDS.caught_by


def everything(built: Benchmark) -> Assembly:
    return built.assembly


def rearranged(assembly: Assembly, change: Callable[[History], History]) -> Assembly:
    """All histories of answerable questions changed."""
    histories = {
        name: [change(item) for item in own]
        if assembly.plan_of[name].question.gold is not None
        else own
        for name, own in assembly.histories.items()
    }
    return replace(assembly, histories=histories)


def ordered(history: History, rank: Callable[[Placement], int]) -> History:
    """The same sessions at the same times, in another order."""
    moments = [place.timestamp for place in history.placements]
    placements = sorted(history.placements, key=rank)
    return history.model_copy(
        update={
            "placements": tuple(
                place.model_copy(update={"timestamp": when})
                for place, when in zip(placements, moments, strict=True)
            )
        }
    )


@breaks("positions_uniform", everything)
def evidence_comes_last(assembly: Assembly) -> Assembly:
    return rearranged(assembly, lambda item: ordered(item, lambda place: place.role == "evidence"))


@breaks("positions_uniform", everything)
def fillers_stand_at_both_ends(assembly: Assembly) -> Assembly:
    """Half of the fillers come first and half of them last."""

    def apart(history: History) -> History:
        fillers = [place for place in history.placements if place.role == "filler"]
        first = set(fillers[: len(fillers) // 2])
        return ordered(history, lambda place: (place.role == "filler") - 2 * (place in first))

    return rearranged(assembly, apart)


def sharing(
    assembly: Assembly, role: Role, name: str, questions: Iterable[str], count: int
) -> Assembly:
    """So many more of the longest histories hold one and the same session in a role."""
    changed = dict(assembly.histories)
    free = (
        question
        for question in questions
        if all(place.session_id != name for place in changed[question][-1].placements)
    )
    for question in islice(free, count):
        *shorter, longest = changed[question]
        old = next(place for place in longest.placements if place.role == role)
        placements = [
            place.model_copy(update={"session_id": name}) if place == old else place
            for place in longest.placements
        ]
        longest = longest.model_copy(update={"placements": tuple(placements)})
        changed[question] = [*shorter, longest]
    return replace(assembly, histories=changed)


@breaks("filler_uses", everything)
def a_filler_too_often(assembly: Assembly) -> Assembly:
    """A filler that some history holds, in as many more as the cap allows for all."""
    held = {
        question: [place.session_id for place in own[-1].placements if place.role == "filler"]
        for question, own in assembly.histories.items()
    }
    holding = [question for question, fillers in held.items() if fillers]
    name = held[holding[0]][0]
    return sharing(assembly, "filler", name, holding, CONFIG.filler_uses)


@breaks("haystack_uses", everything)
def a_borrowed_session_too_often(assembly: Assembly) -> Assembly:
    """A session that one question borrows, by as many more of its route as may borrow it."""
    borrowing = [
        name
        for name, own in assembly.histories.items()
        if assembly.plan_of[name].question.source_question_id is None
        and any(place.role == "topical_haystack" for place in own[-1].placements)
    ]
    routes = Counter(route_of(assembly.plan_of[name].question) for name in borrowing)
    (route, _), *_ = routes.most_common(1)
    alike = [name for name in borrowing if route_of(assembly.plan_of[name].question) == route]
    placements = assembly.histories[alike[0]][-1].placements
    shared = next(place.session_id for place in placements if place.role == "topical_haystack")
    return sharing(assembly, "topical_haystack", shared, alike, CONFIG.haystack_uses)


def failed(assembly: Assembly) -> set[str]:
    answerable = [
        history
        for name, own in assembly.histories.items()
        if assembly.plan_of[name].question.gold is not None
        for history in own
    ]
    rows = [*check_reuse(assembly), *check_positions(answerable)]
    return {row.check for row in rows if not row.passed}


@BUILDS.each()
def test_the_whole_build_fails(built: Benchmark, mutation: Mutation[Assembly]) -> None:
    assembly = mutation.base(built)
    assert failed(assembly) == set()
    assert failed(mutation.change(assembly)) == {mutation.caught_by}


# --- what the gate does -----------------------------------------------------------------------


def rebuilt(built: Benchmark, folder: Path, assembly: Assembly) -> Build:
    """A build that has come as far as the gate, with other rows."""
    build = Build(open_root(folder), CONFIG)
    vars(build).update(
        plans=list(assembly.plans),
        sessions=assembly.sessions,
        fitted=[history for own in assembly.histories.values() for history in own],
        fit_notes=list(assembly.notes),
    )
    return build


def test_a_question_with_a_fault_is_not_admitted(built: Benchmark, tmp_path: Path) -> None:
    """Nor are its refusal variants; the reason is kept by name, and the others are not touched."""
    faulty, sound = asking(q.Sum)(built), asking(q.Latest)(built)
    names = [plan.question.question_id for plan in (faulty, sound)]
    histories = {name: list(built.assembly.histories[name]) for name in names}
    shortest = histories[names[0]][0]
    kept = [place for place in shortest.placements if place.role != "evidence"]
    histories[names[0]][0] = shortest.model_copy(update={"placements": tuple(kept)})
    build = rebuilt(built, tmp_path, replace(built.assembly, histories=histories))
    assert gate_families(build) == 1
    (rejection,) = build.root.tables.read("family_rejections", Rejection)
    assert rejection.question_id == names[0]
    assert rejection.reason.startswith("roles: ")
    assert list(build.questions) == names[1:]


def test_a_fault_of_the_whole_build_ends_it(built: Benchmark, tmp_path: Path) -> None:
    """The row that failed is kept, and nothing is admitted."""
    names = [name for name, plan in built.plans.items() if plan.question.gold is not None][:60]
    some = replace(
        built.assembly, histories={name: built.assembly.histories[name] for name in names}
    )
    build = rebuilt(built, tmp_path, evidence_comes_last(some))
    with pytest.raises(ConstructionError, match="positions_uniform fails"):
        gate_families(build)
    rows = build.root.tables.read("family_checks", Check)
    assert "positions_uniform" in {row.check for row in rows if not row.passed}
    assert not build.has("questions")
