"""The tables of an imported release, from what its items come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.records import ClipMeasure, PublishedItem
from voxmem.interop.official.told import ToldItem, session_of, user_audio
from voxmem.interop.official.unite import United, Variant, named, questions, variant_of
from voxmem.length import SAMPLE_RATE, audio_tokens
from voxmem.records import AskedQuestion, History, ImportedClip, Placement


class ImportRows:
    """The rows of a release, in the order of their ids."""

    def __init__(self, united: United, measures: Mapping[str, ClipMeasure]) -> None:
        self._united, self._measures = united, measures
        self._question_ids = named(sorted(united.questions))
        everywhere = dict.fromkeys(
            variant_of(place) for told in united.items for place in told.places
        )
        # The clips of sessions and of questions are named alike, so their ids must differ.
        taken = [name for name, _ in united.questions]
        self._session_ids = named(sorted(everywhere), taken)
        asked = questions(united, self._question_ids, self._session_ids)
        self.questions = sorted(asked.values(), key=lambda row: row.question_id)
        used = {variant_of(place) for told in united.items for place in told.places}
        self.sessions = [
            session_of(self._session_ids[variant], united.sessions[variant])
            for variant in sorted(used)
        ]
        self.histories = [self._history(told) for told in united.items]
        self.clips = [*self._session_clips(sorted(used)), *self._question_clips(asked)]
        self.items = [self._item(told) for told in united.items]

    @property
    def bytes_kept(self) -> int:
        """Of the recordings, each once."""
        return sum(self._measures[sha].size for sha in {clip.sha256 for clip in self.clips})

    @property
    def bytes_placed(self) -> int:
        """Of the recordings as the published rows repeat them."""
        size = Counter[str]()
        for clip in self.clips:
            size[clip.owner] += self._measures[clip.sha256].size
        return sum(
            size[name]
            for history in self.histories
            for name in (history.question_id, *(place.session_id for place in history.placements))
        )

    def _history(self, told: ToldItem) -> History:
        return History(
            item_id=told.item.item_id,
            question_id=self._question_ids[self._united.variant(told.item)],
            budget=told.item.context_length.upper(),
            placements=tuple(
                Placement(
                    session_id=self._session_ids[variant_of(place)],
                    timestamp=place.timestamp,
                    role=place.role,
                )
                for place in told.places
            ),
            length=told.length,
        )

    def _session_clips(self, variants: Sequence[Variant]) -> Iterator[ImportedClip]:
        for variant in variants:
            audio = user_audio(variant[0], self._united.sessions[variant])
            for turn, sha in enumerate(audio):
                yield self._clip(sha, self._session_ids[variant], turn)

    def _question_clips(self, asked: Mapping[Variant, AskedQuestion]) -> Iterator[ImportedClip]:
        for variant, question in asked.items():
            sha = self._united.questions[variant].item.question_audio
            yield self._clip(str(sha), question.question_id, 0)

    def _clip(self, sha: str, owner: str, turn: int) -> ImportedClip:
        measure = self._measures[sha]
        return ImportedClip(
            sha256=sha,
            samples=measure.samples,
            owner=owner,
            turn=turn,
            container=measure.container,
            rate=measure.rate,
        )

    def _item(self, told: ToldItem) -> PublishedItem:
        query = self._measures[str(told.item.question_audio)].samples
        # A history's own length is without the query, which its record includes.
        return PublishedItem(
            **{name: getattr(told.item, name) for name in OfficialItem.model_fields},
            session_ids=tuple(place.session_id for place in told.places),
            recomputed_audio_tokens=told.length.audio_tokens - audio_tokens(query),
            recomputed_duration_seconds=round(told.length.audio_seconds - query / SAMPLE_RATE, 6),
        )
