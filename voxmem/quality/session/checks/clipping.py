"""Whether peaks are cut off, at full scale or at a level to which they were lowered afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.engine import Audio

MOST_FLAT = 4
"""Samples on flat peaks. A waveform that is whole has one peak that is highest, seldom flat."""
_LEAST_PEAK = 0.4
_RUN = 3
_STEP = 1.5 / 32768


def check_clipping(spoken: Spoken) -> Iterator[Check]:
    """``value``: samples in runs of three or more at the largest absolute value of the clip."""
    flat = flat_samples(spoken.primary)
    detail = f"{flat} samples on flat peaks" if flat > MOST_FLAT else ""
    yield spoken.row("clipping", not detail, flat, MOST_FLAT, detail=detail)


def flat_samples(audio: Audio) -> int:
    """How many samples are in runs of three or more at the peak, to one step of 16 bits. A peak of
    less than 0.4 of full scale counts as whole."""
    size = np.abs(audio)
    peak = float(size.max(initial=0.0))
    if peak < _LEAST_PEAK:
        return 0
    at_peak = np.concatenate([[0], (size >= peak - _STEP).astype(np.int8), [0]])
    edges = np.flatnonzero(np.diff(at_peak))
    runs = edges[1::2] - edges[::2]
    return int(runs[runs >= _RUN].sum())
