"""How each engine renders each delivery, in words, without opening any engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Realised = Mapping[str, str]
"""Delivery → how it is asked for or made."""


def _parametric() -> Realised:
    from voxmem.speech.parametric.styles import STYLES, described

    return {name: described(style) for name, style in STYLES.items() if name != "neutral"}


def _higgs() -> Realised:
    from voxmem.speech.served.tokens import PAUSE, TOKENS

    return {name: cue.lead or cue.sound or f"{PAUSE} between words" for name, cue in TOKENS.items()}


def _openai_speech() -> Realised:
    from voxmem.speech.served.openai_speech import INSTRUCTIONS, SPEEDS

    told = {name: f"instructions: {line}" for name, line in INSTRUCTIONS.items()}
    return told | {name: f"speed {speed:g}" for name, speed in SPEEDS.items()}


REALISATIONS: dict[str, Callable[[], Realised]] = {
    "parametric": _parametric,
    "higgs": _higgs,
    "openai-speech": _openai_speech,
}
"""Engine of ``engine.ENGINES`` → what it renders."""
