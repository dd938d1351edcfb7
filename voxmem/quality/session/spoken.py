"""A clip as its checks see it, and the rows that they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Protocol

from voxmem.errors import ConstructionError
from voxmem.quality.hearing.forced import Heard, Span, hear
from voxmem.quality.hearing.speakers import Embedding
from voxmem.records import Check, Clip
from voxmem.speech.audio import read_audio, to_float, to_pcm
from voxmem.speech.engine import Audio
from voxmem.speech.studio import Studio
from voxmem.vocabulary import NEUTRAL

RULE = "rule"


class ObjectSource(Protocol):
    """Where a clip's files are read from."""

    def get(self, sha: str) -> bytes:
        """The bytes kept under a SHA-256.

        Raises:
            CorruptObject: They are damaged.
        """
        ...


@dataclass(frozen=True)
class Spoken:
    """One clip of a session, whose files are read once, when they are asked for."""

    clip: Clip
    studio: Studio
    objects: ObjectSource
    centroids: Mapping[str, Embedding]
    """Of all voices of the studio's engine."""
    critical: tuple[Span, ...] = ()
    """Characters [start, end) of the words that an answer rests on."""

    @cached_property
    def primary(self) -> Audio:
        """What a listener is given."""
        return self._read(self.clip.sha256)

    @cached_property
    def stem(self) -> Audio:
        """The speech alone: of a mix its clean stem, else what was spoken, before any channel."""
        return self._read(self.clip.stem_sha256) if self.clip.stem_sha256 else self.primary

    @cached_property
    def clean(self) -> Audio:
        """The speech alone as its pair is heard: the stem, through the studio's channel if it has
        one."""
        if not self.studio.effects.on_channel:
            return self.stem
        plain = self.clip.spec.model_copy(update={"sound": None})
        return to_float(self.studio.primary(plain, to_pcm(self.stem), self.clip.take))

    @cached_property
    def pair(self) -> Audio:
        """The same words and voice without any cue.

        Raises:
            ConstructionError: The clip has no pair.
        """
        sha = self.clip.pair_sha256
        if sha is None:
            raise ConstructionError("the clip has no pair", item=self.clip.clip_id, stage="gate")
        return self.stem if sha == self.clip.stem_sha256 else self._read(sha)

    @cached_property
    def heard(self) -> Heard:
        """What the recogniser makes of the speech.

        Raises:
            MissingExtra: The recogniser is not installed.
        """
        return hear(self.stem, self.clip.spec.text)

    @cached_property
    def heard_pair(self) -> Heard:
        """What it makes of the pair. Raises as :attr:`heard`."""
        return hear(self.pair, self.clip.spec.text)

    @property
    def is_cued(self) -> bool:
        """Whether there is a delivery to be told from a neutral rendition."""
        return self.clip.spec.delivery != NEUTRAL and self.clip.pair_sha256 is not None

    def row(
        self,
        check: str,
        passed: bool,
        value: float | None = None,
        threshold: float | None = None,
        judge: str = RULE,
        detail: str = "",
    ) -> Check:
        """What one check found of this clip."""
        return Check(
            subject=self.clip.clip_id,
            check=check,
            passed=bool(passed),
            value=value,
            threshold=threshold,
            judge=judge,
            detail=detail,
        )

    def _read(self, sha: str) -> Audio:
        return read_audio(self.objects.get(sha), item=self.clip.clip_id)


SessionCheck = Callable[[Sequence[Spoken]], Iterator[Check]]
"""Looks at the clips of one session, which are all readable, and leaves rows."""


def each(check: Callable[[Spoken], Iterator[Check]]) -> SessionCheck:
    """A check of single clips as a check of a session."""

    @wraps(check)
    def of_all(session: Sequence[Spoken]) -> Iterator[Check]:
        for spoken in session:
            yield from check(spoken)

    return of_all
