"""Waiting: by request, by attempt, by what the server asks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from voxmem.models.retry import delay, retry_after

NOW = datetime(2026, 9, 29, 0, 0, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "sent", "seconds"),
    [
        (None, None, None),
        ("7", None, 7.0),
        ("0.5", None, 0.5),
        ("-3", None, 0.0),
        ("nan", None, None),
        ("inf", None, None),
        ("soon", None, None),
        ("", None, None),
        ("Tue, 29 Sep 2026 00:00:40 GMT", None, 30.0),
        ("Tue, 29 Sep 2026 00:00:40 GMT", "Tue, 29 Sep 2026 00:00:35 GMT", 5.0),
        ("Tue, 29 Sep 2026 00:00:40 GMT", "no date", 30.0),
        ("Tue, 29 Sep 2026 00:00:00 GMT", None, 0.0),
        ("Tue, 29 Sep 2026 00:00:40 -0000", None, 30.0),
    ],
)
def test_what_the_header_asks(value: str | None, sent: str | None, seconds: float | None) -> None:
    assert retry_after(value, sent=sent, now=NOW) == seconds


def test_waits_double_up_to_a_limit() -> None:
    for attempt in range(1, 9):
        wait = delay(attempt, base=0.5, longest=20, asked=None, request="r")
        ceiling = 0.5 * 2 ** (attempt - 1)
        assert wait is not None
        assert min(20, ceiling / 2) <= wait <= min(20, ceiling)


def test_what_is_asked_is_never_shortened() -> None:
    assert delay(1, base=0.5, longest=60, asked=61, request="r") is None
    asked = delay(1, base=0.5, longest=60, asked=60, request="r")
    assert asked is not None
    assert 60 <= asked <= 60.5


def test_requests_spread_the_same_way_every_time() -> None:
    waits = [delay(1, base=1, longest=9, asked=None, request=f"r{n}") for n in range(50)]
    assert waits == [delay(1, base=1, longest=9, asked=None, request=f"r{n}") for n in range(50)]
    assert len(set(waits)) == 50
