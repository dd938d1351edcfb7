"""Pacing on a clock of its own: what a provider admits, bursts, debts, and a request to wait."""

from __future__ import annotations

import asyncio

import pytest

from voxmem.models.entry import Pace
from voxmem.models.pace import Pacer, pacer_of


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 100.0

    def now(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds


def paced(clock: Clock, **limits: float) -> Pacer:
    return Pacer(Pace(**limits), sleep=clock.sleep, now=clock.now)


def times(pacer: Pacer, clock: Clock, requests: int, **amounts: float) -> list[float]:
    async def run() -> list[float]:
        sent = []
        for _ in range(requests):
            await pacer.admit(**amounts)  # type: ignore[arg-type]
            sent.append(clock.now() - 100.0)
        return sent

    return asyncio.run(run())


def test_without_limits_nothing_waits() -> None:
    clock = Clock()
    assert times(paced(clock), clock, 1000, tokens=1e9, sent=1e9) == [0.0] * 1000


@pytest.mark.parametrize(
    ("limits", "amounts", "each"),
    [
        ({"requests_per_minute": 60}, {}, 1),
        ({"tokens_per_minute": 60_000}, {"tokens": 1000}, 1000),
        ({"bytes_per_minute": 6e6}, {"sent": 100_000}, 1e5),
        ({"requests_per_minute": 600, "tokens_per_minute": 60_000}, {"tokens": 1000}, 1000),
    ],
)
def test_no_window_of_a_minute_holds_more_than_the_limit(
    limits: dict[str, float], amounts: dict[str, float], each: float
) -> None:
    clock = Clock()
    sent = times(paced(clock, **limits), clock, 200, **amounts)
    for first in sent:
        window = [at for at in sent if first <= at < first + 60]
        assert len(window) <= 60
    assert sent[-1] == pytest.approx(200 / 0.95, abs=5), "and little is left unused"


def test_one_request_above_the_limit_goes_and_others_wait_for_its_debt() -> None:
    clock = Clock()
    pacer = paced(clock, tokens_per_minute=6000)
    big = times(pacer, clock, 1, tokens=6000)
    small = times(pacer, clock, 1, tokens=1)
    assert big[0] > 0
    assert small[0] >= big[0]


def test_a_request_to_wait_holds_for_all() -> None:
    clock = Clock()
    pacer = paced(clock)
    pacer.pause(30)
    assert times(pacer, clock, 2) == [30.0, 30.0]


def test_all_runs_of_a_process_share_a_provider() -> None:
    pace = Pace(requests_per_minute=10)
    assert pacer_of("http://a", pace) is pacer_of("http://a", pace)
    assert pacer_of("http://a", pace) is not pacer_of("http://b", pace)
