"""What a source of background sounds is, and where sources are found by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple, Protocol

from voxmem.errors import UsageError
from voxmem.speech.engine import Audio


class Background(NamedTuple):
    """What is heard behind one clip."""

    audio: Audio
    """float32 [samples] at 24 kHz."""
    source: str
    """The recording or recipe it is made of, and its revision."""
    licence: str


class SoundSource(Protocol):
    """Makes background sounds of named events. The same arguments give the same samples."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever any sound may change; a part of the key of every clip with a sound."""
        ...

    @property
    def events(self) -> tuple[str, ...]:
        """The events of ``vocabulary.SOUNDS`` that it has."""
        ...

    def licences(self, event: str) -> Mapping[str, str]:
        """Its variants or recordings of an event → their licences.

        Raises:
            UsageError: It has no such event.
        """
        ...

    def half(self, which: Literal[0, 1]) -> SoundSource:
        """With every other of its variants or recordings alone (all of them of an event that has
        one), so that what is set on one half is tested on the other."""
        ...

    def background(self, event: str, samples: int, seed: int = 0) -> Background:
        """``samples`` of the event, looped or cropped with cross-fades: which recording and which
        part of it follows from ``seed``.

        Raises:
            UsageError: It has no such event.
        """
        ...


SOURCES: dict[str, str] = {
    "embedded": "voxmem.speech.sounds.bank:open_bank",
    "esc50": "voxmem.speech.sounds.esc50:open_esc50",
}
"""Kind of source → the function of the text after its colon that opens it."""


@cache
def open_sounds(spec: str) -> SoundSource:
    """The source of that spec: ``embedded``, or a kind and what it takes (``esc50:FOLDER``).

    Raises:
        UsageError: There is no such kind.
        InputError: What it is made of cannot be read.
    """
    kind, _, argument = spec.partition(":")
    if kind not in SOURCES:
        raise UsageError(
            f"there is no source of sounds {kind!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(sorted(SOURCES))}",
        )
    module, _, attribute = SOURCES[kind].partition(":")
    factory: Callable[[str], SoundSource] = getattr(import_module(module), attribute)
    return factory(argument)
