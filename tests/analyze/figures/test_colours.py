"""Colours hold on both grounds, and for readers who see fewer of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.colours import Colour

GROUNDS = (1, 2)
"""The fields of a colour: light, dark."""

# Machado, Oliveira and Fernandes (2009), whole deficiency, on linear light.
SIGHT = {
    "full": np.eye(3),
    "protan": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deutan": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritan": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(colours.linear(each) @ weights) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* under D65."""
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
         [0.0193339, 0.1191920, 0.9503041]]
    )  # fmt: skip
    x, y, z = np.cbrt(np.maximum(to_xyz @ np.clip(light, 0, 1) / [0.95047, 1, 1.08883], 0.0089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def nearest(of: Sequence[str], sight: NDArray[np.float64]) -> float:
    """The distance of the two that look most alike."""
    seen = [lab(sight @ colours.linear(one)) for one in of]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("kind", ["EVIDENCE", "ERRORS"])
def test_what_is_compared_looks_different(kind: str, sight: str, ground: int) -> None:
    of: dict[str, Colour] = getattr(colours, kind)
    assert nearest([one[ground] for one in of.values()], SIGHT[sight]) > 20


@pytest.mark.parametrize("ground", GROUNDS)
def test_everything_stands_out_from_its_ground(ground: int) -> None:
    paper = colours.GROUND[ground]
    for mark in (*colours.EVIDENCE.values(), *colours.ERRORS.values(), colours.AXIS):
        assert contrast(mark[ground], paper) >= 3, mark.name
    for text in (colours.TEXT, colours.MUTED, colours.OVERALL):
        assert contrast(text[ground], paper) >= 4.5, text.name


@pytest.mark.parametrize("ground", GROUNDS)
def test_numbers_are_read_on_every_share(ground: int) -> None:
    of_light = {one.light: one for one in (colours.ON_LOW, colours.ON_HIGH)}
    for step in range(colours.STEPS + 1):
        share = step / colours.STEPS
        cell = colours.mixed(colours.LOW[ground], colours.HIGH[ground], share)
        assert contrast(of_light[colours.ink(share)][ground], cell) >= 4.5, share


def test_shares_run_from_light_to_dark() -> None:
    light = [colours.linear(colours.heat(step / 100)).sum() for step in range(101)]
    assert light == sorted(light, reverse=True)
    assert len(set(light)) == 101
    assert colours.heat(0) == colours.LOW.light
    assert colours.heat(1) == colours.heat(1.7) == colours.HIGH.light


def test_every_colour_has_a_property_of_its_own() -> None:
    assert len(set(colours.PROPERTIES.values())) == len(colours.PROPERTIES)
    sheet = colours.stylesheet()
    assert "prefers-color-scheme: dark" in sheet
    for one in (*colours.EVIDENCE.values(), *colours.ERRORS.values()):
        assert sheet.count(f"--fig-{one.name}: ") == 2
        assert f"var(--fig-{one.name}, {one.light})" == colours.PROPERTIES[one.light]
