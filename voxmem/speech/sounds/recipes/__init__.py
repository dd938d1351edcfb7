"""How each sound event is made: a few lines of synthesis each, varied by a generator.

Every recipe fills a loop of ``n`` samples at 24 kHz that joins up with itself: noise is shaped in
the frequency domain, tones go through whole cycles, and what rings past the end goes on at the
start.
"""

from __future__ import annotations

from collections.abc import Callable

from voxmem.speech.sounds.recipes import animals, household, people, signals, tools, vehicles, water
from voxmem.speech.sounds.recipes.shapes import Rng, Wave

RECIPES: dict[str, Callable[[Rng, int], Wave]] = {
    "birds": animals.birds,
    "cat": animals.cat,
    "cow": animals.cow,
    "crickets": animals.crickets,
    "crow": animals.crow,
    "dog barking": animals.dog_barking,
    "frog": animals.frog,
    "hen": animals.hen,
    "insects": animals.insects,
    "sheep": animals.sheep,
    "pouring water": water.pouring_water,
    "rain": water.rain,
    "sea waves": water.sea_waves,
    "water drops": water.water_drops,
    "wind": water.wind,
    "clapping": people.clapping,
    "crying baby": people.crying_baby,
    "clock ticking": household.clock_ticking,
    "crackling fire": household.crackling_fire,
    "door knock": household.door_knock,
    "glass breaking": household.glass_breaking,
    "keyboard typing": household.keyboard_typing,
    "vacuum cleaner": household.vacuum_cleaner,
    "hand saw": tools.hand_saw,
    "airplane": vehicles.airplane,
    "engine": vehicles.engine,
    "helicopter": vehicles.helicopter,
    "train": vehicles.train,
    "alarm clock": signals.alarm_clock,
    "car horn": signals.car_horn,
    "church bells": signals.church_bells,
    "siren": signals.siren,
}
"""Event of ``vocabulary.SOUNDS`` → how it is made."""
