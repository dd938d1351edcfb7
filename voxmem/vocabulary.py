"""The closed acoustic vocabulary: deliveries, sounds and personas that plans may name.

Speech engines and sources of sounds declare which of these they have; a build's config says which
of them its plans may ask for.
Sounds form the hierarchy event → category → scene that environmental questions read from.
"""

from __future__ import annotations

from typing import Literal, get_args

CueDimension = Literal["vocal_state", "rate", "emphasis", "event"]

DELIVERIES: dict[str, CueDimension] = {
    "confident": "vocal_state",
    "excited": "vocal_state",
    "hesitant": "vocal_state",
    "monotone": "vocal_state",
    "reflective": "vocal_state",
    "sad": "vocal_state",
    "surprised": "vocal_state",
    "tense": "vocal_state",
    "whispered": "vocal_state",
    "fast": "rate",
    "slow": "rate",
    "emphatic": "emphasis",
    "laughter": "event",
}
"""Cue value → dimension. :data:`NEUTRAL` is the absence of a cue and is not listed."""

NEUTRAL = "neutral"
"""How a clip without a cue is delivered; every engine renders it."""

DEFAULT_DELIVERIES: tuple[str, ...] = (
    "confident",
    "excited",
    "hesitant",
    "monotone",
    "reflective",
    "sad",
    "surprised",
    "tense",
    "whispered",
    "fast",
    "slow",
    "emphatic",
)
"""What the embedded engine renders so that it is told from neutral 95 times in 100 or more, and
neutral speech is taken for it at most twice: measured by ``quality.calibration.deliveries``."""

CUE_DIMENSIONS: tuple[CueDimension, ...] = get_args(CueDimension)

CONFUSABLE: frozenset[frozenset[str]] = frozenset(
    frozenset(pair)
    for pair in (
        ("excited", "tense"),
        ("excited", "surprised"),
        ("excited", "confident"),
        ("confident", "tense"),
        ("confident", "surprised"),
        ("monotone", "sad"),
        ("sad", "slow"),
        ("sad", "reflective"),
        ("reflective", "slow"),
        ("monotone", "reflective"),
        ("hesitant", "reflective"),
        ("excited", "fast"),
        ("emphatic", "excited"),
        ("hesitant", "slow"),
    )
)
"""Pairs that listeners without a reference confuse: never in one closed answer set. Those that are
named wrongly more than once in ten by ``quality.calibration.naming`` are among them."""

ANYWHERE = "anywhere"
"""The scene of a sound that is heard in many scenes, and so tells none: no question asks for it."""

SOUNDS: dict[str, tuple[str, str]] = {
    "birds": ("animals", "nature"),
    "cat": ("animals", "anywhere"),
    "cow": ("animals", "farm"),
    "crickets": ("animals", "nature"),
    "crow": ("animals", "nature"),
    "dog barking": ("animals", "anywhere"),
    "frog": ("animals", "nature"),
    "hen": ("animals", "farm"),
    "insects": ("animals", "nature"),
    "pig": ("animals", "farm"),
    "rooster": ("animals", "farm"),
    "sheep": ("animals", "farm"),
    "pouring water": ("weather and water", "indoors"),
    "rain": ("weather and water", "bad weather"),
    "sea waves": ("weather and water", "seaside"),
    "thunderstorm": ("weather and water", "bad weather"),
    "water drops": ("weather and water", "indoors"),
    "wind": ("weather and water", "bad weather"),
    "brushing teeth": ("people", "indoors"),
    "clapping": ("people", "anywhere"),
    "crying baby": ("people", "anywhere"),
    "footsteps": ("people", "anywhere"),
    "snoring": ("people", "indoors"),
    "can opening": ("household", "anywhere"),
    "clock ticking": ("household", "indoors"),
    "crackling fire": ("household", "anywhere"),
    "creaking door": ("household", "indoors"),
    "door knock": ("household", "indoors"),
    "glass breaking": ("household", "anywhere"),
    "keyboard typing": ("household", "indoors"),
    "mouse click": ("household", "indoors"),
    "toilet flushing": ("household", "indoors"),
    "vacuum cleaner": ("household", "indoors"),
    "washing machine": ("household", "indoors"),
    "chainsaw": ("tools", "woodcutting"),
    "hand saw": ("tools", "woodcutting"),
    "airplane": ("vehicles", "transport"),
    "engine": ("vehicles", "street"),
    "helicopter": ("vehicles", "transport"),
    "train": ("vehicles", "transport"),
    "alarm clock": ("alarms and signals", "indoors"),
    "car horn": ("alarms and signals", "street"),
    "church bells": ("alarms and signals", "town"),
    "siren": ("alarms and signals", "street"),
    "fireworks": ("festivities", "town"),
}
"""Sound event → (category, scene): 45 of the classes of ESC-50. Left out are the five that a
speaker may make (breathing, coughing, drinking, laughing, sneezing): behind speech they would be
taken for the speaker's own."""

DEFAULT_SOUNDS: tuple[str, ...] = (
    "birds",
    "cat",
    "crickets",
    "crow",
    "frog",
    "hen",
    "insects",
    "sheep",
    "pouring water",
    "rain",
    "sea waves",
    "water drops",
    "wind",
    "clapping",
    "crying baby",
    "clock ticking",
    "crackling fire",
    "glass breaking",
    "keyboard typing",
    "vacuum cleaner",
    "hand saw",
    "airplane",
    "engine",
    "helicopter",
    "train",
    "alarm clock",
    "car horn",
    "siren",
)
"""What of the embedded bank is told from silence and from the others, measured in mixes."""

PERSONAS: tuple[str, ...] = tuple(f"p{number:02d}" for number in range(1, 31))
"""The benchmark's personas (VoxMem, Table 9). A persona has one voice, the same everywhere, by
construction."""
