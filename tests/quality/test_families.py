"""The family gate: every consequence of every question, at every budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from tests.history.builders import CONFIG, World, world
from voxmem.history.assembly import Assembly
from voxmem.plan.validate import check_question
from voxmem.quality.families import check_families
from voxmem.records import Check, Cue, Fact, History, Plan, Session
from voxmem.semantics import observe_all
from voxmem.semantics.consequences import ANSWERABLE_CONSEQUENCES, REFUSAL_CONSEQUENCES

WORLD: World = world()


def alone(name: str, assembly: Assembly = WORLD.assembly) -> Assembly:
    """The assembly with the histories of one question (and its source) alone."""
    source = assembly.plan_of[name].question.source_question_id
    kept = {key: assembly.histories[key] for key in (name, source) if key}
    return Assembly(
        assembly.config, assembly.plans, kept, assembly.sessions, assembly.lengths, assembly.notes
    )


def failed(rows: Iterable[Check]) -> set[str]:
    return {row.check for row in rows if not row.passed}


def with_session(name: str, session: Session) -> Assembly:
    """The histories of a question, with one session's annotations changed."""
    assembly = alone(name)
    sessions = {**assembly.sessions, session.session_id: session}
    return Assembly(assembly.config, assembly.plans, assembly.histories, sessions, assembly.lengths)


def test_a_whole_benchmark_passes() -> None:
    assert [row for row in check_families(WORLD.assembly) if not row.passed] == []


def test_every_consequence_has_a_row_at_every_budget() -> None:
    for name, expected in (
        ("q_mine000", ANSWERABLE_CONSEQUENCES),
        ("q_mine000r", REFUSAL_CONSEQUENCES),
    ):
        rows = check_families(alone(name))
        for history in WORLD.histories[name]:
            assert set(expected) <= {row.check for row in rows if row.subject == history.item_id}
    assert {row.check for row in check_families(alone("q_mine000"))} >= {
        "nested", "chance_level", "haystack_uses", "filler_uses",
    }  # fmt: skip


@pytest.mark.parametrize("name", [plan.question.question_id for plan in WORLD.plans[::5]])
def test_what_a_question_cannot_look_at_decides_nothing(name: str) -> None:
    """The short way round comes to what whole histories come to."""
    question = WORLD.plan(name).question
    rows = check_families(alone(name))
    for history in WORLD.histories[name]:
        whole = check_question(question, observe_all(history.placements, WORLD.sessions))
        mine = {row.check for row in rows if row.subject == history.item_id and not row.passed}
        assert mine == {item.consequence for item in whole} == set()


def in_two(function: Callable[[Any], Any], items: Iterable[Any], /) -> Iterator[Any]:
    with ProcessPoolExecutor(2) as pool:
        yield from pool.map(function, items)


def test_rows_do_not_depend_on_how_the_work_is_spread() -> None:
    names = [plan.question.question_id for plan in WORLD.plans[::3]]
    some = Assembly(
        CONFIG,
        WORLD.plans,
        {name: WORLD.histories[name] for name in names if not name.endswith("r")},
        WORLD.sessions,
        WORLD.lengths,
        WORLD.fitted.notes,
    )
    assert check_families(some, mapper=in_two) == check_families(some)


# --- mutations --------------------------------------------------------------------------------


def filler_of(name: str) -> Session:
    """A filler of the shortest history of a question."""
    place = next(p for p in WORLD.histories[name][0].placements if p.role == "filler")
    return WORLD.sessions[place.session_id]


def saying(session: Session, *facts: Fact, **changes: Any) -> Session:
    first, *rest = session.turns
    turns = (first.model_copy(update={"facts": facts, **changes}), *rest)
    return session.model_copy(update={"turns": turns})


def evidence(plan: Plan) -> Session:
    return WORLD.sessions[plan.question.evidence_session_ids[0]]


