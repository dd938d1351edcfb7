"""Whether a cued rendition can be told from its neutral pair, and by what."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.quality.hearing.laughter import LEAST_RISE, laughter_rise
from voxmem.quality.hearing.phrase_changes import PhraseChanges, phrase_changes
from voxmem.quality.hearing.prosody import Prosody, measure
from voxmem.speech.engine import Audio


class Evidence(NamedTuple):
    """How far the renditions differ in what the delivery is about."""

    value: float
    """The smallest of the delivery's measures, each as a share of what it must at least be."""
    threshold: float
    passed: bool
    detail: str
    """The measures: what each is, and what it had to be."""


THRESHOLD = 1.0
LAUGHTER = "laughter"
"""Told by a listening model; all else is measured."""
ON_PHRASE = "emphatic, on a phrase"
"""What an emphasis on a phrase alone is called among the deliveries."""

Change = Callable[[Prosody, Prosody], float]

_CHANGES: dict[str, Change] = {
    "F0, semitones": lambda cued, plain: 12 * math.log2(cued.f0_hz / plain.f0_hz),
    "F0 range, octaves of the ratio": lambda cued, plain: math.log2(
        max(cued.f0_spread, 0.01) / max(plain.f0_spread, 0.01)
    ),
    "F0 at the end, semitones": lambda cued, plain: (
        12 * math.log2(cued.f0_end_hz / plain.f0_end_hz)
    ),
    "level, dB": lambda cued, plain: cued.level_db - plain.level_db,
    "duration, ratio less 1": lambda cued, plain: cued.seconds / plain.seconds - 1,
    "pauses, s": lambda cued, plain: cued.pause_seconds - plain.pause_seconds,
    "voicing": lambda cued, plain: cued.voicing - plain.voicing,
    "tilt, dB": lambda cued, plain: cued.tilt_db - plain.tilt_db,
}

REQUIRED: dict[str, dict[str, float]] = {
    "confident": {"F0, semitones": -0.75, "level, dB": 2.0},
    "excited": {"F0, semitones": 0.75, "level, dB": 2.0},
    "hesitant": {"pauses, s": 0.5},
    "monotone": {"F0 range, octaves of the ratio": -1.5},
    "reflective": {"duration, ratio less 1": 0.2, "pauses, s": 0.3},
    "sad": {"F0, semitones": -0.75, "level, dB": -2.5},
    "surprised": {"F0, semitones": 0.75, "F0 at the end, semitones": 2.5},
    "tense": {"tilt, dB": 3.0},
    "whispered": {"voicing": -0.08, "level, dB": -2.5},
    "fast": {"duration, ratio less 1": -0.1},
    "slow": {"duration, ratio less 1": 0.18},
    "emphatic": {"level, dB": 1.5, "duration, ratio less 1": 0.05},
}
"""Delivery → change → the least change, with its direction. How often a cue reaches all of them,
and two neutral takes of the same words do, is in the calibration of the check ``delivery``."""

_F0 = "F0, semitones"
_IN_PHRASE: dict[str, tuple[Callable[[PhraseChanges], float], float]] = {
    "level over the rest, dB": (lambda it: it.level_db - it.level_db_elsewhere, 2.5),
    _F0: (lambda it: it.semitones, 1.25),
    "duration, ratio less 1": (lambda it: it.duration, 0.12),
}
"""Change inside of a stressed phrase, and the least of it. All three are needed, but for F0 where
nothing in the phrase is voiced: two neutral takes often reach one of them, hardly ever two."""

_ELSEWHERE: dict[str, tuple[Callable[[PhraseChanges], float], float]] = {
    "level elsewhere, dB": (lambda it: it.level_db_elsewhere, 1.0),
    "F0 elsewhere, semitones": (lambda it: it.semitones_elsewhere, 0.5),
    "duration elsewhere, ratio less 1": (lambda it: it.duration_elsewhere, 0.06),
}
"""Change outside of it, and the most of it, either way: no more than can just be heard."""


BOUNDS = keys.short(
    "evidence", REQUIRED, {name: least for name, (_, least) in (_IN_PHRASE | _ELSEWHERE).items()}
)
"""Changes whenever another evidence may come of the same changes."""


def delivery_evidence(
    neutral: Audio, cued: Audio, delivery: str, phrase: tuple[int, int] | None = None
) -> Evidence:
    """Compare two renditions of the same words and voice, 24 kHz.

    A value of 1 or more means that every measure of the delivery changed by as much as it must. A
    measure that does not exist (F0 without a voiced frame) counts as no change; of a phrase
    without one, the other measures decide.

    Args:
        neutral: The rendition to compare with.
        cued: The rendition with the cue.
        delivery: The cue.
        phrase: Of an emphasis on a phrase, its samples [start, end) in ``neutral``, counted from
            the first sound. The changes must then be inside of it and, but for what can hardly be
            heard, nowhere else.

    Raises:
        UsageError: There is no such delivery.
        MissingExtra: The delivery is laughter, and the model that hears it is not installed.
        InputError: One of the renditions is silent, or the phrase is.
    """
    if delivery == LAUGHTER:
        rise = laughter_rise(neutral, cued)
        return _evidence(
            [rise / LEAST_RISE], [f"laughter, logits: {rise:+.2f} of {LEAST_RISE:+.2f}"]
        )
    if delivery not in REQUIRED:
        raise UsageError(
            f"there is no delivery {delivery!r}",
            stage="gate",
            remedy=f"choose one of: {', '.join((*REQUIRED, LAUGHTER))}",
        )
    if phrase is not None:
        return _phrase_evidence(phrase_changes(neutral, cued, phrase))
    return compare(measure(neutral), measure(cued), delivery)


def compare(before: Prosody, after: Prosody, delivery: str) -> Evidence:
    """The evidence of a delivery of ``REQUIRED``, from what was measured of both renditions."""
    shares, notes = [], []
    for name, least in REQUIRED[delivery].items():
        change = _or_none(_CHANGES[name](after, before))
        shares.append(change / least)
        notes.append(f"{name}: {change:+.2f} of {least:+.2f}")
    return _evidence(shares, notes)


def _phrase_evidence(changes: PhraseChanges) -> Evidence:
    shares, notes = [], []
    for name, (of, least) in _IN_PHRASE.items():
        if name == _F0 and math.isnan(of(changes)):
            notes.append(f"{name}: nothing voiced in the phrase")
            continue
        change = _or_none(of(changes))
        shares.append(change / least)
        notes.append(f"{name}: {change:+.2f} of {least:+.2f}")
    for name, (of, most) in _ELSEWHERE.items():
        change = _or_none(of(changes))
        shares.append(most / max(abs(change), most / 100))
        notes.append(f"{name}: {change:+.2f} of at most {most:.2f}")
    return _evidence(shares, notes)


def _or_none(change: float) -> float:
    return 0.0 if math.isnan(change) else change


def _evidence(shares: list[float], notes: list[str]) -> Evidence:
    value = min(shares)
    return Evidence(value, THRESHOLD, value >= THRESHOLD, "; ".join(notes))
