"""The colours of the figures: a name and two values each, for a light and for a dark ground.

They hold for colour-blind readers, and never stand alone: a marker, a hatch, a place or a number
says the same. Figures are drawn in the light values; a page exchanges each for the custom property
that :func:`stylesheet` sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.taxonomy import EvidenceType


class Colour(NamedTuple):
    """One meaning."""

    name: str
    light: str
    dark: str


GROUND = Colour("ground", "#ffffff", "#1a1e22")
TEXT = Colour("text", "#1f252b", "#e3e6e8")
MUTED = Colour("muted", "#626b74", "#98a1a9")
AXIS = Colour("axis", "#8b9299", "#707a83")
GRID = Colour("grid", "#e6e3de", "#2d3339")
LOW = Colour("low", "#eef3f8", "#20262d")
HIGH = Colour("high", "#042b57", "#7fbaea")
ON_LOW = Colour("on-low", "#010203", "#fefefe")
ON_HIGH = Colour("on-high", "#fefefe", "#010203")
"""The ends of the one hue of shares, and what is written on them."""

EVIDENCE: dict[str, Colour] = {
    EvidenceType.SPEECH_SEMANTICS: Colour("semantics", "#1f5fc4", "#7aa2fa"),
    EvidenceType.SPEAKER_IDENTITY: Colour("speaker", "#d06603", "#ea8d28"),
    EvidenceType.PARALINGUISTIC: Colour("paralinguistic", "#00996b", "#35d39a"),
    EvidenceType.ENVIRONMENTAL: Colour("environmental", "#93448f", "#d4b0e3"),
}
OVERALL = Colour("overall", "#343b42", "#cfd5da")
"""Of all evidence types together."""

ERRORS: dict[str, Colour] = dict(
    zip(
        ERROR_CLASSES,
        (
            Colour("recognition", "#133f7d", "#5f7ff5"),
            Colour("binding", "#b98203", "#e9cf2a"),
            Colour("operation", "#3f97dd", "#b5e6f5"),
            Colour("unsupported", "#950b38", "#ef7f67"),
            Colour("not-attributable", "#8f8f9b", "#86748a"),
        ),
        strict=True,
    )
)

LOCATION = Colour("location", "#7d22c9", "#3df0b0")
"""Where evidence stands in a history: no class of errors."""

TURNING = 0.6
"""From this share of the scale on, what is written on it is :data:`ON_HIGH`."""
STEPS = 100

_NAMED: tuple[Colour, ...] = (
    GROUND, TEXT, MUTED, AXIS, GRID, LOW, HIGH, ON_LOW, ON_HIGH, OVERALL, LOCATION,
    *EVIDENCE.values(), *ERRORS.values(),
)  # fmt: skip

# Oklab (Ottosson, 2020): the space that `color-mix` mixes in.
_TO_CONE = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def evidence(kind: str) -> Colour:
    """Of an evidence type; :data:`OVERALL` for "all"."""
    return EVIDENCE.get(kind, OVERALL)


def heat(share: float) -> str:
    """The light colour of a share of the scale, 0 to 1, in hundredths."""
    return _HEAT[round(STEPS * min(max(share, 0.0), 1.0))]


def ink(share: float) -> str:
    """What is written on :func:`heat`."""
    return (ON_HIGH if share >= TURNING else ON_LOW).light


def ramp(count: int) -> list[str]:
    """Colours of an order, light to dark: all stand out from the ground."""
    return [heat(0.5 + 0.5 * at / max(count - 1, 1)) for at in range(count)]


def mixed(low: str, high: str, share: float) -> str:
    """``color-mix(in oklab, high share, low)``."""
    lab = _lab(low) * (1 - share) + _lab(high) * share
    cone = np.linalg.inv(_TO_LAB) @ lab
    linear = np.clip(np.linalg.inv(_TO_CONE) @ cone**3, 0, 1)
    encoded = np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055
    )
    return "#" + "".join(f"{round(255 * float(part)):02x}" for part in encoded)


def linear(colour: str) -> NDArray[np.float64]:
    """The linear light of ``#rrggbb``: ``float64 [3]``."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _lab(colour: str) -> NDArray[np.float64]:
    return np.asarray(_TO_LAB @ np.cbrt(_TO_CONE @ linear(colour)))


_HEAT = tuple(mixed(LOW.light, HIGH.light, at / STEPS) for at in range(STEPS + 1))


def _property(colour: Colour) -> str:
    return f"var(--fig-{colour.name}, {colour.light})"


def _mix(step: int) -> str:
    return f"color-mix(in oklab, {_property(HIGH)} {step}%, {_property(LOW)})"


PROPERTIES: Mapping[str, str] = {colour: _mix(step) for step, colour in enumerate(_HEAT)} | {
    one.light: _property(one) for one in reversed(_NAMED)
}
"""Every colour that a figure may have → what a page writes for it."""


def stylesheet() -> str:
    """The custom properties, for light and dark: a page has it once."""
    return (
        f".figure {{\n{_block(_NAMED, 1)}}}\n"
        f"@media (prefers-color-scheme: dark) {{\n.figure {{\n{_block(_NAMED, 2)}}}\n}}\n"
    )


def _block(colours: Sequence[Colour], at: int) -> str:
    return "".join(f"  --fig-{one.name}: {one[at]};\n" for one in colours)
