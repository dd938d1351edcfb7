"""What a source of fillers is.

A source gives what users say. What the assistant replies is written by the build's assistant, from
the words before it, as in every other session: replies of another hand would tell a filler from
evidence (VoxMem, Table 11).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class RawDialogue:
    """The user's side of one dialogue, in order, each turn trimmed to the shape of the build."""

    origin: str
    """Where in its source it comes from."""
    texts: tuple[str, ...]


class FillerSource(Protocol):
    """A stock of dialogues."""

    name: str
    licence: str
    left_out: Counter[str]
    """What was cut away so far, by reason; it grows as dialogues are read."""

    def dialogues(self) -> Iterator[RawDialogue]:
        """Dialogues in a fixed order, endless or not. A pool may use the first turns of one only.

        Raises:
            UsageError: The source does not exist, or needs a package that is not installed.
            InputError: It cannot be read, or its records are not of its layout.
        """
        ...
