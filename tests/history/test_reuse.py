"""Uses are counted, and a cap that is exceeded is caught."""

from __future__ import annotations

from dataclasses import replace

from tests.history.builders import CONFIG, world
from voxmem.history.reuse import check_reuse

WORLD = world()


def test_uses_are_counted() -> None:
    rows = check_reuse(WORLD.assembly)
    assert all(row.passed for row in rows)
    assert [row.check for row in rows] == ["haystack_uses"] * 5 + ["filler_uses"]
    assert rows[-1].value is not None
    assert rows[-1].value > 1


def test_a_haystack_session_above_the_cap() -> None:
    config = CONFIG.model_copy(update={"haystack_uses": 1})
    rows = check_reuse(replace(WORLD.assembly, config=config))
    bad = [row for row in rows if not row.passed]
    assert bad
    assert {row.check for row in bad} == {"haystack_uses"}
    assert all(" is used " in row.detail for row in bad)


def test_a_filler_above_the_cap() -> None:
    config = CONFIG.model_copy(update={"filler_uses": 2})
    rows = check_reuse(replace(WORLD.assembly, config=config))
    assert [row.check for row in rows if not row.passed] == ["filler_uses"]


def test_a_borrowed_session_that_is_put_into_every_history() -> None:
    (base, *_) = (
        place
        for place in WORLD.histories["q_told000"][0].placements
        if place.role == "topical_haystack"
    )
    histories = dict(WORLD.histories)
    for name in ("q_told002", "q_told004", "q_told006", "q_told008"):
        *short, long = histories[name]
        more = long.model_copy(update={"placements": (*long.placements, base)})
        histories[name] = (*short, more)
    rows = check_reuse(WORLD.with_histories(histories))
    bad = [row for row in rows if not row.passed]
    assert [row.subject for row in bad] == [
        "speech_semantics / multi_session_reasoning / aggregation"
    ]


def test_renditions_share_one_count() -> None:
    """Two sessions with the same words, each used up to the cap, are above it together."""
    uses = {
        item.session_id
        for name in ("q_told000", "q_told002")
        for item in WORLD.allocated.borrowed.sessions[name]
    }
    plans = [
        plan.model_copy(
            update={
                "sessions": tuple(
                    item.model_copy(update={"words_of": "common"})
                    if item.session_id in uses
                    else item
                    for item in plan.sessions
                )
            }
        )
        for plan in WORLD.plans
    ]
    rows = check_reuse(replace(WORLD.assembly, plans=plans))
    bad = [row for row in rows if not row.passed]
    assert bad
    assert {row.detail.split(" is")[0] for row in bad} == {"common"}
