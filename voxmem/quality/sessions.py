"""The session gate (QC-1) that every clip passes: what can be measured without a model."""

from __future__ import annotations

from voxmem.errors import InputError
from voxmem.quality.clip_checks import ObjectSource, check_level, check_pair
from voxmem.records import Check, Clip
from voxmem.speech.audio import read_audio


def check_clip(clip: Clip, objects: ObjectSource) -> list[Check]:
    """The measured checks of one clip, read back from the store.

    A clip that cannot be read is a failed check, not an error: its session is dropped.
    """
    try:
        audio = read_audio(objects.get(clip.sha256), item=clip.clip_id)
        return [check_level(clip, audio), check_pair(clip, objects)]
    except InputError as error:
        return [Check(subject=clip.clip_id, check="readable", passed=False, detail=error.message)]
