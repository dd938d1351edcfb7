"""How well the likest sound is the right one: what ``which sound`` asks of a clip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from voxmem import keys
from voxmem.quality.calibration.curves import GOOD, Trial, curve, fixed
from voxmem.quality.calibration.records import Curve
from voxmem.quality.calibration.texts import Half

CHECK = "which sound"
WRONG = "another sound than the row says"

Scores = Mapping[str, float]
"""Event → its score in one clip."""


def lead(found: Scores, event: str) -> float:
    """By how much an event's score is above every other's; below 0 if another's is higher."""
    return found[event] - max(score for name, score in found.items() if name != event)


def which_sound(clips: Mapping[tuple[int, str], Scores], half: Half, judge: str) -> Curve:
    """The errors of taking the likest sound for the sound.

    Args:
        clips: Sentence and what is behind it → the scores of the clip.
        half: Which the clips are of.
    """
    return curve(
        CHECK, list(_trials(clips, half)), fixed(0.0),
        judge=judge, described="the likest of all sounds", is_fixed=True,
    )  # fmt: skip


def _trials(clips: Mapping[tuple[int, str], Scores], half: Half) -> Iterator[Trial]:
    for (number, behind), found in clips.items():
        others: Sequence[str] = [name for name in found if name != behind]
        claimed = keys.rng("wrong sound", number, behind).choice(others)
        yield Trial(half, GOOD, lead(found, behind))
        yield Trial(half, WRONG, lead(found, claimed))
