"""A source's sounds and what was measured of them, as rows for people."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.quality.calibration.sound_records import SoundTable, sound_table
from voxmem.records import Record
from voxmem.speech.sounds.source import open_sounds
from voxmem.vocabulary import DEFAULT_SOUNDS, SOUNDS


class ListedSound(Record):
    """One event of a source."""

    event: str
    category: str
    scene: str
    variants: int
    """Or recordings."""
    licence: str
    """All licences of its variants."""
    default: bool
    """Whether builds ask for it unless they say otherwise."""
    named_right: float | None
    """Share of its clips that the judge named by it; ``None`` if it was not measured."""
    auc: float | None
    """Of its clips against those with other sounds."""

    @property
    def told(self) -> str:
        """For a table."""
        if self.named_right is None or self.auc is None:
            return "not measured"
        return f"named {self.named_right:.0%}, AUC {self.auc:.3f}"


def rows(spec: str) -> list[ListedSound]:
    """The events of a source, in the vocabulary's order.

    Raises:
        UsageError: There is no such source.
        InputError: What it is made of cannot be read.
    """
    source = open_sounds(spec)
    table = _measured(spec)
    found = []
    for event in (name for name in SOUNDS if name in source.events):
        licences = source.licences(event)
        row = table.row(event) if table else None
        found.append(
            ListedSound(
                event=event,
                category=SOUNDS[event][0],
                scene=SOUNDS[event][1],
                variants=len(licences),
                licence=_kinds(licences.values()),
                default=event in DEFAULT_SOUNDS,
                named_right=row.named_right if row else None,
                auc=row.auc_other if row else None,
            )
        )
    return found


def judged_by(spec: str) -> str | None:
    """Who judged the sounds of a source, and in what; ``None`` if nobody did."""
    table = _measured(spec)
    if table is None:
        return None
    return (
        f"named and told from the others by {table.judge}; {table.snr_db:g} dB below the speech "
        f"of {table.engine.split()[0]}, {table.edge_seconds:g} s of the sound alone at both ends"
    )


def _measured(spec: str) -> SoundTable | None:
    """What ships with the package, where it is of that very source."""
    table = sound_table()
    return table if table.sounds == open_sounds(spec).revision else None


def _kinds(licences: Iterable[str]) -> str:
    """The licences without whose they are."""
    return ", ".join(sorted({licence.partition(", by ")[0] for licence in licences}))
