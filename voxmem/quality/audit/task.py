"""Clips as a task. What the session gate measured is kept back: ears decide alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any

from voxmem.keys import key
from voxmem.quality.audit.queue import Queued
from voxmem.quality.audit.records import FAULTS, Audits, ClipAudit
from voxmem.quality.audit.source import ClipSource
from voxmem.quality.labelling.task import Audio, Choice, Page, Task
from voxmem.records import Clip
from voxmem.vocabulary import SOUNDS

OTHERS = 3
"""Other clips of the same voice, to compare it with."""

PAGE = Page(
    title="Audit of clips",
    asks="Who is listening?",
    things="clips",
    choices=(
        Choice("pass", "Pass", "p"),
        Choice("fail", "Fail", "f"),
        Choice("unsure", "Unsure", "u"),
    ),
    files=files(__package__).joinpath("static"),
)


class ClipTask(Task[ClipAudit]):
    """The queue of a source.

    Args:
        source: The clips.
        queue: Those to be heard.
        audits: What was said of them.
    """

    def __init__(self, source: ClipSource, queue: Sequence[Queued], audits: Audits) -> None:
        names = [item.clip_id for item in queue]
        super().__init__(source.name, "voxmem audit clips", PAGE, ClipAudit, audits, names)
        self.clip_source = source

    @property
    def changed(self) -> str:
        return "the clip was spoken again since: listen to it once more"

    def identity(self, subject: str) -> dict[str, str]:
        return {"clip_id": subject, "sha256": self.clip_source.clips[subject].sha256}

    def about(self, subject: str) -> dict[str, object]:
        clip = self.clip_source.clips[subject]
        return {
            "text": clip.spec.text,
            "voice": clip.spec.voice,
            "delivery": clip.spec.delivery,
            "sound": clip.spec.sound or "",
            "audio": self.clip_source.objects.path_or_none(clip.sha256) or "",
        }

    def shown(self) -> dict[str, Any]:
        return {"faults": FAULTS}

    @cached_property
    def audible(self) -> frozenset[str]:
        """The SHA-256 of all that the page can play, and of nothing else."""
        clips = [self.clip_source.clips[name] for name in self.queue]
        others = [clip for found in self._of_voice.values() for clip in found]
        return frozenset(
            [sha for clip in clips for _, sha in _renditions(clip)] + [*map(_clean, others)]
        )

    def audio(self, sha: str) -> Audio:
        return Audio(self.clip_source.objects.get(sha), "audio/flac")

    @cached_property
    def _of_voice(self) -> dict[str, list[Clip]]:
        """Voice → a few of its clips, neutral ones first, one more than are compared with."""
        found: dict[str, list[Clip]] = {}
        for clip in sorted(self.clip_source.clips.values(), key=_plainest_first):
            clips = found.setdefault(clip.spec.voice, [])
            if len(clips) <= OTHERS:
                clips.append(clip)
        return found

    def card(self, subject: str) -> dict[str, Any]:
        clip = self.clip_source.clips[subject]
        spec = clip.spec
        others = [item for item in self._of_voice[spec.voice] if item.clip_id != clip.clip_id]
        return {
            "text": spec.text,
            "critical": list(self.clip_source.critical.get(clip.clip_id, ())),
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
