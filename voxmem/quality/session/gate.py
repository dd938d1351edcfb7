"""The session gate (QC-1): every clip is measured, and a sample of sessions is listened to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from voxmem import keys
from voxmem.config import SessionGate
from voxmem.errors import CorruptObject, InputError, UsageError
from voxmem.quality.gates.model import served
from voxmem.quality.hearing.forced import Span
from voxmem.quality.session import registry
from voxmem.quality.session.asking import Questioner
from voxmem.quality.session.centroids import Centroids
from voxmem.quality.session.spoken import ObjectSource, Spoken
from voxmem.records import Check, Clip
from voxmem.speech.studio import Studio
from voxmem.store.rows import Ledger

_NONE: Mapping[str, Sequence[Span]] = MappingProxyType({})


class Gate:
    """Checks what a studio has spoken.

    Args:
        studio: Who spoke it: mixes are made anew with it, and voices compared with its voices.
        settings: How closely to look.
        seed: Of the samples.
        ledger: Where replies of the audio-language model are kept, if one is asked.
    """

    def __init__(
        self, studio: Studio, settings: SessionGate, seed: int, ledger: Ledger | None = None
    ) -> None:
        self._studio = studio
        self._settings = settings
        self._seed = seed
        self._ledger = ledger
        self._centroids = Centroids(studio.engine)

    def check(
        self,
        clips: Sequence[Clip],
        objects: ObjectSource,
        critical: Mapping[str, Sequence[Span]] = _NONE,
    ) -> list[Check]:
        """All checks of the clips of one session (or of one question): every clip by measurement;
        if the session is of the seeded sample, by the models that listen, and likewise by an
        audio-language model. Which sessions are of the sample follows from their clips alone, so
        another take of one is in it as the first was.

        Args:
            clips: What the session's turns were spoken as, in order.
            objects: Where their files are.
            critical: Clip id → characters [start, end) of its text that an answer rests on.

        Raises:
            CorruptObject: The stored bytes are damaged: a fault of the store, not of the clip.
            MissingExtra: A model that listens is not installed.
            ModelError: The audio-language model cannot be asked. What it said is kept.
            UsageError: Its settings are wrong.
        """
        session = [
            Spoken(
                clip,
                self._studio,
                objects,
                self._centroids,
                tuple(critical.get(clip.clip_id, ())),
            )
            for clip in clips
        ]
        rows = [_read(spoken) for spoken in session]
        readable = [spoken for spoken, row in zip(session, rows, strict=True) if row.passed]
        checks = registry.MEASURED
        if self._draws("listen", clips, self._settings.listen):
            checks += registry.LISTENING
        for check in checks:
            rows += check(readable)
        if self._settings.model is not None and self._draws("ask", clips, self._settings.ask):
            rows += self._questioner.ask(readable)
        return rows

    def _draws(self, sample: str, clips: Sequence[Clip], share: float) -> bool:
        names = [clip.clip_id for clip in clips]
        return keys.rng("session sample", sample, self._seed, names).random() < share

    @cached_property
    def _questioner(self) -> Questioner:
        assert self._settings.model is not None
        if self._ledger is None:
            raise UsageError("replies that are paid for need a ledger", stage="gate")
        return Questioner(served(self._settings.model), self._ledger, self._seed)


def _read(spoken: Spoken) -> Check:
    """Whether every file of a clip is audio: whole, mono at 24 kHz, finite and not silent."""
    try:
        assert spoken.primary.size
        assert spoken.stem.size
        if spoken.clip.pair_sha256 is not None:
            assert spoken.pair.size
    except CorruptObject:
        raise
    except InputError as error:
        return spoken.row("readable", False, detail=error.message)
    return spoken.row("readable", True)
