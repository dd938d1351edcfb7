"""The session gate (QC-1) that every clip passes: what can be measured without a model."""

from __future__ import annotations

from voxmem.errors import CorruptObject, InputError
from voxmem.quality.session.checks import ObjectSource, check_level, check_pair
from voxmem.records import Check, Clip
from voxmem.speech.audio import read_audio


def check_clip(clip: Clip, objects: ObjectSource) -> list[Check]:
    """The measured checks of one clip, read back from the store.

    Audio that cannot be used is a failed check, and its session is dropped.

    Raises:
        CorruptObject: The stored bytes are damaged: a fault of the store, not of the clip.
    """
    try:
        audio = read_audio(objects.get(clip.sha256), item=clip.clip_id)
        return [check_level(clip, audio), check_pair(clip, objects)]
    except CorruptObject:
        raise
    except InputError as error:
        return [Check(subject=clip.clip_id, check="readable", passed=False, detail=error.message)]
