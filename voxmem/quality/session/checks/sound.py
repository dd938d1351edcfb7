"""Whether the sound behind a turn is heard, and as what it is."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.sound_records import SoundTable, sound_table
from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.calibration.which_sound import CHECK as WHICH
from voxmem.quality.calibration.which_sound import lead
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.sounds import evidence, heard_in_clip, named, scores
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check

LEAST_RISE = 2.0
"""Logits by which a sound must raise its classes over the clean speech. Any sound raises most
classes: this shows that something is heard, not what."""


def check_sound(spoken: Spoken) -> Iterator[Check]:
    """``sound``: by how many logits the mean of the event's classes is higher in the mix than in
    the clean speech. ``which sound``: by how many deviations the event's score is above that of
    every other sound; only where the sounds of the studio are those that were measured."""
    event = spoken.clip.spec.sound
    if event is None:
        return
    edge = spoken.studio.edge_seconds
    mixed, clean = (heard_in_clip(it, edge) for it in (spoken.primary, spoken.clean))
    rise = evidence(mixed, [event])[event] - evidence(clean, [event])[event]
    yield spoken.row("sound", rise >= LEAST_RISE, rise, LEAST_RISE, listen.SOUND_MODEL)
    table = _table_of(spoken)
    if table is not None and table.row(event) is not None:
        found = scores(evidence(mixed, table.scales), table.scales)
        ahead, least = lead(found, event), threshold(WHICH)
        yield spoken.row(
            WHICH, ahead >= least, ahead, least, judged_by(listen.SOUND_MODEL),
            f"sounds most like {named(found)}",
        )  # fmt: skip


def _table_of(spoken: Spoken) -> SoundTable | None:
    """What was measured of the studio's sounds, if it was."""
    table = sound_table()
    return table if table.sounds == spoken.studio.sounds.revision else None
