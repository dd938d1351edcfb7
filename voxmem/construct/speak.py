"""Clips, and the session gate (QC-1): by measurement and by listening."""

from __future__ import annotations

from voxmem.build import Build, Chunk
from voxmem.quality.session.sample import listen_to_sample
from voxmem.quality.session.measure import check_clip
from voxmem.records import Check, Clip
from voxmem.speech.studio import speak as speak_clip


def speak(build: Build, chunk: Chunk) -> int:
    """Speaks the clips of one chunk and stores them with their paired renditions."""
    if not is_spoken(build, chunk):
        clips = [speak_clip(spec, build.engine, build.root.objects) for spec in chunk.specs]
        build.root.tables.write("clips", chunk.part, clips, Clip)
    return len(chunk.specs)


def is_spoken(build: Build, chunk: Chunk) -> bool:
    """Whether the chunk's clips are kept, with every object that they name."""
    if not build.root.tables.has("clips", chunk.part):
        return False
    clips = build.root.tables.read("clips", Clip, [chunk.part])
    return all(build.root.objects.exists(sha) for clip in clips for sha in renditions(clip))


def renditions(clip: Clip) -> list[str]:
    """The objects of a clip: the primary rendition, its pair and its stem."""
    return [sha for sha in (clip.sha256, clip.pair_sha256, clip.stem_sha256) if sha is not None]


def gate_clips(build: Build, chunk: Chunk) -> int:
    """The session gate (QC-1) by measurement: every clip of one chunk, read back from the store."""
    if not build.root.tables.has("session_checks", chunk.part):
        clips = build.root.tables.read("clips", Clip, [chunk.part])
        checks = [check for clip in clips for check in check_clip(clip, build.root.objects)]
        build.root.tables.write("session_checks", chunk.part, checks, Check)
    return len(chunk.specs)


def is_gated(build: Build, chunk: Chunk) -> bool:
    """Whether nothing is left to do for a chunk: it is spoken and measured."""
    return build.root.tables.has("session_checks", chunk.part) and is_spoken(build, chunk)


def gate_sample(build: Build) -> int:
    """The session gate (QC-1) by listening: models hear a seeded sample of the clips."""
    if not build.has("session_checks"):
        clips = sorted(build.clips.values(), key=lambda clip: clip.clip_id)
        checks = listen_to_sample(clips, build.root.objects, build.config)
        build.root.tables.write("session_checks", build.id, checks, Check)
    return len(build.root.tables.read("session_checks", Check, [build.id]))
