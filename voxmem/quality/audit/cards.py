"""What the page shows of a clip. What the session gate measured is kept back: ears decide alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from voxmem.keys import key
from voxmem.quality.audit.queue import OVERLAP, Queued, order_for
from voxmem.quality.audit.records import FAULTS, Audits, ClipAudit, latest
from voxmem.quality.audit.source import ClipSource
from voxmem.records import Clip
from voxmem.vocabulary import SOUNDS

OTHERS = 3
"""Other clips of the same voice, to compare it with."""


class Cards:
    """The queue of a source as its page shows it.

    Args:
        source: The clips.
        queue: Those to be heard.
        audits: What was said of them.
    """

    def __init__(self, source: ClipSource, queue: Sequence[Queued], audits: Audits) -> None:
        self._source = source
        self._queue = queue
        self._audits = audits

    def page(self, annotator: str) -> dict[str, Any]:
        """The queue of one annotator, with what they said before."""
        heard = latest(self._audits.rows(), self._source.clips)
        shared = {item.clip_id for item in self._queue[:OVERLAP]}
        cards = [
            self._card(self._source.clips[name])
            | {"shared": name in shared, "said": _said(heard.get(name, {}).get(annotator))}
            for name, _ in order_for(annotator, self._queue, heard)
        ]
        return {"source": self._source.name, "faults": FAULTS, "clips": cards}

    @cached_property
    def audible(self) -> frozenset[str]:
        """The SHA-256 of all that the page can play, and of nothing else."""
        clips = [self._source.clips[name] for name, _ in self._queue]
        others = [clip for found in self._of_voice.values() for clip in found]
        return frozenset(
            [sha for clip in clips for _, sha in _renditions(clip)] + [*map(_clean, others)]
        )

    @cached_property
    def _of_voice(self) -> dict[str, list[Clip]]:
        """Voice → a few of its clips, neutral ones first, one more than are compared with."""
        found: dict[str, list[Clip]] = {}
        for clip in sorted(self._source.clips.values(), key=_plainest_first):
            clips = found.setdefault(clip.spec.voice, [])
            if len(clips) <= OTHERS:
                clips.append(clip)
        return found

    def _card(self, clip: Clip) -> dict[str, Any]:
        spec = clip.spec
        others = [item for item in self._of_voice[spec.voice] if item.clip_id != clip.clip_id]
        return {
            "id": clip.clip_id,
            "sha256": clip.sha256,
            "text": spec.text,
            "critical": list(self._source.critical.get(clip.clip_id, ())),
            "span": spec.span,
            "voice": spec.voice,
            "delivery": spec.delivery,
            "sound": [spec.sound, *SOUNDS.get(spec.sound, ())] if spec.sound else [],
            "snr": None if clip.snr_db is None else round(clip.snr_db),
            "seconds": round(clip.seconds, 1),
            "renditions": list(_renditions(clip)),
            "others": [[item.spec.text, _clean(item)] for item in others[:OTHERS]],
        }


def _renditions(clip: Clip) -> Iterator[tuple[str, str]]:
    """A label and the SHA-256 of what can be played, the primary rendition first."""
    spec = clip.spec
    yield "as heard", clip.sha256
    if spec.delivery != "neutral" and clip.stem_sha256:
        yield f"{spec.delivery}, no {spec.sound}", clip.stem_sha256
    if clip.pair_sha256:
        yield "neutral" if spec.delivery != "neutral" else f"no {spec.sound}", clip.pair_sha256


def _clean(clip: Clip) -> str:
    return clip.pair_sha256 or clip.sha256


def _plainest_first(clip: Clip) -> tuple[bool, bool, str]:
    return clip.spec.sound is not None, clip.spec.delivery != "neutral", key("voice", clip.clip_id)


def _said(row: ClipAudit | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"verdict": row.verdict, "fault": row.fault, "note": row.note}
