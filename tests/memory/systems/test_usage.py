"""What an answer cost that took several calls."""

from __future__ import annotations

from voxmem.memory.systems.usage import with_calls
from voxmem.models.outcome import Reply
from voxmem.records import Call, Usage


def reply(dollars: float | None, tokens: int | None, seconds: float = 1.0) -> Reply:
    return Reply(
        outcome="ok",
        text="yes",
        usage=Usage(input_tokens=tokens),
        call=Call(dollars=dollars, seconds=seconds, bytes_sent=10, possibly_billed=1),
    )


def test_everything_is_added_but_the_seconds_of_calls_side_by_side() -> None:
    both = with_calls(reply(0.5, 3), [reply(0.25, 4, seconds=2.0), reply(0.25, None, seconds=5.0)])

    assert both.usage == Usage(input_tokens=7)
    assert both.call == Call(dollars=1.0, seconds=6.0, bytes_sent=30, possibly_billed=3, attempts=3)


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    assert with_calls(reply(0.5, 3), [reply(None, 4)]).call.dollars is None
    assert with_calls(reply(None, 3), []).call.dollars is None
