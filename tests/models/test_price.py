"""Sums checked by hand: a million tokens cost what the table says."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from voxmem.models.entry import Price, Tier
from voxmem.models.price import dollars
from voxmem.records import Usage

TWO_TIERS = Price(
    tiers=(
        Tier(up_to=200_000, input_text=1.0, input_audio=3.0, cached=0.1, output=10.0),
        Tier(input_text=2.0, input_audio=6.0, output=20.0),
    ),
    as_of="2026-01-01",
    source="made up",
)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        # 40,000 of text at 1 $, 60,000 of audio at 3 $, 1,000 out at 10 $ a million
        (Usage(input_tokens=100_000, audio_tokens=60_000, output_tokens=1_000), 0.04 + 0.18 + 0.01),
        # the bound belongs to the lower tier, the token after it moves the whole request up
        (Usage(input_tokens=200_000, audio_tokens=0, output_tokens=0), 0.2),
        (Usage(input_tokens=200_001, audio_tokens=0, output_tokens=0), 0.400002),
        # half of the input was cached: half of 0.22 $, and 50,000 at 0.1 $
        (
            Usage(
                input_tokens=100_000, audio_tokens=60_000, cached_tokens=50_000, output_tokens=1_000
            ),
            0.11 + 0.005 + 0.01,
        ),
        # a tier without a price for cached input charges it like other input
        (
            Usage(input_tokens=300_000, audio_tokens=0, cached_tokens=300_000, output_tokens=0),
            0.6,
        ),
        # thinking is part of the output, and not charged twice
        (
            Usage(input_tokens=0, audio_tokens=0, output_tokens=1_000, thinking_tokens=900),
            0.01,
        ),
    ],
)
def test_a_request_costs_what_its_tier_says(usage: Usage, expected: float) -> None:
    assert dollars(TWO_TIERS, usage) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(),
        Usage(input_tokens=1_000, audio_tokens=500),
        Usage(output_tokens=10),
        Usage(input_tokens=1_000, output_tokens=10),  # audio costs more than text, and how much
    ],
)
def test_what_is_not_counted_has_no_price(usage: Usage) -> None:
    assert dollars(TWO_TIERS, usage) is None


def test_the_kind_of_input_need_not_be_known_where_both_cost_the_same() -> None:
    flat = Price(
        tiers=(Tier(input_text=2.0, input_audio=2.0, output=4.0),), as_of="2026-01-01", source="-"
    )
    assert dollars(flat, Usage(input_tokens=500_000, output_tokens=250_000)) == 2.0


def test_without_a_table_there_is_no_price() -> None:
    assert dollars(None, Usage(input_tokens=1, output_tokens=1)) is None


@pytest.mark.parametrize("bounds", [(None, None), (200, 100, None), (100,)])
def test_tiers_out_of_order_are_refused(bounds: tuple[int | None, ...]) -> None:
    tiers = tuple(Tier(up_to=up, input_text=1, input_audio=1, output=1) for up in bounds)
    with pytest.raises(ValidationError, match="tiers go from"):
        Price(tiers=tiers, as_of="2026-01-01", source="-")
