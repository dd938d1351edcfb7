"""Nested histories by length."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.history.builders import CONFIG, world
from voxmem.config import Budget
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation
from voxmem.history.fit import TOLERANCE, fit, fit_all, follow
from voxmem.history.notes import notes, shortest
from voxmem.length import total
from voxmem.records import History, Length, Placement, Role

WORLD = world()
BUDGETS = CONFIG.budgets


def histories() -> Iterator[tuple[History, Budget]]:
    for made in WORLD.histories.values():
        yield from zip(made, BUDGETS, strict=True)


def roles(history: History) -> list[Role]:
    return [place.role for place in history.placements]


def is_variant(history: History) -> bool:
    return WORLD.plan(history.question_id).question.gold is None


# --- over a benchmark -------------------------------------------------------------------------


def test_every_question_has_a_history_at_every_budget() -> None:
    assert list(WORLD.histories) == [plan.question.question_id for plan in WORLD.plans]
    for name, made in WORLD.histories.items():
        assert [history.budget for history in made] == [budget.name for budget in BUDGETS]
        assert [history.item_id for history in made] == [
            f"{name}_{budget.name.lower()}" for budget in BUDGETS
        ]


def test_a_longer_history_strictly_holds_the_shorter_one() -> None:
    for made in WORLD.histories.values():
        for short, long in pairwise(made):
            assert set(short.placements) < set(long.placements)


def test_sessions_are_in_order_of_time() -> None:
    for history, _ in histories():
        moments = [place.timestamp for place in history.placements]
        assert moments == sorted(set(moments))


def test_every_history_fills_its_budget_within_five_per_cent() -> None:
    for history, budget in histories():
        most = budget.tokens * (TOLERANCE if is_variant(history) else 1)
        assert shortest(budget) <= history.length.tokens <= most


def test_the_length_is_the_sum_of_its_parts() -> None:
    for history, _ in histories():
        question = WORLD.plan(history.question_id).question
        parts = map(WORLD.lengths.of, history.placements)
        assert history.length == total((WORLD.lengths.question(question), *parts))


def test_all_evidence_is_in_every_history_in_its_order() -> None:
    for history, _ in histories():
        evidence = WORLD.plan(history.question_id).question.evidence_session_ids
        there = [item.session_id for item in history.placements if item.session_id in evidence]
        assert there == list(evidence)


def test_distractors_follow_their_schedule() -> None:
    short = {note.item_id for note in WORLD.fitted.notes}
    for history, budget in histories():
        found, required = roles(history), ("evidence", "replacement")
        assert found.count("samekey_haystack") == budget.samekey
        wanted = budget.reused_for(sum(found.count(role) for role in required))  # type: ignore[arg-type]
        assert found.count("topical_haystack") == wanted or history.item_id in short


def test_a_variant_has_the_sessions_of_its_source_but_one() -> None:
    for name, made in WORLD.histories.items():
        source = WORLD.plan(name).question.source_question_id
        if source is not None:
            for mine, theirs in zip(made, WORLD.histories[source], strict=True):
                pairs = zip(theirs.placements, mine.placements, strict=True)
                changed = [(one, two) for one, two in pairs if one != two]
                assert len(changed) == 1
                assert changed[0][0].timestamp == changed[0][1].timestamp


def rows() -> dict[str, Allocation]:
    return {row.question_id: row for row in WORLD.allocated.rows}


def test_a_dropped_filler_is_replaced() -> None:
    used = WORLD.histories["q_told000"][0].placements
    gone = next(place.session_id for place in used if place.role == "filler")
    fitted = fit_all(CONFIG, WORLD.plans, rows(), WORLD.lengths, {gone})
    assert fitted.dropped == {}
    assert len(fitted.histories) == len(WORLD.fitted.histories)
    assert all(gone != p.session_id for item in fitted.histories for p in item.placements)
    assert all(note.kind != "tokens" for note in fitted.notes), "the others fill the budget as well"


def test_dropped_evidence_drops_its_question_and_its_variants() -> None:
    fitted = fit_all(CONFIG, WORLD.plans, rows(), WORLD.lengths, {"q_told000_s00"})
    assert fitted.dropped == {
        "q_told000": "its session q_told000_s00 failed the session gate",
        "q_told000r": "its source was dropped",
    }


def test_a_dropped_session_of_a_variant_drops_the_variant_alone() -> None:
    (changed,) = (
        item.session_id for item in WORLD.plan("q_mine000r").sessions if item.role == "replacement"
    )
    fitted = fit_all(CONFIG, WORLD.plans, rows(), WORLD.lengths, {changed})
    assert fitted.dropped == {"q_mine000r": f"its session {changed} failed the session gate"}


def test_budgets_that_hold_no_evidence_are_an_error() -> None:
    tiny = CONFIG.model_copy(
        update={"budgets": (Budget(name="1K", tokens=500, samekey=1, reused=0),)}
    )
    with pytest.raises(
        ConstructionError, match="no question has a history; this one needs"
    ) as caught:
        fit_all(tiny, WORLD.plans, rows(), WORLD.lengths)
    assert caught.value.remedy == "use shorter sessions or a larger first budget"


def test_dropped_distractors_are_noted() -> None:
    row = rows()["q_told000"]
    gone = {place.session_id for place in (*row.samekey[:-1], *row.topical)}
    fitted = fit_all(CONFIG, WORLD.plans, rows(), WORLD.lengths, gone)
    found = {
        (note.item_id, note.kind, note.wanted, note.found, note.reason)
        for note in fitted.notes
        if note.item_id.startswith("q_told000_")
    }
    few = "there are {} eligible sessions"
    assert found == {
        ("q_told000_16k", "samekey_haystack", 2, 1, few.format(1)),
        ("q_told000_32k", "samekey_haystack", 4, 1, few.format(1)),
        ("q_told000_8k", "topical_haystack", 1, 0, few.format(0)),
        ("q_told000_16k", "topical_haystack", 2, 0, few.format(0)),
        ("q_told000_32k", "topical_haystack", 3, 0, few.format(0)),
    }


# --- on lengths made up -----------------------------------------------------------------------

SMALL = (
    Budget(name="1K", tokens=600, samekey=1, reused=1),
    Budget(name="2K", tokens=1_200, samekey=2, reused=2),
)
NOON = datetime(2025, 3, 1, 12)


def tokens(count: int) -> Length:
    return Length(audio_seconds=count / 50, audio_tokens=count, text_tokens=0, clips=1)


def made(evidence: int = 1, fillers: int = 30) -> Allocation:
    moments = (NOON + timedelta(days=day) for day in range(200))

    def places(prefix: str, count: int, role: Role) -> tuple[Placement, ...]:
        return tuple(
            Placement(session_id=f"{prefix}{at}", timestamp=next(moments), role=role)
            for at in range(count)
        )

    return Allocation(
        question_id="q",
        cast=("p01",),
        required=places("e", evidence, "evidence"),
        samekey=places("k", 2, "samekey_haystack"),
        topical=places("t", 2, "topical_haystack"),
        fillers=places("f", fillers, "filler"),
    )


def hundred(place: Placement) -> Length:
    return tokens(100)


def taken(history: History) -> set[str]:
    return {place.session_id for place in history.placements}


def test_each_budget_takes_its_schedule_and_then_fillers_in_order() -> None:
    short, long = fit(made(), SMALL, tokens(100), hundred)
    assert taken(short) == {"e0", "k0", "t0", "f0", "f1"}
    assert taken(long) == {"e0", "k0", "k1", "t0", "t1", *(f"f{at}" for at in range(6))}
    assert [short.length.tokens, long.length.tokens] == [600, 1_200]


def test_a_dropped_session_is_skipped() -> None:
    short, _ = fit(made(), SMALL, tokens(100), hundred, dropped={"f0", "k0", "t0"})
    assert taken(short) == {"e0", "k1", "t1", "f1", "f2"}


def test_evidence_that_does_not_fit_names_the_budget() -> None:
    with pytest.raises(ConstructionError) as caught:
        fit(made(evidence=5), SMALL, tokens(100), hundred)
    assert caught.value.message == "needs 700 tokens, 1K holds 600"
    assert "shorter sessions or a larger first budget" in str(caught.value)


def test_a_distractor_that_does_not_fit_names_the_budget() -> None:
    with pytest.raises(ConstructionError, match="2K holds 1200"):
        fit(
            made(),
            SMALL,
            tokens(100),
            lambda place: tokens(900 if place.session_id == "k1" else 100),
        )


def test_a_borrowed_session_that_does_not_fit_waits_for_the_next_budget_and_is_noted() -> None:
    source = made()

    def length_of(place: Placement) -> Length:
        return tokens(350 if place.session_id == "t0" else 100)

    histories_ = fit(source, SMALL, tokens(100), length_of)
    short, long = histories_
    assert "t0" not in taken(short)
    assert "t0" in taken(long)
    (note,) = notes(source, histories_, SMALL, length_of)
    assert (note.item_id, note.kind, note.reason) == (
        "q_1k", "topical_haystack", "no room is left",
    )  # fmt: skip


def test_what_cannot_be_filled_says_why() -> None:
    source = made()

    def length_of(place: Placement) -> Length:
        return tokens(400 if place.session_id.startswith("f") else 100)

    short, long = fit(source, SMALL, tokens(100), length_of)
    assert (short.length.tokens, long.length.tokens) == (400, 1_000)
    found = notes(source, (short, long), SMALL, length_of)
    assert [(note.item_id, note.wanted, note.found) for note in found] == [
        ("q_1k", 570, 400),
        ("q_2k", 1_140, 1_000),
    ]
    assert found[0].reason == "of 30 fillers left, the shortest has 400 tokens"
    bare = made(fillers=0)
    (one, two) = fit(bare, SMALL, tokens(100), hundred)
    assert {note.reason for note in notes(bare, (one, two), SMALL, hundred)} == {
        "all its fillers are taken"
    }


def replaced(source: Allocation) -> Allocation:
    """The allocation of a variant in which ``e0`` gave way to ``r0``."""
    (before,) = source.required
    after = before.model_copy(update={"session_id": "r0", "role": "replacement"})
    return source.model_copy(update={"question_id": "v", "required": (after,)})


def grown(place: Placement) -> Length:
    """Fillers of many lengths, and a replacement that is longer than the evidence."""
    if place.session_id.startswith("f"):
        return tokens(20 + 7 * int(place.session_id[1:]))
    return tokens(115 if place.session_id == "r0" else 100)


def test_a_variant_follows_its_source() -> None:
    source = made()
    variant = replaced(source)
    histories_ = fit(source, SMALL, tokens(100), hundred, variants=[variant])
    followed = follow(histories_, source, variant, SMALL, tokens(100), hundred)
    for mine, theirs in zip(followed, histories_, strict=True):
        assert taken(mine) == taken(theirs) - {"e0"} | {"r0"}
        assert mine.item_id == f"v_{mine.budget.lower()}"
        assert mine.length == theirs.length


def test_room_is_left_for_a_variant_that_is_longer() -> None:
    source = made()
    variant = replaced(source)
    within = fit(source, SMALL, tokens(100), grown, variants=[variant])
    followed = follow(within, source, variant, SMALL, tokens(100), grown)
    for one, two, budget in zip(within, followed, SMALL, strict=True):
        assert shortest(budget) <= one.length.tokens
        assert two.length.tokens == one.length.tokens + 15 <= budget.tokens


def test_a_variant_that_is_shorter_still_fills_its_budget() -> None:
    source = made()
    variant = replaced(source)

    def shrunk(place: Placement) -> Length:
        return tokens(85) if place.session_id == "r0" else grown(place)

    within = fit(source, SMALL, tokens(100), shrunk, variants=[variant])
    followed = follow(within, source, variant, SMALL, tokens(100), shrunk)
    assert all(
        shortest(budget) <= history.length.tokens
        for history, budget in zip(followed, SMALL, strict=True)
    )


def test_a_variant_may_be_a_little_longer_and_no_more() -> None:
    source = made()
    variant = replaced(source)
    histories_ = fit(source, SMALL, tokens(100), hundred)

    def longer(by: int) -> tuple[History, ...]:
        return follow(
            histories_,
            source,
            variant,
            SMALL,
            tokens(100),
            lambda place: tokens(100 + by if place.session_id == "r0" else 100),
        )

    most = round(600 * (TOLERANCE - 1))
    assert longer(most)[0].length.tokens == 600 + most
    with pytest.raises(ConstructionError, match="its changed session takes 1K"):
        longer(most + 1)


@settings(max_examples=60)
@given(
    lengths=st.lists(st.integers(10, 200), min_size=40, max_size=40),
    dropped=st.sets(st.sampled_from([f"f{n}" for n in range(30)] + ["k0", "t0", "t1"])),
    steps=st.lists(st.integers(900, 2_500), min_size=1, max_size=4),
)
def test_whatever_the_lengths(lengths: list[int], dropped: set[str], steps: list[int]) -> None:
    source = made()
    every = (*source.required, *source.samekey, *source.topical, *source.fillers)
    known = {place.session_id: lengths[at] for at, place in enumerate(every)}
    tiers = [
        Budget(name=f"{at + 1}K", tokens=size, samekey=min(at, 2), reused=at)
        for at, size in enumerate(accumulate(steps))
    ]

    def length_of(place: Placement) -> Length:
        return tokens(known[place.session_id])

    made_of = fit(source, tiers, tokens(50), length_of, dropped)
    noted = {note.item_id for note in notes(source, made_of, tiers, length_of, dropped)}
    for history, tier in zip(made_of, tiers, strict=True):
        assert history.length.tokens == 50 + sum(known[name] for name in taken(history))
        assert history.length.tokens <= tier.tokens
        assert "e0" in taken(history)
        assert not taken(history) & dropped
        assert history.length.tokens >= shortest(tier) or history.item_id in noted
    for short, long in pairwise(made_of):
        assert taken(short) <= taken(long)
