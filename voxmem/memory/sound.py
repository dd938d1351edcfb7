"""Which sound is behind a session, told from all of its turns together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxmem.memory.heard import HeardClip
from voxmem.quality.calibration.sound_records import sound_table
from voxmem.quality.hearing.sounds import scores
from voxmem.semantics.view import Missing, Observed, Unknown


def sound_behind(clips: Sequence[HeardClip]) -> Observed:
    """The sound event behind the turns of one session, none, or unknown if nothing was heard.

    An event's evidence is the mean of its scores over the turns. It must be the largest of all
    events that the model tells at all, and reach the event's threshold, which 2 % of single clips
    with another sound do.
    """
    heard = [clip.sounds for clip in clips if clip.sounds]
    if not heard:
        return Unknown("sound")
    table = sound_table()
    told = [row for row in table.rows if row.is_told]
    found = [scores(sounds, table.scales) for sounds in heard]
    means = {row.event: float(np.mean([it[row.event] for it in found])) for row in told}
    likeliest = max(told, key=lambda row: means[row.event])
    return likeliest.event if means[likeliest.event] >= likeliest.threshold else Missing.ABSENT
