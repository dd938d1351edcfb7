"""What is wrong with an assembly is caught, by the check that is there for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.history.builders import CONFIG, world
from voxmem.history.assembly import Assembly
from voxmem.history.checks import ROWS, check_histories
from voxmem.history.lengths import Lengths
from voxmem.history.notes import FitNote
from voxmem.records import Check, History, Placement, Role, Session

WORLD = world()
NAME = "q_told000"
"""An answerable question, whose variant is q_told000r."""


def failed(assembly: Assembly, name: str = NAME) -> set[tuple[str, str]]:
    """Subject and check of every row of a question that fails."""
    rows = check_histories(assembly, assembly.plan_of[name])
    return {(row.subject, row.check) for row in rows if not row.passed}


def names(rows: set[tuple[str, str]]) -> set[str]:
    return {check for _, check in rows}


Change = Callable[[History], History]


def changed(change: Change, *budgets: str, name: str = NAME) -> Assembly:
    """The benchmark with the histories of one question changed, at some budgets."""
    histories = tuple(
        change(history) if history.budget in (budgets or ("8K", "16K", "32K")) else history
        for history in WORLD.histories[name]
    )
    return WORLD.with_histories({**WORLD.histories, name: histories})


def placed(history: History, placements: list[Placement]) -> History:
    """The history with other placements, as long as they say."""
    return history.model_copy(
        update={"placements": tuple(sorted(placements, key=lambda place: place.timestamp))}
    )


def of_role(history: History, role: Role) -> Placement:
    return next(place for place in history.placements if place.role == role)


def without(role: Role) -> Change:
    def change(history: History) -> History:
        gone = of_role(WORLD.histories[history.question_id][0], role)
        return placed(history, [place for place in history.placements if place != gone])

    return change


def with_another(**changes: object) -> Change:
    """Adds a filler once more, changed, an odd minute later."""

    def change(history: History) -> History:
        base = of_role(WORLD.histories[history.question_id][0], "filler")
        later = base.timestamp + timedelta(minutes=1)
        extra = base.model_copy(update={"timestamp": later, **changes})
        return placed(history, [*history.placements, extra])

    return change


# --- as it is ---------------------------------------------------------------------------------


def test_a_whole_benchmark_is_without_fault() -> None:
    for plan in WORLD.plans:
        rows = check_histories(WORLD.assembly, plan)
        assert [row for row in rows if not row.passed] == []


def test_every_history_has_every_row() -> None:
    rows = check_histories(WORLD.assembly, WORLD.plan(NAME))
    for history in WORLD.histories[NAME]:
        assert {row.check for row in rows if row.subject == history.item_id} == set(ROWS)
    assert [row.check for row in rows if row.subject == NAME] == ["nested"]
    variant = check_histories(WORLD.assembly, WORLD.plan("q_told000r"))
    assert {row.check for row in variant if row.subject == "q_told000r"} == {
        "nested",
        "refusal_kept_everything_else",
    }


# --- roles ------------------------------------------------------------------------------------


def test_a_session_twice() -> None:
    assert (f"{NAME}_16k", "roles") in failed(changed(with_another(), "16K"))


def test_a_missing_evidence_session() -> None:
    assert "roles" in names(failed(changed(without("evidence"))))


def test_evidence_under_another_role() -> None:
    def disguise(history: History) -> History:
        base = of_role(history, "evidence")
        other = base.model_copy(update={"role": "topical_haystack"})
        return placed(history, [*(p for p in history.placements if p != base), other])

    assert {"roles", "reused_schedule"} <= names(failed(changed(disguise)))


def test_borrowed_haystack_of_another_evidence_type() -> None:
    def swap(history: History) -> History:
        base = of_role(history, "topical_haystack")
        other = base.model_copy(update={"session_id": "q_voiced000_s00"})
        return placed(history, [*(p for p in history.placements if p != base), other])

    assert "roles" in names(failed(changed(swap)))


def test_a_voice_that_is_not_of_the_cast() -> None:
    stranger = WORLD.fillers["p06"][-1].session_id
    assert "roles" in names(failed(changed(with_another(session_id=stranger))))


def knowing(assembly: Assembly, *sessions: Session) -> Assembly:
    """The assembly with other, or further, sessions."""
    known = {**assembly.sessions, **{item.session_id: item for item in sessions}}
    return replace(assembly, sessions=known, lengths=Lengths(known))


def test_the_same_content_under_another_id() -> None:
    said = of_role(WORLD.histories[NAME][0], "filler").session_id
    again = WORLD.sessions[said].model_copy(update={"session_id": "f_other_p05"})
    assembly = knowing(changed(with_another(session_id="f_other_p05")), again)
    assert (f"{NAME}_8k", "roles") in failed(assembly)


def test_the_same_content_in_another_voice_of_the_cast() -> None:
    name = "q_mine000"
    said = of_role(WORLD.histories[name][0], "filler").session_id
    voice = next(p for p in WORLD.plan(name).cast if not said.endswith(p))
    session = WORLD.sessions[said]
    turns = tuple(
        turn.model_copy(update={"speaker": voice}) if turn.role == "user" else turn
        for turn in session.turns
    )
    other = session.model_copy(update={"session_id": f"f_x_{voice}", "turns": turns})
    assembly = knowing(changed(with_another(session_id=other.session_id), name=name), other)
    details = [row.detail for row in check_histories(assembly, WORLD.plan(name)) if not row.passed]
    assert any("has the words of" in detail for detail in details)


def test_a_filler_that_states_a_fact() -> None:
    said = of_role(WORLD.histories[NAME][0], "filler").session_id
    fact = WORLD.plan(NAME).sessions[0].facts[0]
    session = WORLD.sessions[said]
    first, *rest = session.turns
    leak = session.model_copy(
        update={"turns": (first.model_copy(update={"facts": (fact,)}), *rest)}
    )
    rows = check_histories(knowing(WORLD.assembly, leak), WORLD.plan(NAME))
    assert any("states facts" in row.detail for row in rows if row.check == "roles")


def test_a_rendition_of_its_own_words_is_no_duplicate() -> None:
    """A question may hold the same words twice, if they are said otherwise."""
    name = "q_mine000"
    plan = WORLD.plan(name)
    one, two = (item.session_id for item in plan.sessions[:2])
    base = WORLD.sessions[one]

    def said(speaker: str | None) -> Session:
        turns = tuple(
            turn.model_copy(update={"speaker": speaker}) if turn.role == "user" else turn
            for turn in base.turns
        )
        return base.model_copy(update={"session_id": two, "turns": turns})

    mine = base.user_turns[0].speaker
    other = next(persona for persona in plan.cast if persona != mine)
    for speaker, faults in ((other, 0), (mine, 1)):
        rows = check_histories(knowing(WORLD.assembly, said(speaker)), plan)
        assert any("has the words of" in row.detail for row in rows) == bool(faults)


# --- time -------------------------------------------------------------------------------------


def test_swapped_order() -> None:
    def swap(history: History) -> History:
        one, two, *rest = history.placements
        return history.model_copy(update={"placements": (two, one, *rest)})

    assert failed(changed(swap, "8K")) == {(f"{NAME}_8k", "timestamps")}


def test_two_sessions_at_one_moment() -> None:
    def together(history: History) -> History:
        first, second, *rest = history.placements
        same = second.model_copy(update={"timestamp": first.timestamp})
        return history.model_copy(update={"placements": (first, same, *rest)})

    assert (f"{NAME}_8k", "timestamps") in failed(changed(together, "8K"))


@pytest.mark.parametrize("days", [-400, 400])
def test_a_session_outside_the_window_or_after_the_query(days: int) -> None:
    def late(history: History) -> History:
        moved = [
            place.model_copy(update={"timestamp": place.timestamp + timedelta(days=days)})
            if place.role == "filler"
            else place
            for place in history.placements
        ]
        return placed(history, moved)

    assert "timestamps" in names(failed(changed(late)))


def test_a_planned_session_at_another_time() -> None:
    def moved(history: History) -> History:
        base = of_role(history, "samekey_haystack")
        later = base.model_copy(update={"timestamp": base.timestamp + timedelta(minutes=1)})
        return placed(history, [*(p for p in history.placements if p != base), later])

    assert "timestamps" in names(failed(changed(moved)))


def test_another_time_at_another_budget_breaks_the_nesting() -> None:
    def moved(history: History) -> History:
        base = of_role(WORLD.histories[NAME][0], "filler")
        later = base.model_copy(update={"timestamp": base.timestamp + timedelta(minutes=1)})
        return placed(history, [*(p for p in history.placements if p != base), later])

    assert (NAME, "nested") in failed(changed(moved, "32K"))


# --- nesting, schedules, lengths --------------------------------------------------------------


def test_a_longer_history_without_a_session_of_the_shorter() -> None:
    assert (NAME, "nested") in failed(changed(without("filler"), "16K"))


def test_a_longer_history_that_is_no_longer() -> None:
    def same(history: History) -> History:
        return placed(history, list(WORLD.histories[NAME][0].placements))

    assert (NAME, "nested") in failed(changed(same, "16K"))


def test_a_missing_same_key_distractor() -> None:
    assert (f"{NAME}_8k", "samekey_schedule") in failed(changed(without("samekey_haystack")))


def test_one_same_key_distractor_too_many() -> None:
    def more(history: History) -> History:
        extra = [p for p in WORLD.histories[NAME][-1].placements if p.role == "samekey_haystack"]
        return placed(history, list({*history.placements, *extra}))

    assert (f"{NAME}_8k", "samekey_schedule") in failed(changed(more, "8K"))


def test_a_missing_borrowed_session() -> None:
    assert (f"{NAME}_8k", "reused_schedule") in failed(changed(without("topical_haystack")))


def test_a_shortage_that_a_note_explains_is_none() -> None:
    assembly = changed(without("topical_haystack"), "8K")
    note = FitNote(
        item_id=f"{NAME}_8k", kind="topical_haystack", wanted=1, found=0, reason="none is eligible"
    )
    assert "reused_schedule" not in names(failed(replace(assembly, notes=[note])))
    wrong = note.model_copy(update={"found": 1})
    assert "reused_schedule" in names(failed(replace(assembly, notes=[wrong])))


def test_a_length_that_is_not_that_of_its_sessions() -> None:
    def lie(history: History) -> History:
        more = history.length.model_copy(update={"text_tokens": history.length.text_tokens + 1})
        return history.model_copy(update={"length": more})

    assert failed(changed(lie)) == {
        (history.item_id, "length_within_tolerance") for history in WORLD.histories[NAME]
    }


def test_a_history_that_is_too_short_and_one_that_is_too_long() -> None:
    for budget in (7_000, 8_800):
        budgets = (CONFIG.budgets[0].model_copy(update={"tokens": budget}), *CONFIG.budgets[1:])
        config = CONFIG.model_copy(update={"budgets": budgets})
        assembly = replace(WORLD.assembly, config=config)
        assert failed(assembly) == {(f"{NAME}_8k", "length_within_tolerance")}


def test_a_short_history_that_says_why_passes() -> None:
    tokens = WORLD.histories[NAME][0].length.tokens
    budgets = (CONFIG.budgets[0].model_copy(update={"tokens": 8_800}), *CONFIG.budgets[1:])
    note = FitNote(
        item_id=f"{NAME}_8k", kind="tokens", wanted=8_360, found=tokens, reason="none is left"
    )
    config = CONFIG.model_copy(update={"budgets": budgets})
    assert failed(replace(WORLD.assembly, config=config, notes=[note])) == set()


# --- refusal variants -------------------------------------------------------------------------


def kept(assembly: Assembly) -> Check:
    rows = check_histories(assembly, assembly.plan_of[f"{NAME}r"])
    return next(row for row in rows if row.check == "refusal_kept_everything_else")


def test_a_variant_with_another_filler() -> None:
    def swap(history: History) -> History:
        base = of_role(history, "filler")
        other = base.model_copy(update={"session_id": WORLD.fillers["p05"][-1].session_id})
        return placed(history, [*(p for p in history.placements if p != base), other])

    assert not kept(changed(swap, name=f"{NAME}r")).passed


def test_a_variant_that_lacks_a_session() -> None:
    assert not kept(changed(without("topical_haystack"), name=f"{NAME}r")).passed


def test_a_variant_that_is_its_source() -> None:
    histories = {**WORLD.histories, f"{NAME}r": WORLD.histories[NAME]}
    assert not kept(WORLD.with_histories(histories)).passed


def test_a_variant_that_lacks_a_budget() -> None:
    histories = {**WORLD.histories, NAME: WORLD.histories[NAME][:2]}
    assert not kept(WORLD.with_histories(histories)).passed


@pytest.mark.parametrize("field", ["text", "asker", "query_timestamp"])
def test_a_variant_with_another_question(field: str) -> None:
    plan = WORLD.plan(f"{NAME}r")
    values = {
        "text": "Something else?",
        "asker": "p06",
        "query_timestamp": plan.question.query_timestamp + timedelta(days=1),
    }
    question = plan.question.model_copy(update={field: values[field]})
    plans = [
        other.model_copy(update={"question": question}) if other is plan else other
        for other in WORLD.plans
    ]
    row = kept(replace(WORLD.assembly, plans=plans))
    assert row.detail == f"its {field} is not that of its source"


def test_a_variant_without_its_source() -> None:
    plans = [plan for plan in WORLD.plans if plan.question.question_id != NAME]
    assert kept(replace(WORLD.assembly, plans=plans)).detail == f"there is no source {NAME}"
