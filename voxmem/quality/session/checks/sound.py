"""Whether the sound behind a turn is heard, and as what it is."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.calibration.sound_records import SoundRow, SoundTable, sound_table
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.sounds import evidence, heard_in_clip, named, scores
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check

LEAST_RISE = 2.0
"""Logits by which a sound must raise its classes over the clean speech. Any sound raises most
classes: this shows that something is heard, not what."""


def check_sound(spoken: Spoken) -> Iterator[Check]:
    """``sound``: by how many logits the mean of the event's classes is higher in the mix than in
    the clean speech. ``which sound``: the event's score among all sounds, in deviations; only where
    the sounds of the studio are those that were measured."""
    event = spoken.clip.spec.sound
    if event is None:
        return
    edge = spoken.studio.edge_seconds
    mixed, clean = (heard_in_clip(it, edge) for it in (spoken.primary, spoken.clean))
    rise = evidence(mixed, [event])[event] - evidence(clean, [event])[event]
    yield spoken.row("sound", rise >= LEAST_RISE, rise, LEAST_RISE, listen.SOUND_MODEL)
    table = _table_of(spoken)
    row = table.row(event) if table else None
    if table and row:
        found = scores(evidence(mixed, table.scales), table.scales)
        yield _which(spoken, row, found[event], named(found))


def _which(spoken: Spoken, row: SoundRow, score: float, likest: str) -> Check:
    return spoken.row(
        "which sound", score >= row.threshold, score, row.threshold, listen.SOUND_MODEL,
        f"sounds most like {likest}",
    )  # fmt: skip


def _table_of(spoken: Spoken) -> SoundTable | None:
    """What was measured of the studio's sounds, if it was."""
    table = sound_table()
    return table if table.sounds == spoken.studio.sounds.revision else None