def test_a_gold_leaked_into_a_filler() -> None:
    """A filler that says of the same thing what another session says of it."""
    plan = WORLD.plan("q_told000")
    fact = next(turn.facts[0] for turn in evidence(plan).turns if turn.facts)
    leak = saying(filler_of("q_told000"), fact.model_copy(update={"value": 7}))
    assert {"roles", "gold_recomputed"} <= failed(check_families(with_session("q_told000", leak)))


def test_a_refusal_that_a_filler_answers() -> None:
    """The removed evidence, said again in a filler."""
    plan = WORLD.plan("q_mine000")
    fact = next(turn.facts[0] for turn in evidence(plan).turns if turn.facts)
    speaker = plan.question.asker
    place = next(
        p
        for p in WORLD.histories["q_mine000r"][0].placements
        if p.role == "filler" and p.session_id.endswith(speaker)
    )
    leak = saying(WORLD.sessions[place.session_id], fact)
    found = failed(check_families(with_session("q_mine000r", leak)))
    assert {"roles", "refused_for_its_reason"} <= found


def test_evidence_without_its_cue() -> None:
    plan = WORLD.plan("q_voiced000")
    session = evidence(plan)
    turns = tuple(turn.model_copy(update={"cues": ()}) for turn in session.turns)
    flat = session.model_copy(update={"turns": turns})
    assert failed(check_families(with_session("q_voiced000", flat))) == {"gold_recomputed"}


def test_a_second_cue_in_the_evidence() -> None:
    session = evidence(WORLD.plan("q_voiced001"))
    turns = list(session.turns)
    at = next(n for n, turn in enumerate(turns) if turn.role == "user" and not turn.cues)
    cue = Cue(dimension="vocal_state", value="whispered")
    turns[at] = turns[at].model_copy(update={"cues": (cue,)})
    mixed = session.model_copy(update={"turns": tuple(turns)})
    assert "gold_recomputed" in failed(check_families(with_session("q_voiced001", mixed)))


def test_another_voice_in_the_evidence() -> None:
    plan = WORLD.plan("q_mine001")
    other = next(persona for persona in plan.cast if persona != plan.question.asker)
    session = evidence(plan)
    turns = tuple(
        turn.model_copy(update={"speaker": other}) if turn.role == "user" else turn
        for turn in session.turns
    )
    spoken = session.model_copy(update={"turns": turns})
    assert "gold_recomputed" in failed(check_families(with_session("q_mine001", spoken)))


def test_distractors_that_all_sound_like_the_evidence() -> None:
    """Then the topic alone gives the count that the sound is asked for."""
    name = "q_heard000"
    plan = WORLD.plan(name)
    gone = {item.session_id for item in plan.sessions if item.role == "samekey_haystack"}
    gone |= {p.session_id for p in WORLD.histories[name][-1].placements if p.role.startswith("top")}
    sessions = dict(WORLD.sessions)
    for item in gone:
        sessions[item] = sessions[item].model_copy(update={"topic": "something else"})
    assembly = Assembly(CONFIG, WORLD.plans, {name: WORLD.histories[name]}, sessions, WORLD.lengths)
    assert "shortcut_fails" in failed(check_families(assembly))


def reordered(name: str, order: tuple[int, ...]) -> Assembly:
    """The evidence of a question at each other's times."""
    ids = WORLD.plan(name).question.evidence_session_ids
    histories = []
    for history in WORLD.histories[name]:
        when = {p.session_id: p.timestamp for p in history.placements}
        moved = {ids[at]: when[ids[slot]] for slot, at in enumerate(order)}
        places = [
            p.model_copy(update={"timestamp": moved.get(p.session_id, p.timestamp)})
            for p in history.placements
        ]
        places.sort(key=lambda p: p.timestamp)
        histories.append(history.model_copy(update={"placements": tuple(places)}))
    assembly = alone(name)
    return Assembly(CONFIG, WORLD.plans, {name: tuple(histories)}, assembly.sessions, WORLD.lengths)


def test_a_swapped_order_of_states() -> None:
    found = failed(check_families(reordered("q_updated000", (0, 2, 1))))
    assert {"timestamps", "gold_recomputed"} <= found


