"""Colours that hold for colour-blind readers, on white and on black.

The stylesheet overrides them where a page has a theme; these are what other programs see.
"""

from __future__ import annotations

HEAT = ((0xE9, 0xEF, 0xF5), (0x0B, 0x4A, 0x80))
"""The ends of the heat map's one hue, 0 % and 100 %."""

SERIES: tuple[str, ...] = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#aa5a95",
    "#b8860b",
    "#3f97c9",
    "#6b7480",
)
"""After Okabe and Ito (2008), its lightest members darkened: lines must be seen on white."""

MARKERS: tuple[str, ...] = ("circle", "square", "triangle", "diamond", "ring")
"""A second sign beside colour; with 7 colours and 5 markers, 35 series differ."""


def heat(share: float) -> str:
    """The colour of a share between 0 and 1."""
    low, high = HEAT
    mixed = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
