"""What AudioSet, whose classes the sound model tells apart, calls the benchmark's sounds."""

from __future__ import annotations

SOUND_NAMES: dict[str, tuple[str, ...]] = {
    "birds": (
        "Bird",
        "Bird vocalization, bird call, bird song",
        "Chirp, tweet",
    ),
    "cat": (
        "Cat",
        "Meow",
    ),
    "cow": (
        "Moo",
        "Cattle, bovinae",
    ),
    "crickets": ("Cricket",),
    "crow": (
        "Crow",
        "Caw",
    ),
    "dog barking": (
        "Dog",
        "Bark",
    ),
    "frog": (
        "Frog",
        "Croak",
    ),
    "hen": (
        "Chicken, rooster",
        "Cluck",
    ),
    "insects": (
        "Fly, housefly",
        "Bee, wasp, etc.",
        "Buzz",
        "Mosquito",
    ),
    "pig": (
        "Pig",
        "Oink",
    ),
    "rooster": ("Crowing, cock-a-doodle-doo",),
    "sheep": (
        "Sheep",
        "Bleat",
        "Goat",
    ),
    "pouring water": (
        "Pour",
        "Water tap, faucet",
        "Fill (with liquid)",
    ),
    "rain": (
        "Rain",
        "Rain on surface",
        "Raindrop",
    ),
    "sea waves": (
        "Waves, surf",
        "Ocean",
    ),
    "thunderstorm": (
        "Thunderstorm",
        "Thunder",
    ),
    "water drops": (
        "Drip",
        "Plop",
    ),
    "wind": (
        "Wind",
        "Wind noise (microphone)",
    ),
    "brushing teeth": ("Toothbrush",),
    "clapping": (
        "Clapping",
        "Applause",
    ),
    "crying baby": (
        "Baby cry, infant cry",
        "Crying, sobbing",
    ),
    "footsteps": ("Walk, footsteps",),
    "snoring": ("Snoring",),
    "can opening": ("Burst, pop",),
    "clock ticking": (
        "Tick",
        "Tick-tock",
        "Clock",
    ),
    "crackling fire": (
        "Fire",
        "Crackle",
    ),
    "creaking door": (
        "Creak",
        "Squeak",
    ),
    "door knock": ("Knock",),
    "glass breaking": ("Glass",),
    "keyboard typing": (
        "Typing",
        "Computer keyboard",
    ),
    "mouse click": ("Clicking",),
    "toilet flushing": ("Toilet flush",),
    "vacuum cleaner": ("Vacuum cleaner",),
    "washing machine": ("Mechanisms",),
    "chainsaw": ("Chainsaw",),
    "hand saw": ("Sawing",),
    "airplane": ("Fixed-wing aircraft, airplane",),
    "engine": (
        "Engine",
        "Idling",
        "Medium engine (mid frequency)",
        "Heavy engine (low frequency)",
    ),
    "helicopter": ("Helicopter",),
    "train": (
        "Train",
        "Rail transport",
        "Train horn",
    ),
    "alarm clock": ("Alarm clock",),
    "car horn": ("Vehicle horn, car horn, honking",),
    "church bells": (
        "Church bell",
        "Bell",
    ),
    "siren": (
        "Siren",
        "Police car (siren)",
        "Ambulance (siren)",
    ),
    "fireworks": (
        "Fireworks",
        "Firecracker",
    ),
}
"""Sound event → its AudioSet names. Two have none of their own among the 521: a can that is opened
and a washing machine go by the nearest."""
