"""Names for sessions and voices that tell nothing, drawn anew for every reading of an item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase

from voxmem import keys
from voxmem.quality.gates.cases import Scene


@dataclass(frozen=True)
class Labels:
    """How one prompt calls its sessions and voices."""

    sessions: Mapping[str, str]
    """Session id → label."""
    voices: Mapping[str, str]
    """Persona → letter."""

    def session_id(self, label: str) -> str | None:
        """The session of a label, as a reply may write it; ``None`` if there is none."""
        wanted = label.strip().removeprefix("Session ").strip()
        return next((name for name, known in self.sessions.items() if known == wanted), None)


def draw(scene: Scene, asker: str, *seed: str | int) -> Labels:
    """Labels without meaning. Other seeds give others, so that no two readings are one request."""
    rng = keys.rng("gate labels", *seed)
    names = [place.session_id for place in scene.placements]
    width = max(2, len(str(4 * len(names))))
    numbers = rng.sample(range(10 ** (width - 1), 10**width), len(names))
    personas = sorted(
        {turn.speaker for name in names for turn in scene.sessions[name].turns if turn.speaker}
        | {asker}
    )
    rng.shuffle(personas)
    return Labels(
        sessions={name: f"S{number}" for name, number in zip(names, numbers, strict=True)},
        voices={persona: _letters(at) for at, persona in enumerate(personas)},
    )


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    more, last = divmod(number, len(ascii_uppercase))
    return (_letters(more - 1) if more else "") + ascii_uppercase[last]
