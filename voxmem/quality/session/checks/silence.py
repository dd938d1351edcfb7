"""Whether somebody speaks: neither silence, nor a noise that never pauses."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.engine import Audio
from voxmem.speech.levels import GATE_DB, block_power, speech_bounds

SHARES = (0.2, 0.985)
"""Active share between the first and the last sound. Words have closures and breaths in them; noise
and hums have none, and clicks have little else."""


def check_silence(spoken: Spoken) -> Iterator[Check]:
    """``value``: the share of 10 ms blocks within 30 dB of the loudest, between the first and the
    last sound of the clean speech; ``threshold``: the bound that is nearer."""
    share = active_share(spoken.stem)
    low, high = SHARES
    near = min(SHARES, key=lambda bound: abs(bound - share))
    detail = (
        "" if low <= share <= high else "hardly any sound" if share < low else "no pause at all"
    )
    yield spoken.row("silence", not detail, share, near, detail=detail)


def active_share(audio: Audio) -> float:
    """Of the blocks from the first to the last sound, how many are active."""
    start, end = speech_bounds(audio, margin=0)
    power = block_power(audio[start:end])
    return float((power >= power.max() * 10 ** (-GATE_DB / 10)).mean())
