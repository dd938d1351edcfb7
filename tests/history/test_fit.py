"""Nested histories by measured length."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.history.builders import (
    allocations,
    clip,
    fitted,
    length_of,
    plans,
    query,
    sessions,
    variants,
)
from voxmem.config import DEMO, Budget
from voxmem.errors import ConstructionError
from voxmem.history.allocate import Allocation
from voxmem.history.fit import TOLERANCE, fit, follow
from voxmem.length import history_length
from voxmem.records import History, Length, Placement, Role
from voxmem.speech.clips import question_spec, spec_of

BUDGETS = DEMO.budgets


def histories() -> Iterator[tuple[History, Budget]]:
    for made in fitted().values():
        yield from zip(made, BUDGETS, strict=True)


def roles(history: History) -> list[Role]:
    return [place.role for place in history.placements]


# --- over the demo ----------------------------------------------------------------------------


def test_every_question_has_a_history_at_every_budget() -> None:
    assert set(fitted()) == set(plans())
    for name, made in fitted().items():
        assert [history.budget for history in made] == [budget.name for budget in BUDGETS]
        assert {history.question_id for history in made} == {name}
        assert [history.item_id for history in made] == [
            f"{name}_{budget.name.lower()}" for budget in BUDGETS
        ]


def test_a_longer_history_strictly_holds_the_shorter_one() -> None:
    for made in fitted().values():
        for short, long in pairwise(made):
            assert set(short.placements) < set(long.placements)


def test_a_session_has_one_time_at_all_budgets_and_sessions_are_in_order_of_time() -> None:
    for made in fitted().values():
        times = {place.session_id: place.timestamp for place in made[-1].placements}
        for history in made:
            moments = [place.timestamp for place in history.placements]
            assert moments == sorted(moments)
            assert len(set(moments)) == len(moments)
            assert all(times[place.session_id] == place.timestamp for place in history.placements)


def test_no_history_is_longer_than_its_budget() -> None:
    for history, budget in histories():
        variant = plans()[history.question_id].question.gold is None
        assert history.length.tokens <= budget.tokens * (TOLERANCE if variant else 1)


def test_no_room_is_left_that_a_filler_would_fill() -> None:
    for history, budget in histories():
        if plans()[history.question_id].question.gold is not None:
            assert history.length.tokens > budget.tokens - 350


def test_the_length_is_that_of_the_clips_and_texts() -> None:
    for history, _ in histories():
        question = plans()[history.question_id].question
        spoken = [
            (session, place.timestamp, tuple(clip(spec_of(turn)) for turn in session.user_turns))
            for place in history.placements
            for session in (sessions()[place.session_id],)
        ]
        again = history_length(spoken, question.query_timestamp, clip(question_spec(question)))
        assert history.length == again


def test_all_evidence_is_in_every_history() -> None:
    for history, _ in histories():
        names = {place.session_id for place in history.placements}
        question = plans()[history.question_id].question
        assert set(question.evidence_session_ids) <= names
        evidence = [name for name in names if name in question.evidence_session_ids]
        assert len(evidence) == len(question.evidence_session_ids)


def test_the_evidence_keeps_its_order() -> None:
    for history, _ in histories():
        question = plans()[history.question_id].question
        order = [
            place.session_id
            for place in history.placements
            if place.session_id in question.evidence_session_ids
        ]
        assert order == list(question.evidence_session_ids)


def test_distractors_follow_their_schedule() -> None:
    for history, budget in histories():
        found = roles(history)
        assert found.count("samekey_haystack") == budget.samekey
        assert found.count("topical_haystack") <= budget.topical


def test_longer_histories_have_all_the_topical_haystack_of_their_schedule() -> None:
    for history, budget in histories():
        if budget.tokens >= 4_000:
            assert roles(history).count("topical_haystack") == budget.topical


def test_a_variant_has_the_sessions_of_its_source_but_one() -> None:
    for name, plan in plans().items():
        source = plan.question.source_question_id
        if source is not None:
            for mine, theirs in zip(fitted()[name], fitted()[source], strict=True):
                assert len(set(mine.placements) - set(theirs.placements)) == 1
                assert len(mine.placements) == len(theirs.placements)
                times = [place.timestamp for place in theirs.placements]
                assert [place.timestamp for place in mine.placements] == times


def test_room_is_left_for_the_longest_variant() -> None:
    """So that a variant, too, is as a rule within the nominal budget."""
    within = [
        history.length.tokens <= budget.tokens
        for history, budget in histories()
        if plans()[history.question_id].question.gold is None
    ]
    assert sum(within) / len(within) > 0.95


# --- one allocation by hand -------------------------------------------------------------------


def place(name: str, role: Role, day: int) -> Placement:
    return Placement(
        session_id=name, timestamp=datetime(2025, 3, 1) + timedelta(days=day), role=role
    )


def made(evidence: int = 1, samekey: int = 3, topical: int = 3, fillers: int = 30) -> Allocation:
    """Sessions e0…, k0…, t0…, f0…, on days in no order."""
    counts: tuple[tuple[str, Role, int], ...] = (
        ("e", "evidence", evidence),
        ("k", "samekey_haystack", samekey),
        ("t", "topical_haystack", topical),
        ("f", "filler", fillers),
    )
    days = iter(range(0, 700, 7))
    groups = [
        tuple(place(f"{name}{at}", role, next(days) * 37 % 101) for at in range(count))
        for name, role, count in counts
    ]
    return Allocation(
        question_id="q",
        cast=("p01",),
        required=groups[0],
        samekey=groups[1],
        topical=groups[2],
        fillers=groups[3],
    )


def tokens(count: int) -> Length:
    return Length(audio_seconds=count / 50, audio_tokens=count, text_tokens=0, clips=1)


def hundred(_: Placement) -> Length:
    return tokens(100)


SMALL = (
    Budget(name="1K", tokens=600, samekey=1, topical=1),
    Budget(name="2K", tokens=1_200, samekey=2, topical=3),
)


def taken(history: History) -> set[str]:
    return {place.session_id for place in history.placements}


def test_sessions_are_taken_in_order() -> None:
    short, long = fit(made(), SMALL, tokens(100), hundred)
    assert taken(short) == {"e0", "k0", "t0", "f0", "f1"}
    assert taken(long) == taken(short) | {"k1", "t1", "t2", "f2", "f3", "f4"}
    assert (short.length.tokens, long.length.tokens) == (600, 1_200)


def test_a_dropped_filler_is_replaced_by_the_next() -> None:
    short, _ = fit(made(), SMALL, tokens(100), hundred, dropped={"f0"})
    assert taken(short) == {"e0", "k0", "t0", "f1", "f2"}


def test_a_dropped_distractor_is_replaced_by_the_next() -> None:
    short, long = fit(made(), SMALL, tokens(100), hundred, dropped={"k0", "t0"})
    assert taken(short) == {"e0", "k1", "t1", "f0", "f1"}
    assert {"k1", "k2"} <= taken(long)
    assert not taken(long) & {"k0", "t0"}


def test_a_dropped_evidence_session_drops_the_item() -> None:
    with pytest.raises(ConstructionError, match="its session e1 failed the session gate") as caught:
        fit(made(evidence=2), SMALL, tokens(100), hundred, dropped={"e1"})
    assert caught.value.item == "q"
    assert caught.value.stage == "fit"


def test_a_filler_that_is_too_long_is_passed_over_and_taken_later() -> None:
    lengths = {"f0": 300}
    short, long = fit(
        made(), SMALL, tokens(100), lambda place: tokens(lengths.get(place.session_id, 100))
    )
    assert taken(short) == {"e0", "k0", "t0", "f1", "f2"}
    assert "f0" in taken(long)


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


def replaced(source: Allocation) -> Allocation:
    """The allocation of a variant in which ``e0`` gave way to ``r0``."""
    (before,) = source.required
    after = before.model_copy(update={"session_id": "r0", "role": "replacement"})
    return source.model_copy(update={"question_id": "v", "required": (after,)})


def grown(place: Placement) -> Length:
    return tokens(180 if place.session_id == "r0" else 100)


def test_a_variant_follows_its_source() -> None:
    source = made()
    variant = replaced(source)
    histories = fit(source, SMALL, tokens(100), hundred, variants=[variant])
    followed = follow(histories, source, variant, SMALL, tokens(100), hundred)
    for mine, theirs in zip(followed, histories, strict=True):
        assert taken(mine) == taken(theirs) - {"e0"} | {"r0"}
        assert mine.item_id == f"v_{mine.budget.lower()}"
        assert mine.length == theirs.length


def test_room_is_left_for_a_variant_that_is_longer() -> None:
    source = made()
    variant = replaced(source)
    without = fit(source, SMALL, tokens(100), grown)
    with pytest.raises(ConstructionError, match="takes 1K to 680 tokens"):
        follow(without, source, variant, SMALL, tokens(100), grown)
    within = fit(source, SMALL, tokens(100), grown, variants=[variant])
    followed = follow(within, source, variant, SMALL, tokens(100), grown)
    assert [history.length.tokens for history in followed] == [580, 1_180]


def test_a_variant_may_be_a_little_longer_and_no_more() -> None:
    source = made()
    variant = replaced(source)
    histories = fit(source, SMALL, tokens(100), hundred)

    def longer(by: int) -> tuple[History, ...]:
        return follow(
            histories,
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


def test_shorter_variants_leave_the_source_as_it_is() -> None:
    source = made()

    def shrunk(place: Placement) -> Length:
        return tokens(40 if place.session_id == "r0" else 100)

    alone = fit(source, SMALL, tokens(100), shrunk)
    assert fit(source, SMALL, tokens(100), shrunk, variants=[replaced(source)]) == alone


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
        Budget(name=f"{at + 1}K", tokens=size, samekey=min(at, 2), topical=at)
        for at, size in enumerate(accumulate(steps))
    ]
    made_of = fit(source, tiers, tokens(50), lambda place: tokens(known[place.session_id]), dropped)
    for history, tier in zip(made_of, tiers, strict=True):
        assert history.length.tokens == 50 + sum(known[name] for name in taken(history))
        assert history.length.tokens <= tier.tokens
        assert "e0" in taken(history)
        assert not taken(history) & dropped
        left = {place.session_id for place in source.fillers} - dropped - taken(history)
        assert all(history.length.tokens + known[name] > tier.tokens for name in left)
    for short, long in pairwise(made_of):
        assert taken(short) <= taken(long)


def test_lengths_are_looked_up_for_variants_of_the_demo() -> None:
    name = next(
        str(plan.question.source_question_id)
        for plan in plans().values()
        if plan.question.source_question_id
    )
    source, others = allocations()[name], variants(name)
    assert others
    histories = fit(source, BUDGETS, query(name), length_of, variants=others)
    assert histories == fitted()[name]
