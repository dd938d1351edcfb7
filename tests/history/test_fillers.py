"""How many fillers, and who gets which."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from tests.history.builders import CONFIG, HOUSE, World, filler, make_world, mine, told, world
from voxmem.errors import ConstructionError
from voxmem.history.fillers import SPARE, Dealer, content_of, pool_sizes, wanted_tokens
from voxmem.records import Plan, Session

MEAN = 900


def pools(count: int, *personas: str) -> dict[str, list[Session]]:
    """The pools of several personas share half of what they say with the next one."""
    return {
        name: [filler(CONFIG, name, at * count // 2 + number) for number in range(count)]
        for at, name in enumerate(personas)
    }


def dealt(
    plan: Plan, fillers: dict[str, list[Session]], uses: int = 1, **changes: int
) -> list[str]:
    dealer = Dealer(CONFIG.model_copy(update=changes), fillers, lambda name: MEAN)
    return dealer.deal(plan, 5_000, uses)


# --- how many ---------------------------------------------------------------------------------


def test_a_main_user_speaks_enough_for_a_whole_history() -> None:
    sizes = pool_sizes(CONFIG, [told(0)], MEAN)
    assert list(sizes) == ["p05"]
    assert sizes["p05"] * MEAN > CONFIG.budgets[-1].tokens - 9 * MEAN


def test_a_household_shares_a_history() -> None:
    sizes = pool_sizes(CONFIG, [mine(0)], MEAN)
    assert set(sizes) == set(HOUSE)
    assert len(set(sizes.values())) == 1
    assert sum(sizes.values()) * MEAN > CONFIG.budgets[-1].tokens - 9 * MEAN


def test_more_questions_make_larger_pools_by_mean_use() -> None:
    few = CONFIG.model_copy(update={"filler_mean_uses": 2.0})
    plans = [told(number) for number in range(0, 40, 2)]
    one, many = pool_sizes(few, plans[:1], MEAN), pool_sizes(few, plans, MEAN)
    assert many["p05"] == pytest.approx(20 / 2 * one["p05"], rel=0.1)


def test_refusal_variants_need_no_fillers_of_their_own() -> None:
    whole = make_world(2, variants=2)
    without = make_world(2, variants=0)
    assert pool_sizes(CONFIG, whole.plans) == pool_sizes(CONFIG, without.plans)


# --- who gets which ---------------------------------------------------------------------------


def test_enough_are_dealt_and_a_few_to_choose_from() -> None:
    wanted = wanted_tokens(CONFIG) - 5_000
    assert len(dealt(told(0), pools(60, "p05"))) == -(-wanted // MEAN) + SPARE


def test_no_content_is_heard_twice_in_one_history_in_whatever_voice() -> None:
    names = dealt(mine(0), pools(30, *HOUSE))
    overlap = [content_of(name) for pool in pools(30, *HOUSE).values() for name in _ids(pool)]
    assert len(set(overlap)) < len(overlap)
    contents = [content_of(name) for name in names]
    assert len(set(contents)) == len(contents)


def _ids(pool: list[Session]) -> list[str]:
    return [item.session_id for item in pool]


def test_content_is_what_stands_between_the_prefix_and_the_voice() -> None:
    assert content_of("f_seed12_p03") == "seed12"
    assert content_of("f_a_b_c_p12") == "a_b_c"


def test_voices_of_a_household_take_turns() -> None:
    voices = [name.rpartition("_")[2] for name in dealt(mine(0), pools(40, *HOUSE))]
    counts = Counter(voices)
    assert set(counts) == set(HOUSE)
    assert max(counts.values()) - min(counts.values()) <= 1
    early = Counter(islice(voices, 8))
    assert set(early.values()) == {2}


def test_only_the_cast_is_heard() -> None:
    names = dealt(told(0), pools(60, "p05", "p06"))
    assert {name.rpartition("_")[2] for name in names} == {"p05"}


def test_the_pool_is_used_evenly() -> None:
    dealer = Dealer(CONFIG, pools(60, "p05"), lambda name: MEAN)
    uses = Counter(
        name for number in range(0, 40, 2) for name in dealer.deal(told(number), 5_000, 1)
    )
    assert len(uses) == 60
    assert max(uses.values()) - min(uses.values()) <= 1


def test_variants_count_as_uses() -> None:
    dealer = Dealer(CONFIG.model_copy(update={"filler_uses": 6}), pools(60, "p05"), lambda n: MEAN)
    first = dealer.deal(told(0), 5_000, 3)
    second = dealer.deal(told(2), 5_000, 3)
    assert len(set(first) | set(second)) > len(first)
    dealer.deal(told(4), 5_000, 3)
    with pytest.raises(ConstructionError, match="used 6 times"):
        dealer.deal(told(6), 5_000, 3)


def test_a_pool_that_is_used_up_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ConstructionError) as caught:
        dealt(told(0), pools(10, "p05"))
    assert "(p05 10) take its longest history to 14000 of 32000 tokens" in caught.value.message
    assert caught.value.item == "q_told000"
    assert caught.value.remedy == "add filler sources, or raise filler_uses"


def test_a_cast_without_fillers_is_an_error() -> None:
    with pytest.raises(ConstructionError, match=r"\(p05 0\)"):
        dealt(told(0), {})


def test_a_reserve_that_is_not_there_is_no_error() -> None:
    """Enough for the nominal budget is enough; what measured lengths make of it, the fit says."""
    names = dealt(told(0), pools(30, "p05"))
    assert len(names) == 30


def test_no_filler_is_used_more_often_than_the_cap() -> None:
    made: World = world()
    uses = Counter(place.session_id for row in made.allocated.rows for place in row.fillers)
    assert 1 < max(uses.values()) <= CONFIG.filler_uses
