"""The same words and voices without any cue: every clip that has one is told as its pair.

The *pair* of a clip is the rendition in neutral delivery and without a sound (VoxMem, §3.2). Voices
stay what they are, so questions about speakers keep their answers.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.arms import audio
from voxmem.evaluate.arms.arm import Arm
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.records import Question, StoredClip


def tell(item: Item, system: str) -> Conversation:
    """As audio, with the paired rendition of every clip that has one.

    Raises:
        UsageError: The release was imported: it has no paired renditions.
        InputError: A paired rendition cannot be read.
    """
    if not isinstance(item.question, Question):
        raise UsageError(
            "this release was imported: its clips have no paired renditions",
            item=item.item_id,
            stage="evaluate",
            remedy="choose another arm, or a release that was built here",
        )
    pairs = _pairs(item, [*item.clips.values(), item.question_clip])
    clips = {place: pairs.get(clip.sha256, clip) for place, clip in item.clips.items()}
    question_clip = pairs.get(item.question_clip.sha256, item.question_clip)
    return audio.tell(replace(item, clips=clips, question_clip=question_clip), system)


def _pairs(item: Item, clips: Iterable[StoredClip]) -> dict[str, StoredClip]:
    """Primary rendition → the pair, as a clip of its own length: another delivery takes another
    time."""
    return {
        clip.sha256: StoredClip(sha256=pair, samples=_samples(item, pair))
        for clip in clips
        for pair in (clip.pair_sha256,)
        if pair is not None
    }


def _samples(item: Item, sha256: str) -> int:
    """Its length at 24 kHz, from the header of the file."""
    import soundfile  # loads a shared library: not before it is needed

    try:
        header = soundfile.info(io.BytesIO(item.read_audio(sha256)))
        frames, rate = int(header.frames), int(header.samplerate)
    except soundfile.LibsndfileError as error:
        raise InputError(
            f"the paired rendition cannot be read ({error})",
            item=item.item_id,
            stage="evaluate",
            remedy="speak the clip again",
        ) from error
    return round(frames * 24_000 / rate)


PAIRED = Arm("paired", tell, "as audio, with the neutral, silent rendition of every clip")
