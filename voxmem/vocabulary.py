"""The closed acoustic vocabulary: deliveries, sounds and personas that plans may name.

Speech engines declare which of these they can render; a plan never names anything else.
Sounds form the hierarchy event → category → scene that environmental questions read from.
"""

from __future__ import annotations

from typing import Literal, get_args

CueDimension = Literal["vocal_state", "rate", "emphasis", "event"]

DELIVERIES: dict[str, CueDimension] = {
    "excited": "vocal_state",
    "hesitant": "vocal_state",
    "monotone": "vocal_state",
    "reflective": "vocal_state",
    "sad": "vocal_state",
    "tense": "vocal_state",
    "whispered": "vocal_state",
    "fast": "rate",
    "slow": "rate",
    "emphatic": "emphasis",
}
"""Cue value → dimension. ``neutral`` is the absence of a cue and is not listed."""

CUE_DIMENSIONS: tuple[CueDimension, ...] = get_args(CueDimension)

CONFUSABLE: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("excited", "tense"),
        ("monotone", "sad"),
        ("sad", "slow"),
        ("sad", "reflective"),
        ("reflective", "slow"),
        ("monotone", "reflective"),
        ("hesitant", "reflective"),
        ("excited", "fast"),
    )
)
"""Pairs that listeners without a reference confuse: never in one closed answer set."""

SOUNDS: dict[str, tuple[str, str]] = {
    "birds": ("animals", "nature"),
    "crickets": ("animals", "nature"),
    "rain": ("weather and water", "nature"),
    "sea waves": ("weather and water", "seaside"),
    "engine": ("vehicles", "street"),
    "siren": ("alarms and signals", "street"),
    "car horn": ("alarms and signals", "street"),
    "train": ("vehicles", "transport"),
    "helicopter": ("vehicles", "transport"),
    "clock ticking": ("household", "indoors"),
    "keyboard typing": ("household", "indoors"),
    "church bells": ("alarms and signals", "town"),
}
"""Sound event → (category, scene)."""

PERSONAS: tuple[str, ...] = tuple(f"p{number:02d}" for number in range(1, 13))
"""The benchmark's personas. A persona has one voice, the same everywhere, by construction."""