def test_orders_that_do_not_matter_are_no_fault_of_the_answer() -> None:
    for order in permutations(range(2)):
        found = failed(check_families(reordered("q_told000", order)))
        assert "gold_recomputed" not in found
        assert "order" not in found


def dropped(name: str, session_id: str) -> Assembly:
    histories: tuple[History, ...] = tuple(
        item.model_copy(
            update={"placements": tuple(p for p in item.placements if p.session_id != session_id)}
        )
        for item in WORLD.histories[name]
    )
    return Assembly(CONFIG, WORLD.plans, {name: histories}, WORLD.sessions, WORLD.lengths)


def test_a_dropped_evidence_session() -> None:
    name = "q_told001"
    gone = WORLD.plan(name).question.evidence_session_ids[0]
    assert {"roles", "gold_recomputed"} <= failed(check_families(dropped(name, gone)))


def test_a_day_late_for_one_budget_alone() -> None:
    """What is wrong at one budget is found at that budget."""
    name = "q_mine002"
    plan = WORLD.plan(name)
    fact = next(turn.facts[0] for turn in evidence(plan).turns if turn.facts)
    short, *_, long = WORLD.histories[name]
    known = {p.session_id for p in short.placements}
    late = next(
        p
        for p in long.placements
        if p.role == "filler"
        and p.session_id not in known
        and p.session_id.endswith(plan.question.asker)
    )
    leak = saying(WORLD.sessions[late.session_id], fact)
    rows = check_families(with_session(name, leak))
    bad = {row.subject for row in rows if row.check == "gold_recomputed" and not row.passed}
    assert long.item_id in bad
    assert short.item_id not in bad


# --- chance -----------------------------------------------------------------------------------


def chance(name: str) -> Check:
    return next(row for row in check_families(alone(name)) if row.check == "chance_level")


def test_the_chance_level_of_a_closed_question_is_one_over_its_options() -> None:
    row = chance("q_voiced000")
    assert row.value == pytest.approx(1 / 4)


def test_the_chance_level_of_a_fact_is_that_of_its_options() -> None:
    row = chance("q_updated000")
    assert row.value is not None
    assert row.value <= 1 / 5


def test_the_chance_level_of_a_voice_is_that_of_the_voices_facts() -> None:
    """Whoever cannot tell voices apart has the asker's fact and the others' to choose from."""
    row = chance("q_mine000")
    assert row.detail == "2 answers remain possible under the mask"


def test_an_item_that_a_guess_answers_fails() -> None:
    """Where the only distractor goes, the words leave one answer."""
    plan = WORLD.plan("q_mine000")
    first = sorted(i.session_id for i in plan.sessions if i.role == "samekey_haystack")
    sessions = dict(WORLD.sessions)
    for name in first:
        sessions[name] = sessions[name].model_copy(update={"entities": (), "turns": tuple(
            turn.model_copy(update={"facts": ()}) for turn in sessions[name].turns
        )})  # fmt: skip
    assembly = Assembly(
        CONFIG, WORLD.plans, {"q_mine000": WORLD.histories["q_mine000"]}, sessions, WORLD.lengths
    )
    assert "chance_level" in failed(check_families(assembly))


def test_time_is_part_of_what_decides() -> None:
    """A session that is there at two times is looked at at both."""
    name = "q_told002"
    ids = WORLD.plan(name).question.evidence_session_ids
    short, *rest = WORLD.histories[name]
    base = next(p for p in short.placements if p.session_id == ids[0])
    twice = base.model_copy(update={"timestamp": base.timestamp + timedelta(minutes=1)})
    places = tuple(sorted((*short.placements, twice), key=lambda p: p.timestamp))
    short = short.model_copy(update={"placements": places})
    assembly = Assembly(CONFIG, WORLD.plans, {name: (short, *rest)}, WORLD.sessions, WORLD.lengths)
    rows = [row for row in check_families(assembly) if not row.passed]
    assert "roles" in {row.check for row in rows}
    assert {row.subject for row in rows if row.check == "gold_recomputed"} == {short.item_id}
